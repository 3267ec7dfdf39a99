package datasets

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// errEnough ends the reading of a file whose queries are not wanted any more.
var errEnough = errors.New("no more queries are wanted")

// Stream returns the queries of a built-in dataset or a file, one at a time and in their order, as [Open] reads them.
// It keeps no query: memory holds one of them, 14 to 24 bytes of each id, and the text of a JSON or YAML file.
//
// A record that cannot be read gives an error with its place, a *strictyaml.Error for each fault, and the queries go on
// after it: a caller stops at the first error, or counts the errors and leaves the records out. Other errors, such as
// a file that is missing or has no column for the answers, are the last.
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

// keep adds a query to the list. The list grows to the number of queries that the rest of the file will hold, so that
// it is copied less often.
func (l *loader) keep(q Query) {
	const measured = 1000 // queries that tell how long one is
	if n := len(l.queries); n == cap(l.queries) && n >= measured && l.read < l.size {
		rest := float64(n) * float64(l.size-l.read) / float64(l.read)
		l.queries = slices.Grow(l.queries, int(1.02*rest)+measured)
	}
	l.queries = append(l.queries, q)
}

// counted counts the bytes that a loader reads, and ends when the loader has failed.
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

// mostAfter is the number of records that are checked after the first record with an error. A file of millions of
// records is refused without reading the rest.
const mostAfter = 100_000

// leave ends a record or a line with the errors errs[before:]. bad receives them, or the file is refused when it was
// read.
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

// refuse drops the queries of a file that has an error, and ends the reading some records after it.
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
