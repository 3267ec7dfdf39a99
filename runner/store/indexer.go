package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/spool"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// indexer makes the index of a new run while the lines of the run are written. The entry of a query is in
// memory until every configuration has decided the query. Then it is sorted, in a temporary file if there are many.
type indexer struct {
	run      *Run
	open     map[string]*openQuery // undecided queries by id
	entries  spool.Sorter          // entries of the decided queries by id
	records  int                   // number of records
	settings map[string]int64      // as in Index
	err      error                 // the first error; then there is no index
}

// openQuery has the lines of an undecided query.
type openQuery struct {
	*Index
	numbers []int // the number of each record among all records
}

func newIndexer(r *Run) *indexer {
	return &indexer{run: r, open: map[string]*openQuery{}, settings: map[string]int64{}}
}

// add adds a line that is about to be written at an offset. object is its text without the checksum.
func (x *indexer) add(i item, object []byte, offset int64) {
	if x == nil || x.err != nil {
		return
	}
	var query string
	switch v := i.value.(type) {
	case trace.Event:
		query = v.Query
	case Exchange:
		query = v.Query
	case Record:
		query = v.Query
	}
	q := x.open[query]
	if q == nil {
		q = &openQuery{Index: NewIndex()}
		q.settings, x.open[query] = x.settings, q
	}
	line := linefile.Line{Text: object, Offset: offset, Checked: true}
	switch i.file {
	case runfiles.Chat:
		x.err = q.exchange(line)
	case runfiles.Traces:
		x.err = q.event(line)
	case runfiles.Results:
		x.err = q.record(x.run, line)
		q.numbers = append(q.numbers, x.records)
		x.records++
	}
	if x.err == nil && len(q.numbers) == len(x.run.Manifest.Configurations) {
		delete(x.open, query)
		x.err = x.decide(query, q)
	}
}

// decide adds the entry of a query to the entries of the decided queries.
func (x *indexer) decide(query string, q *openQuery) error {
	for e := range q.Index.entries() {
		for i := range e.Records {
			e.Records[i].Number = q.numbers[e.Records[i].Number]
		}
		object, err := lines.Encode(e)
		if err == nil {
			err = x.entries.Add(query, object)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// objects returns the entries, sorted by query. It gives errUnfit if a line came after all records of its query.
func (x *indexer) objects() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		before := ""
		for e, err := range x.entries.All() {
			if err == nil && e.Key == before {
				err = errUnfit
			}
			before = e.Key
			if !yield(e.Text, err) || err != nil {
				return
			}
		}
	}
}

// save writes places.jsonl for a complete run. files has the sizes and hashes of the run's files.
func (x *indexer) save(d *disk.Disk, files map[string]Sealed) error {
	if x.err != nil {
		return x.err
	}
	if len(x.open) > 0 {
		return errUnfit
	}
	of := covered{Settings: x.settings}
	for f := range runfiles.Count {
		size, info, err := x.run.sizeOf(f)
		if err != nil {
			return err
		}
		sealed := files[f.Name()]
		if size != sealed.Bytes {
			return errUnfit
		}
		of.Files[f] = coveredFile{size, info.ModTime().UnixNano(), sealed.Lines + 1}
	}
	return x.run.writePlaces(d, of, x.objects())
}

// finish ends the index. If the run is complete and err is nil, it writes places.jsonl. Otherwise a later
// reader makes the index.
func (x *indexer) finish(d *disk.Disk, state State, files map[string]Sealed, err error) {
	if x == nil {
		return
	}
	if err == nil && state == Complete {
		_ = x.save(d, files)
	}
	x.entries.Close() // the system removes a file that is left
	x.open = nil
}

// saveIndex writes places.jsonl atomically.
func (r *Run) saveIndex(x *Index) error {
	of := covered{Settings: x.settings}
	for f := range runfiles.Count {
		p := &x.parts[f]
		if p.info == nil || p.size != p.end.Offset {
			return errUnfit
		}
		of.Files[f] = coveredFile{p.end.Offset, p.info.ModTime().UnixNano(), p.end.Line}
	}
	objects := func(yield func([]byte, error) bool) {
		for e := range x.entries() {
			if !yield(lines.Encode(e)) {
				return
			}
		}
	}
	return r.writePlaces(Options{}.Disk(), of, objects)
}

// writePlaces writes places.jsonl atomically: first the entries, which must be sorted by query, and then the
// description of the indexed files.
func (r *Run) writePlaces(d *disk.Disk, of covered, entries iter.Seq2[[]byte, error]) error {
	path, s := filepath.Join(r.Dir, indexFile), linefile.Sums{Run: r.Manifest.Run, HasPlaces: true}
	return d.ReplaceWith(path, func(w io.Writer) error {
		out, n := bufio.NewWriterSize(w, 64<<10), 1
		written, err := io.WriteString(out, linefile.FirstLine(IndexSchema))
		of.Offset = int64(written)
		line := func(object []byte) (err error) {
			n++
			object = append(s.Add(object, linefile.Place{Line: n}), '\n')
			of.Offset += int64(len(object))
			_, err = out.Write(object)
			return err
		}
		for entry, wrong := range entries {
			if err = errors.Join(err, wrong); err == nil {
				err = line(entry)
			}
			if err != nil {
				return fmt.Errorf("write %s: %w", path, err)
			}
		}
		last, err := lines.Encode(of)
		if err == nil {
			err = line(last)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		return out.Flush()
	})
}
