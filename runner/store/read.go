package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// Run is a run folder opened for reading.
type Run struct {
	Dir      string
	Manifest Manifest
}

// Open reads the manifest of a run folder.
func Open(dir string) (*Run, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	return &Run{Dir: dir, Manifest: m}, nil
}

// Records reads results.jsonl, in the order in which queries were decided. The labels of people replace its
// verdicts. If a query was decided again, the last record counts.
func (r *Run) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		labels, err := r.labels()
		if err != nil {
			yield(Record{}, err)
			return
		}
		for rec, err := range r.Unlabelled() {
			if l, ok := labels[recordKey{rec.Configuration, rec.Query}]; ok && err == nil {
				rec = l.apply(rec)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// Unlabelled reads the records without labels, as the harness wrote them. The gate and replays use it, since
// they compare two runs of the harness.
func (r *Run) Unlabelled() iter.Seq2[Record, error] {
	return lastSession(r, r.once(linesOf[Record](r, resultsFile)), func(x Record) (recordKey, int) {
		return recordKey{x.Configuration, x.Query}, x.Timing.Session
	})
}

// once refuses a second record of a query from one session: a query is decided once, and again only after a resumption.
func (r *Run) once(all iter.Seq2[Record, error]) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		seen := decidedIn{}
		for rec, err := range all {
			if err == nil {
				err = seen.again(recordKey{rec.Configuration, rec.Query}, rec.Timing.Session, r)
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// decidedIn holds the session in which each query was last decided.
type decidedIn map[recordKey]int

// again returns an error if the query was already decided in this session or in a later one.
func (d decidedIn) again(of recordKey, session int, r *Run) error {
	if last, known := d[of]; known && last >= session {
		return r.mendable(fmt.Sprintf("%s has a second record of query %q in configuration %q",
			filepath.Join(r.Dir, jsonl[resultsFile].name), of.query, of.configuration), nil)
	}
	d[of] = session
	return nil
}

// Events reads trace.jsonl. Events of one trace are in order; traces interleave. If a trace
// was run again, only its last run counts.
func (r *Run) Events() iter.Seq2[trace.Event, error] {
	type key struct {
		trace.ID
		readBy string // the configuration of an Extraction, which comes after the end of its trace
	}
	return lastSession(r, linesOf[trace.Event](r, traceFile), func(e trace.Event) (key, int) {
		of := key{ID: e.ID}
		if x, is := e.Body.(trace.Extraction); is {
			of.readBy = "configuration " + x.Configuration
		}
		return of, e.Session
	})
}

// Exchanges reads chat.jsonl. Exchanges of one trace are in order; traces interleave. If a
// trace was run again, only its last run counts.
func (r *Run) Exchanges() iter.Seq2[Exchange, error] {
	return lastSession(r, linesOf[Exchange](r, chatFile), func(x Exchange) (model.Identity, int) {
		return x.OfTrace(), x.Session
	})
}

// lastSession leaves out lines that a later session replaced. It reads a resumed run twice.
func lastSession[T any, K comparable](r *Run, all iter.Seq2[T, error], of func(T) (K, int)) iter.Seq2[T, error] {
	if len(r.Manifest.Resumed) == 0 {
		return all
	}
	return func(yield func(T, error) bool) {
		last := map[K]int{}
		for v, err := range all {
			if err != nil {
				yield(v, err)
				return
			}
			if key, session := of(v); session > last[key] {
				last[key] = session
			}
		}
		for v, err := range all {
			if key, session := of(v); err == nil && session < last[key] {
				continue
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// linesOf decodes a JSONL file.
func linesOf[T any](r *Run, f fileIndex) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for line, err := range r.rawLines(f, start) {
			var v T
			if err == nil {
				if err = json.Unmarshal(line.text, &v); err != nil {
					err = line.error(r.mendable("the line is damaged", err))
				}
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// mendable returns an error that includes the ways to repair the run.
func (r *Run) mendable(fact string, cause error) error {
	err := fmt.Errorf("%s: put the file back from a copy, or keep what is whole with `%s`", fact, RepairCommand(r.Dir))
	if cause != nil {
		err = fmt.Errorf("%w (%w)", err, cause)
	}
	return damage{err}
}

// rawLine is a line of a JSONL file. Its text is valid until the next line is read.
type rawLine struct {
	path    string
	number  int   // in the file, whose first line is 1
	offset  int64 // of the line in the file
	text    []byte
	ofTrace int // its number among the events of its trace in one session; 0 if it has none
}

func (l rawLine) error(err error) error { return fmt.Errorf("read %s:%d: %w", l.path, l.number, err) }

// position is the byte of a file, and the number of the line, at which reading continues.
type position struct {
	offset int64
	line   int
}

// start is before the first line of a file.
var start position

// rawLines reads the lines of a JSONL file: those after its first, or those from a position. In an incomplete
// run, a cut last line is ignored. Any other line that cannot be read is an error that names it. An end that
// differs from the sealed one of a complete run is an error, too.
func (r *Run) rawLines(f fileIndex, from position) iter.Seq2[rawLine, error] {
	of := lineFile{path: filepath.Join(r.Dir, jsonl[f].name), schema: jsonl[f].schema, sums: r.Manifest.sums(),
		mend: r.mendable}
	if r.Manifest.State == Complete {
		of.whole = true
		if sealed, is := r.Manifest.Files[jsonl[f].name]; is && of.sums.hasPlaces {
			of.sealed = &sealed
		}
	}
	return of.lines(from)
}

// lineFile is a file of lines.
type lineFile struct {
	path, schema string
	sums         sums
	optional     bool                                 // lines may have no checksum
	whole        bool                                 // a cut last line is an error
	sealed       *Sealed                              // nil if not sealed
	mend         func(fact string, cause error) error // adds the ways to repair the file
}

// lines reads the lines of the file.
func (l lineFile) lines(from position) iter.Seq2[rawLine, error] {
	return func(yield func(rawLine, error) bool) {
		file, err := OpenFile(l.path)
		if err != nil {
			yield(rawLine{}, fmt.Errorf("read run: %w", err))
			return
		}
		defer file.Close()
		in := newLineReader(file, from.offset)
		if from == start {
			if err := l.header(in); err != nil {
				yield(rawLine{}, err)
				return
			}
			from = position{in.offset, 2}
		}
		for n := from.line; ; n++ {
			line := rawLine{path: l.path, number: n, offset: in.offset}
			line.text, err = in.next()
			if errors.Is(err, io.EOF) {
				if err := l.end(line, in.offset); err != nil {
					yield(line, line.error(err))
				}
				return
			}
			if err == nil {
				line.ofTrace, err = l.check(line)
			}
			if err != nil {
				yield(line, line.error(err))
				return
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// check verifies the checksum of a line and its place.
func (l lineFile) check(line rawLine) (ofTrace int, err error) {
	written, err := l.sums.check(line.text)
	if errors.Is(err, errNoSum) && l.optional {
		return 0, nil
	}
	if err == nil && written.line != 0 && written.line != line.number && !l.optional {
		err = misplaced(written.line, line.number)
	}
	if err != nil {
		return 0, l.mend(err.Error(), nil)
	}
	return written.ofTrace, nil
}

// end checks the end of a file: rest is the text after its last line end, and size its bytes.
func (l lineFile) end(rest rawLine, size int64) error {
	switch {
	case l.whole && len(bytes.TrimSpace(rest.text)) > 0:
		return l.mend("the line is cut off, although the run is complete", nil)
	case l.sealed != nil && size != l.sealed.Bytes:
		return l.mend(fmt.Sprintf("the file ends early or late: the complete run had %d lines and %d bytes, not %d and %d",
			l.sealed.Lines, l.sealed.Bytes, rest.number-1, size), nil)
	}
	return nil
}

// header reads the first line.
func (l lineFile) header(in *lineReader) error {
	line, err := in.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s:1: %w", l.path, err)
	}
	if string(line) != firstLine(l.schema) {
		return damage{fmt.Errorf(`read %s:1: the first line is not {"schema":%q}; this concur cannot read the file`,
			l.path, l.schema)}
	}
	return nil
}
