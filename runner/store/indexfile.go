package store

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

// IndexSchema is the schema's name on the first line of places.jsonl.
const IndexSchema = "concur/places/v1"

// indexFile has the offsets of a complete run's lines: a line for each query, sorted by id, and a last line
// that describes the indexed files. An indexer writes it at the end of a new run. It can be removed at any
// time, and is written again when it is needed. It is not evidence: it only says where to read, and a reader
// checks that each line belongs to the requested query. If the file is damaged or does not match the other
// files of the run, it is ignored and written again.
const indexFile = "places.jsonl"

// covered describes the files of an index.
type covered struct {
	Files    [runfiles.Count]coveredFile `json:"files"` // chat.jsonl, trace.jsonl, results.jsonl
	Settings map[string]int64            `json:"settings"`
	Offset   int64                       `json:"offset"` // offset of this line
}

type coveredFile struct {
	Bytes    int64 `json:"bytes"`
	Modified int64 `json:"modified"` // in nanoseconds since 1970
	Lines    int   `json:"lines"`
}

// errUnfit means that an index cannot be used. It is never returned to callers of this package.
var errUnfit = errors.New("the index does not fit the run")

// Index returns the index of all traces and records. It reads places.jsonl. If that file is missing or does not
// match the run, it makes the index from the run's files; it then writes places.jsonl if the run is complete
// and the folder is writable.
func (r *Run) Index(ctx context.Context) (*Index, error) {
	if x, err := r.loadIndex(ctx, nil); err == nil {
		return x, nil
	}
	x := NewIndex()
	if err := x.UpdateRecords(ctx, r); err != nil {
		return nil, err
	}
	if err := x.UpdateTraces(ctx, r); err != nil {
		return nil, err
	}
	if r.Manifest.State == Complete {
		_ = r.saveIndex(x) // the error is ignored, because a run on a read-only disk can be shown, too
	}
	return x, nil
}

