package result

import (
	"fmt"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// Tally sums up the records of a run. The memory for sums and counts does not depend on the number of records.
// Medians, intervals by clusters and the least effort of a query need all values: for these, Tally keeps
// columns of numbers by query and trace, and the ids of queries to sort the columns, in all about 100 bytes a
// query.
type Tally struct {
	of             store.Manifest
	configurations map[string]*tally
	texts          map[string]string // of categories and verdicts; columns share equal strings
}

// NewTally returns the empty tally of a run.
func NewTally(m store.Manifest) *Tally {
	t := &Tally{m, map[string]*tally{}, map[string]string{}}
	for _, c := range m.Configurations {
		t.configurations[c.Name] = newTally(c.Pass)
		t.configurations[c.Name].voting = c.K > 1
	}
	return t
}

func (t *Tally) wrong(err error) error { return fmt.Errorf("summarise run %s: %w", t.of.Run, err) }

// Add adds a record. It returns an error if the manifest has no such configuration, or if the verdict is
// unknown. A second record of a query is found by Result.
func (t *Tally) Add(r store.Record) error {
	of, known := t.configurations[r.Configuration]
	if !known {
		return t.wrong(fmt.Errorf("it has a record of configuration %q, which its manifest does not list", r.Configuration))
	}
	r.Category = t.shared(r.Category)
	r.Verdict.Verdict = judge.Ruling(t.shared(string(r.Verdict.Verdict)))
	if err := of.add(r); err != nil {
		return t.wrong(err)
	}
	return nil
}

// shared returns the same string for equal texts.
func (t *Tally) shared(text string) string {
	if known, is := t.texts[text]; is {
		return known
	}
	t.texts[text] = text
	return text
}
