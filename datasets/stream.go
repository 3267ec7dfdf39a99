package datasets

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// errEnough stops the reading of a file when the caller wants no more queries.
var errEnough = errors.New("no more queries are wanted")

// Stream yields the queries of a built-in dataset or a file, one at a time and in order, as [Open] reads them.
// It does not keep them: memory has one query, 14 to 24 bytes of each id, and the text of a JSON or YAML file.
//
// A record that cannot be read yields an error for each fault, an *strictyaml.Error with the place, and then
// the next queries follow: the caller may stop at the first error, or count the errors and omit the records.
// After any other error, such as a missing file or a missing column, nothing follows.
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

// Scan reads a built-in dataset or a file as [Open] does, and calls each with every query in place of keeping it. It
// returns the dataset without queries and hash. An error of each ends the reading and is returned. Of a file with
// errors, each may be called with some of the queries.
func Scan(nameOrPath string, each func(*Query) error) (*Dataset, error) {
	l := newLoader(nameOrPath)
	l.each = each
	return l.openNamed(nameOrPath)
}

// keep adds a query to the list. It enlarges the list to the estimated number of queries in the file, so that
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

// mostAfter is the maximum number of records that are checked after the first record with an error, so that a
// large file with an error is refused early.
const mostAfter = 100_000

// leave handles the errors of a record or a line, errs[before:]: it passes them to bad or, without bad, refuses
// the file.
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
