package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/parts"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// Recording reads the traces of a run one by one, so that a large run can be replayed without having it in
// memory. It omits traces that were stopped from outside (by a signal, for example), because the length of such
// a trace depends on time. It is safe for concurrent use. Close it after use.
type Recording struct {
	index  *Index
	in     reader
	agents []string // agents that have exchanges, sorted
}

// Recording opens the run's files, and finds the offsets of its traces.
func (r *Run) Recording() (*Recording, error) {
	x := NewIndex()
	if err := x.UpdateTraces(context.Background(), r); err != nil {
		return nil, err
	}
	in, err := r.reader()
	return &Recording{x, in, x.agents()}, err
}

func (x *Index) agents() (out []string) {
	seen, texts := map[string]bool{}, &x.names[runfiles.Chat]
	for k := range x.exchanges {
		id := texts.id(k)
		seen[id.Agent] = seen[id.Agent] || texts.purpose(k) == model.Agent && x.trace(id).ended()
	}
	maps.DeleteFunc(seen, func(_ string, speaks bool) bool { return !speaks })
	return slices.Sorted(maps.Keys(seen))
}

// Close closes the files.
func (rec *Recording) Close() error { return rec.in.close() }

// Agents returns the agents that have exchanges, sorted.
func (rec *Recording) Agents() []string { return rec.agents }

// Events returns the events of a trace, in order.
func (rec *Recording) Events(id trace.ID) ([]trace.Event, error) {
	if !rec.index.trace(id).ended() {
		return nil, nil
	}
	return rec.index.events(rec.in, id)
}

// Exchanges returns the exchanges of a trace, a verifier or a judge (see Identity.OfTrace). They are in order
// and have their complete settings.
func (rec *Recording) Exchanges(of model.Identity) ([]Exchange, error) {
	if of.Purpose == model.Agent && !rec.index.trace(traceOf(of)).ended() {
		return nil, nil
	}
	return rec.index.conversations(rec.in, of)
}

func traceOf(of model.Identity) trace.ID {
	return trace.ID{Agent: of.Agent, Query: of.Query, Trace: of.Trace}
}

// Lines reads the lines of a JSONL file from a position; from start it reads all lines except the header. If
// the run is incomplete and the last line is cut off, it ignores this line. For any other line that cannot be
// read, it returns an error with the line's number. If the run is complete and sealed, it also returns an error
// if the file's end differs from the seal.
func (r *Run) Lines(f runfiles.File, from linefile.Position) iter.Seq2[linefile.Line, error] {
	of := linefile.File{Path: filepath.Join(r.Dir, f.Name()), Schema: f.Schema(),
		Sums: r.Manifest.LineSums(), Mend: r.Mendable}
	if r.Manifest.State == Complete {
		of.Whole = true
		if sealed, is := r.Manifest.Files[f.Name()]; is && of.Sums.HasPlaces {
			of.Sealed = &linefile.Size{Bytes: sealed.Bytes, Lines: sealed.Lines}
		}
	}
	return of.Lines(from)
}

// reader reads lines of a run by their offsets.
type reader struct {
	files [runfiles.Count]*parts.File
	sums  linefile.Sums
}

// openLines opens a JSONL file with its parts.
func (r *Run) openLines(f runfiles.File) (*parts.File, error) {
	file, err := parts.Open(filepath.Join(r.Dir, f.Name()), disk.OpenFile)
	if err != nil {
		return nil, linefile.File{Mend: r.Mendable}.PartError(err)
	}
	return file, nil
}

// CheckFiles tries to open each JSONL file of the run. For each file that cannot be opened, it returns an error
// that wraps ErrDamaged. It does not read the lines; Verify does.
func (r *Run) CheckFiles() (wrong []error) {
	for f := range runfiles.Count {
		file, err := r.openLines(f)
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	return wrong
}

func (r *Run) reader() (in reader, err error) {
	in.sums = r.Manifest.LineSums()
	for f := range runfiles.Count {
		if in.files[f], err = r.openLines(f); err != nil {
			return in, errors.Join(fmt.Errorf("read run: %w", err), in.close())
		}
	}
	return in, nil
}

func (in reader) close() (err error) {
	for _, f := range in.files {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// reading opens the files of a run, calls read, and closes them.
func reading[T any](r *Run, read func(reader) (T, error)) (out T, err error) {
	in, err := r.reader()
	if err != nil {
		return out, err
	}
	out, err = read(in)
	return out, errors.Join(err, in.close())
}

// read decodes the line at an offset.
func (in reader) read(f runfiles.File, offset int64, into any) error {
	err := disk.ReadLine(in.files[f], offset, func(line []byte) error {
		if _, err := in.sums.Check(line); err != nil {
			return err
		}
		return lines.Decode(line, into)
	})
	if err != nil {
		return disk.Damage(fmt.Errorf("read %s at byte %d: %w", in.files[f].Path(), offset, err))
	}
	return nil
}

// moved returns the error for a line whose query is not the query that the index gives for it.
func (in reader) moved(f runfiles.File, found, wanted string) error {
	return disk.Damage(fmt.Errorf("read %s: a line has query %q, not %q: the file changed while it was read",
		in.files[f].Path(), found, wanted))
}

// readAll decodes the lines at these offsets.
func readAll[T any](in reader, f runfiles.File, offsets []int64) ([]T, error) {
	out := make([]T, len(offsets))
	for i, offset := range offsets {
		if err := in.read(f, offset, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ExchangesOf reads the exchanges whose identity the function accepts. They have their complete settings. The
// other lines of chat.jsonl are not decoded, so that a few exchanges of a large run are found quickly.
func (r *Run) ExchangesOf(accepts func(model.Identity) bool) iter.Seq2[Exchange, error] {
	heads := func(yield func(inSession[model.Identity], error) bool) {
		var h linefile.Head
		for line, err := range r.Lines(runfiles.Chat, linefile.Start) {
			if err == nil {
				err = h.Read(line)
			}
			if err == nil && !accepts(h.Identity) {
				continue
			}
			if !yield(inSession[model.Identity]{h.OfTrace(), h.Session}, err) || err != nil {
				return
			}
		}
	}
	all := func(yield func(Exchange, error) bool) {
		var h linefile.Head
		settings := map[string]*RequestSettings{}
		for line, err := range r.Lines(runfiles.Chat, linefile.Start) {
			if err == nil {
				err = h.Read(line)
			}
			accepted := err == nil && accepts(h.Identity)
			if err == nil && !accepted && linefile.NamesSettings(line.Text) {
				continue
			}
			var x Exchange
			if err == nil {
				err = r.decode(line, &x)
			}
			if x.RequestSettings == nil {
				x.RequestSettings = settings[x.Settings]
			} else if settings[x.Settings] == nil {
				settings[x.Settings] = x.RequestSettings
			}
			if err == nil && !accepted {
				continue
			}
			if !yield(x, err) || err != nil {
				return
			}
		}
	}
	of := func(x Exchange) inSession[model.Identity] { return inSession[model.Identity]{x.OfTrace(), x.Session} }
	return lastSession(r, all, heads, of)
}
