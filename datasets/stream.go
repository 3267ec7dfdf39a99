package datasets

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// errEnough stops the reading of a file when the caller wants no more queries.
var errEnough = errors.New("no more queries are wanted")

// Stream yields the queries of a built-in dataset or a file, one at a time and in order, as [Open] reads them.
// It does not keep them: memory has one query, 14 to 24 bytes of each id, and the text of a JSON or YAML file.
//
// If a record cannot be read, Stream yields an error for each of its faults, an *strictyaml.Error with the
// place. Then the next queries follow. So the caller may stop at the first error, or count the errors and omit
// the records. After any other error, such as a missing file or a missing column, Stream ends.
func Stream(nameOrPath string) iter.Seq2[Query, error] {
	return func(yield func(Query, error) bool) {
		l := newLoader(nameOrPath)
		l.each = func(q *Query) error {
			if !yield(*q, nil) {
				return errEnough
			}
			return nil
		}
		l.bad = func(found strictyaml.Errors) error {
			for _, e := range found {
				if !yield(Query{}, e) {
					return errEnough
				}
			}
			return nil
		}
		if _, err := l.openNamed(nameOrPath); err != nil && !errors.Is(err, errEnough) {
			yield(Query{}, err)
		}
	}
}

// Scan reads a built-in dataset or a file as [Open] does, but does not keep the queries: it calls each with
// every query. It returns the dataset without queries and hash. If each returns an error, reading ends with
// this error. If the file has errors, each may have been called with some of the queries.
func Scan(nameOrPath string, each func(*Query) error) (*Dataset, error) {
	l := newLoader(nameOrPath)
	l.each = each
	return l.openNamed(nameOrPath)
}

// keep adds a query to the list. It allocates the list for the estimated number of queries in the file, so that
// the list is copied less often.
func (l *loader) keep(q Query) {
	const measured = 1000 // number of queries after which the size of a query is estimated
	if n := len(l.queries); n == cap(l.queries) && n >= measured && l.read < l.size {
		rest := float64(n) * float64(l.size-l.read) / float64(l.read)
		l.queries = slices.Grow(l.queries, int(1.02*rest)+measured)
	}
	l.queries = append(l.queries, q)
}

// counted counts the bytes that a loader reads. It stops after the loader has failed.
type counted struct {
	io.Reader
	l *loader
}

func (c counted) Read(into []byte) (int, error) {
	if c.l.failed != nil {
		return 0, io.EOF
	}
	n, err := c.Reader.Read(into)
	c.l.read += int64(n)
	return n, err
}

// mostAfter is the maximum number of records that are checked after the first record with an error. So a large
// file with an error is refused early.
const mostAfter = 100_000

// leave handles the errors of a record or a line, which are errs[before:]. It passes them to bad. If bad is
// nil, it refuses the whole file.
func (l *loader) leave(before int) {
	switch {
	case l.failed != nil:
	case l.kind != "" && l.bad != nil:
		l.failed = &strictyaml.Error{File: l.file, Message: l.kind}
	case l.bad != nil:
		found := slices.Clone(l.errs[before:])
		l.errs = l.errs[:before]
		clear(l.reported)
		l.failed = l.bad(found)
	default:
		l.refuse()
	}
}

// refuse drops the queries of a file with an error, and stops the reading some records later.
func (l *loader) refuse() {
	l.queries = nil
	if l.first == 0 {
		l.first = l.records
	}
	if max(l.records-l.first, len(l.errs)) >= mostAfter {
		l.failed = fmt.Errorf("%w\n%s: record %d is the last one that was read; correct these errors first",
			l.errs.Err(), l.file, l.records)
	}
}

// mostHashed is the number of queries up to which a conversion computes the hash, because the hash needs all
// queries in memory.
const mostHashed = 100_000

// mostNamed is the maximum number of errors in the list of records that a conversion omitted.
const mostNamed = 20

// Conversion writes the queries of a file in another form. In memory it keeps one query, a few bytes of each id
// and, for the hash, the first mostHashed queries.
type Conversion struct {
	Mapping Mapping
	To      Format
	// Partial omits records that have errors, such as a gold that cannot be read as its type. Without Partial,
	// the first such record ends the conversion.
	Partial bool
}

// Converted is the summary of a conversion.
type Converted struct {
	Queries    int
	Categories []string // in the order in which they first occur
	ByCategory map[string]int
	Hash       string   // hash of the dataset; "" if it has more than 100,000 queries
	Unused     []string // unused fields of the file, sorted
	LeftOut    int      // number of omitted records
	Notes      []string // see Dataset.Notes
	Reasons    []error  // errors of the first omitted records
}

// File converts a file into out. If in is not nil, it converts the JSONL text of in instead. It reads the
// result again, to make sure that it is a valid dataset.
func (c Conversion) File(name string, in io.Reader, out io.ReadWriteSeeker) (Converted, error) {
	done := Converted{ByCategory: map[string]int{}}
	to, err := newWriter(out, c.To)
	if err != nil {
		return done, err
	}
	var all []Query
	l := newLoader(name)
	if c.Partial {
		l.bad = func(found strictyaml.Errors) error {
			done.LeftOut++
			for _, e := range found[:min(len(found), mostNamed-len(done.Reasons))] {
				done.Reasons = append(done.Reasons, e)
			}
			return nil
		}
	}
	l.each = func(q *Query) error {
		if done.Queries++; done.ByCategory[q.Category] == 0 {
			done.Categories = append(done.Categories, q.Category)
		}
		done.ByCategory[q.Category]++
		if done.Queries <= mostHashed {
			all = append(all, *q)
		} else {
			all = nil
		}
		return to.query(q)
	}
	if _, err = c.Mapping.load(l, func() (*Dataset, error) {
		if in != nil {
			return l.load(in, JSONL, name)
		}
		return l.openNamed(name)
	}); err != nil {
		if len(l.errs) > 0 && done.Queries > 0 {
			err = fmt.Errorf("%w\ncorrect the file, or omit these records with --partial", err)
		}
		return done, err
	}
	done.Notes = l.notes.Lines(name, true)
	done.Unused = slices.Sorted(maps.Keys(l.remap.unused))
	if done.Queries == 0 {
		return done, fmt.Errorf("load dataset %s: no record is left: %w", name, done.Reasons[0])
	}
	if all != nil {
		done.Hash = hashQueries(all)
	}
	if err := to.flush(); err != nil {
		return done, fmt.Errorf("write dataset: %w", err)
	}
	if _, err := out.Seek(0, io.SeekStart); err != nil {
		return done, fmt.Errorf("write dataset: %w", err)
	}
	l.ids, all = nil, nil
	back := newLoader("the result")
	back.ids = nil // the ids are already known to be unique
	back.each = func(*Query) error { return nil }
	if _, err := back.load(out, c.To, name); err != nil { // for example, a query is too long for a line
		return done, fmt.Errorf("the result could not be read back, so nothing is written: choose another form, "+
			"such as .yaml: %w", err)
	}
	return done, nil
}
