package result

import (
	"cmp"
	"fmt"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// Tally sums up the records of a run. Most sums and counts need an amount of memory that does not depend on the
// number of records. Medians, intervals by clusters and the least effort of a query need all values. For these,
// Tally keeps columns of numbers by query and trace, and the ids of queries to sort the columns: about 100
// bytes per query.
type Tally struct {
	of             store.Manifest
	configurations map[string]*tally
	texts          map[string]string // of categories and verdicts; columns share equal strings
}

// NewTally returns the empty tally of a run.
func NewTally(m store.Manifest) *Tally {
	t := &Tally{m, map[string]*tally{}, map[string]string{}}
	for _, c := range m.Configurations {
		t.configurations[c.Name] = newTally(c, len(m.Configurations) > 1)
	}
	return t
}

func (t *Tally) wrong(err error) error { return fmt.Errorf("summarise run %s: %w", t.of.Run, err) }

// Add adds a record. It returns an error if the manifest does not have the record's configuration, if the
// verdict is unknown, and for a second record of a query.
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

// Merge adds another tally of the same run. The other tally cannot be used after that. If the records are
// divided in any way and the tallies of the parts are merged in any order, the result is the same as for one
// tally. If both tallies have a record of the same query, this is an error.
func (t *Tally) Merge(other *Tally) error {
	if t.of.Run != other.of.Run {
		return t.wrong(fmt.Errorf("records of run %s are not of this run", other.of.Run))
	}
	for _, c := range t.of.Configurations {
		if err := t.configurations[c.Name].merge(other.configurations[c.Name], c.Name); err != nil {
			return t.wrong(err)
		}
	}
	return nil
}

func (t *tally) merge(o *tally, configuration string) error {
	if t.seen.Merge(&o.seen) {
		return fmt.Errorf("a query of configuration %s has two records", configuration)
	}
	t.labelled = append(t.labelled, o.labelled...)
	t.decides += o.decides
	t.decidedPassed += o.decidedPassed
	t.counts = t.counts.plus(o.counts)
	for category, c := range o.byCategory {
		t.byCategory[category] = t.byCategory[category].plus(c)
	}
	t.consensus.merge(o.consensus)
	t.agreements.Merge(o.agreements)
	t.agreeing += o.agreeing
	t.graded.Merge(&o.graded)
	t.outcomes.Merge(o.outcomes.Bag)
	t.traces.merge(o.traces)
	t.causes.merge(o.causes)
	t.undecided.merge(o.undecided)
	t.votes.Merge(o.votes)
	t.ballots.Merge(o.ballots)
	t.efforts.merge(o.efforts)
	t.unread.merge(o.unread)
	t.judgesUnread.merge(o.judgesUnread)
	t.judges.merge(o.judges)
	t.readings.merge(o.readings)
	t.citations.merge(o.citations)
	t.calls.merge(o.calls)
	t.labels.merge(o.labels)
	t.extras.merge(o.extras)
	t.tools.merge(o.tools)
	t.perQuery.merge(o.perQuery)
	t.stated.merge(o.stated)
	t.usage.Add(o.usage)
	t.seconds.Merge(&o.seconds)
	t.sent += o.sent
	return nil
}

func (c *Consensus) merge(o Consensus) {
	mergeCounts(c.Methods, o.Methods)
	mergeCounts(c.CorrectByMethod, o.CorrectByMethod)
	c.WithoutKCurve += o.WithoutKCurve
	c.VerifierErrors += o.VerifierErrors
	c.VerifierCanaries = cmp.Or(c.VerifierCanaries, o.VerifierCanaries)
	c.PickCanaries = cmp.Or(c.PickCanaries, o.PickCanaries)
}

func (t *Traces) merge(o Traces) {
	t.Total += o.Total
	mergeCounts(t.Outcomes, o.Outcomes)
	mergeCounts(t.StopReasons, o.StopReasons)
	t.Replies += o.Replies
	t.Format = t.Format.Add(o.Format)
	t.FreeText += o.FreeText
	if len(o.Unsteady) > 0 && t.Unsteady == nil {
		t.Unsteady = map[string]int{}
	}
	mergeCounts(t.Unsteady, o.Unsteady)
	t.Correct += o.Correct
	t.QueriesWithoutValid += o.QueriesWithoutValid
	t.QueriesUndecided += o.QueriesUndecided
}

func mergeCounts[K comparable](into, other map[K]int) {
	for key, n := range other {
		into[key] += n
	}
}

// shared returns the same string for equal texts.
func (t *Tally) shared(text string) string {
	if known, is := t.texts[text]; is {
		return known
	}
	t.texts[text] = text
	return text
}
