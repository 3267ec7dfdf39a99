package suspects

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Schema is the name and version of the JSON form of Report.
const Schema = "concur/suspects/v1"

// Observations is the minimum number of traces of a query for an item-rest correlation.
const Observations = 8

// Report lists the golds that are probably wrong. Golds with the most reasons come first.
type Report struct {
	Schema   string    `json:"schema"`
	Dataset  string    `json:"dataset"`
	Runs     []string  `json:"runs"`
	Traces   int       `json:"traces"` // traces graded by the dataset's golds
	Models   []string  `json:"models"`
	Suspects []Suspect `json:"suspects"`
	Other    int       `json:"other"` // records with a question or gold that the dataset no longer has
}

// Suspect is a gold that is probably wrong.
type Suspect struct {
	Query    string   `json:"query"`
	Question string   `json:"question"`
	Expected string   `json:"expected"`
	Reasons  []string `json:"reasons"`
	// ItemRest is a correlation over the traces of this query. One variable is whether the trace is right. The
	// other is the share of the other queries on which the same agent's trace is right. It is nil if there are
	// fewer than Observations traces, and if one of the variables does not vary.
	ItemRest *float64 `json:"item_rest"`
	Answers  []Answer `json:"answers"` // the most frequent first
	Run      string   `json:"run"`     // one of the runs that asked the query
}

// Answer is an answer that traces gave to a query.
type Answer struct {
	Answer string `json:"answer"` // "" counts traces without an answer
	Count  int    `json:"count"`
	Right  bool   `json:"right"` // the gold accepts the answer
}

// respondent identifies the traces that have the same number, in one configuration of one run.
type respondent struct {
	run, configuration string
	trace              int
}

// graded is one trace: right is 1 if the gold accepts its answer, else 0.
type graded struct {
	respondent
	right float64
}

type queryItem struct {
	hash            string
	traces          []graded
	answers         map[string]*Answer // by the key of the answer
	models          map[string]bool
	run             string
	passed, refused int // numbers of the correctness judge's verdicts on answers that the gold refuses
	person          bool
}

// Find checks the golds of a dataset against the answers of runs. It returns an error for a run that shares no
// query with the dataset.
func Find(d *datasets.Dataset, runs []*store.Run) (*Report, error) {
	r := &Report{Schema: Schema, Dataset: d.Name, Runs: []string{}, Suspects: []Suspect{}}
	items := map[string]*queryItem{}
	for _, q := range d.Queries {
		items[q.ID] = &queryItem{hash: q.Hash(), answers: map[string]*Answer{}, models: map[string]bool{}}
	}
	models := map[string]bool{}
	for _, run := range runs {
		r.Runs = append(r.Runs, run.Manifest.Run)
		model := map[string]string{}
		for _, c := range run.Manifest.Configurations {
			model[c.Name], models[c.Model] = c.Model, true
		}
		known := false
		for rec, err := range run.Unlabelled() {
			if err != nil {
				return nil, err
			}
			i := items[rec.Query]
			if i == nil || i.hash != rec.QueryHash {
				r.Other++
				continue
			}
			known = true
			i.add(run.Manifest.Run, model[rec.Configuration], rec)
		}
		if !known {
			return nil, fmt.Errorf("run %s has no query of %s with the same text and gold: name the dataset of "+
				"the run, or another run", run.Manifest.Run, d.Name)
		}
		for rec, err := range run.Records() {
			if err != nil {
				return nil, err
			}
			if i, l := items[rec.Query], rec.Label; i != nil && i.hash == rec.QueryHash && l != nil &&
				l.Verdict == judge.Correct && l.Before.Verdict == judge.Incorrect && l.Before.By == judge.ByGold {
				i.person = true
			}
		}
	}
	r.Models = append([]string{}, slices.Sorted(maps.Keys(models))...)
	right, traces := map[respondent]float64{}, map[respondent]float64{} // sums over all queries
	for _, q := range d.Queries {
		for _, t := range items[q.ID].traces {
			right[t.respondent] += t.right
			traces[t.respondent]++
			r.Traces++
		}
	}
	for _, q := range d.Queries {
		rest := func(t graded) float64 { return (right[t.respondent] - t.right) / (traces[t.respondent] - 1) }
		if s := items[q.ID].suspect(q, rest); len(s.Reasons) > 0 {
			r.Suspects = append(r.Suspects, s)
		}
	}
	slices.SortStableFunc(r.Suspects, func(a, b Suspect) int { return cmp.Compare(len(b.Reasons), len(a.Reasons)) })
	return r, nil
}

func (i *queryItem) add(run, model string, rec store.Record) {
	i.run = run
	refused := false
	for _, a := range rec.Answers {
		if a.Outcome == trace.Infra || a.Verdict == judge.Unscored {
			continue
		}
		right := a.Verdict == judge.Correct
		i.traces = append(i.traces, graded{respondent{run, rec.Configuration, a.Trace}, stats.Bit(right)})
		refused = refused || !right && rec.Consensus.Representative != nil && a.Trace == *rec.Consensus.Representative
		key, text := "", ""
		if a.Key != nil && a.Answer != nil {
			key, text = *a.Key, *a.Answer
		}
		if i.answers[key] == nil {
			i.answers[key] = &Answer{Answer: text, Right: right}
		}
		i.answers[key].Count++
		i.models[model] = true
	}
	if j := rec.Judgements; refused && j != nil && j.Correctness != nil && j.Correctness.Calls > 0 {
		switch j.Correctness.Verdict.Verdict {
		case judge.Correct:
			i.passed++
		case judge.Incorrect:
			i.refused++
		}
	}
}

// suspect returns the reasons to doubt a gold. rest returns the share of the other queries on which a
// respondent is right; NaN if there are no others.
func (i *queryItem) suspect(q datasets.Query, rest func(graded) float64) Suspect {
	s := Suspect{Query: q.ID, Question: q.Text, Expected: q.Expected(), Reasons: []string{},
		Answers: []Answer{}, Run: i.run}
	for _, a := range i.answers {
		s.Answers = append(s.Answers, *a)
	}
	slices.SortFunc(s.Answers, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Answer, b.Answer))
	})
	reason := func(format string, args ...any) { s.Reasons = append(s.Reasons, fmt.Sprintf(format, args...)) }
	var here, there []float64
	for _, t := range i.traces {
		if share := rest(t); !math.IsNaN(share) {
			here, there = append(here, t.right), append(there, share)
		}
	}
	n := len(here)
	if r, ok := stats.Correlation(here, there); ok && n >= Observations {
		// z gives the upper end of the correlation's one-sided 95 % interval by Fisher's z (R. A. Fisher,
		// Metron 1 (1921) 3-32).
		const z = 1.6448536269514722
		if s.ItemRest = &r; math.Tanh(math.Atanh(r)+z/math.Sqrt(float64(n)-3)) < 0 {
			reason("agents that are right on other queries are wrong on this one: item-rest correlation %.2f "+
				"over %d traces", r, n)
		}
	}
	if a := s.Answers; len(a) == 1 && !a[0].Right && a[0].Answer != "" && len(i.models) > 1 {
		reason("all %d answers of %d models are the same", a[0].Count, len(i.models))
	}
	if i.passed > i.refused {
		reason("the judge accepts %d of %d answers that the gold refuses", i.passed, i.passed+i.refused)
	}
	if i.person {
		reason("a person labelled an answer as correct that the gold refuses")
	}
	return s
}