// IndexOf returns an index that has at least the traces and records of one query. If places.jsonl matches the
// run, IndexOf reads only the part of it that this query needs.
func (r *Run) IndexOf(ctx context.Context, query string) (*Index, error) {
	if x, err := r.loadIndex(ctx, &query); err == nil && x.follows(r, query) {
		return x, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := os.Remove(filepath.Join(r.Dir, indexFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		x := NewIndex() // places.jsonl could not be written, perhaps because the disk is read-only
		return x, errors.Join(x.UpdateRecords(ctx, r), x.UpdateTraces(ctx, r))
	}
	return r.Index(ctx)
}

// follows reports whether the index is right for a query: its lines are at the offsets of the index, and the
// index has all lines of its traces.
func (x *Index) follows(r *Run, query string) bool {
	_, err := reading(r, func(in reader) (none struct{}, err error) {
		check := func(f runfiles.File, p *places, whole bool) {
			for i, offset := range p.offsets() {
				err = errors.Join(err, disk.ReadLine(in.files[f], offset, func(line []byte) error {
					var h linefile.Head
					at, err := in.sums.Check(line)
					if err == nil {
						err = linefile.DecodeHead(line, &h)
					}
					if err == nil && (h.Query != query || whole && in.sums.HasPlaces && at.OfTrace != i+1) {
						err = errUnfit
					}
					return err
				}))
			}
		}
		for _, t := range x.traces {
			check(runfiles.Traces, &t.places, true)
			check(runfiles.Traces, t.read, false)
			if t.ending.Offset > 0 && t.ending.Offset != t.last {
				err = errUnfit
			}
		}
		for _, p := range x.exchanges {
			check(runfiles.Chat, p, true)
		}
		return none, err
	})
	return err == nil
}

// loadIndex reads places.jsonl. If query is nil, it reads the whole file, otherwise only the line of that
// query.
func (r *Run) loadIndex(ctx context.Context, query *string) (*Index, error) {
	in, err := r.openPlaces()
	if err != nil {
		return nil, err
	}
	defer in.file.Close() // closing a file that was only read cannot lose data
	x := NewIndex()
	x.settings = in.of.Settings
	if query != nil {
		e, err := in.find(*query)
		if err == nil && e != nil {
			x.enter(*e)
			x.sorted()
		}
		return x, err
	}
	for line, err := range in.lines(ctx) {
		var e indexEntry
		if err == nil {
			err = in.decode(line.Text, &e)
		}
		if err != nil {
			return nil, err
		}
		x.enter(e)
	}
	x.sorted()
	for f := range runfiles.Count {
		size, info, err := r.sizeOf(f)
		if err != nil {
			return nil, err
		}
		x.parts[f].info, x.parts[f].size = info, size
		x.parts[f].end = linefile.Position{Offset: in.of.Files[f].Bytes, Line: in.of.Files[f].Lines}
	}
	return x, nil
}

// openPlaces opens places.jsonl. It returns an error unless the run is complete and places.jsonl matches its
// files.
func (r *Run) openPlaces() (in placesReader, err error) {
	if r.Manifest.State != Complete {
		return in, errUnfit
	}
	in.sums = linefile.Sums{Run: r.Manifest.Run, HasPlaces: true}
	if in.file, err = disk.OpenFile(filepath.Join(r.Dir, indexFile)); err != nil {
		return in, err
	}
	if in.of, err = in.covers(r); err != nil {
		err = errors.Join(err, in.file.Close())
	}
	return in, err
}

// placesReader reads places.jsonl.
type placesReader struct {
	file *os.File
	sums linefile.Sums
	of   covered
}

// lines reads the lines of the queries.
func (in placesReader) lines(ctx context.Context) iter.Seq2[linefile.Line, error] {
	return func(yield func(linefile.Line, error) bool) {
		for at := disk.NewLineReader(in.file, int64(len(linefile.FirstLine(IndexSchema)))); at.Offset < in.of.Offset; {
			line := linefile.Line{Offset: at.Offset}
			var err error
			line.Text, err = at.Next()
			if err = errors.Join(err, ctx.Err()); !yield(line, err) || err != nil {
				return
			}
		}
	}
}

func (in placesReader) decode(line []byte, into any) error {
	if _, err := in.sums.Check(line); err != nil {
		return err
	}
	return lines.Decode(line, into)
}

// covers reads the last line of places.jsonl, and compares it with the files of the run.
func (in placesReader) covers(r *Run) (of covered, err error) {
	info, err := in.file.Stat()
	if err != nil {
		return of, err
	}
	before, err := disk.WholeLines(in.file, info.Size()-1) // offset of the last line
	if err != nil || info.Size() == 0 {
		return of, errUnfit
	}
	head := make([]byte, len(linefile.FirstLine(IndexSchema)))
	if _, err := in.file.ReadAt(head, 0); err != nil || string(head) != linefile.FirstLine(IndexSchema) {
		return of, errUnfit
	}
	if err := disk.ReadLine(in.file, before, func(line []byte) error { return in.decode(line, &of) }); err != nil {
		return of, err
	}
	for f := range runfiles.Count {
		size, info, err := r.sizeOf(f)
		if err != nil {
			return of, err
		}
		if size != of.Files[f].Bytes || info.ModTime().UnixNano() != of.Files[f].Modified {
			return of, errUnfit
		}
	}
	if of.Offset != before {
		return of, errUnfit
	}
	return of, nil
}

// find searches for the line of a query; nil if it is missing.
func (in placesReader) find(query string) (*indexEntry, error) {
	for low, high := int64(len(linefile.FirstLine(IndexSchema))), in.of.Offset; low < high; {
		at := low
		if middle := (low + high) / 2; middle > low { // at is the first line that begins after the middle
			if err := disk.ReadLine(in.file, middle-1, func(rest []byte) error {
				at = middle - 1 + int64(len(rest))
				return nil
			}); err != nil {
				return nil, err
			}
			if at >= high {
				at = low // few lines are left, so read them one by one
			}
		}
		var e indexEntry
		size := int64(0)
		if err := disk.ReadLine(in.file, at, func(line []byte) error {
			size = int64(len(line))
			return in.decode(line, &e)
		}); err != nil {
			return nil, err
		}
		switch {
		case e.Query == query:
			return &e, nil
		case e.Query < query:
			low = at + size
		case at == low:
			return nil, nil
		default:
			high = at
		}
	}
	return nil, nil
}
