package datasets

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// mostHashed is the number of queries up to which a conversion computes the hash. The hash needs all queries in
// memory.
const mostHashed = 100_000

// mostNamed is the maximum number of errors in a conversion's list of omitted records.
const mostNamed = 20

// Conversion writes the queries of a file in another form. It keeps in memory one query, a few bytes of each
// id, and the first mostHashed queries for the hash.
type Conversion struct {
	Mapping Mapping
	To      Format
	// Partial omits records with errors, such as a gold that its type cannot read. Without Partial, the first
	// such record ends the conversion.
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

// File converts a file, or JSONL from in if that is not nil, into out, and reads the result
// back to make sure that it is a valid dataset.
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
