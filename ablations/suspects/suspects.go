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
	"github.com/seed-5817661a/concur/runner/trace"
)

// Schema names the JSON form of Report.
const Schema = "concur/suspects/v1"

// Observations is the least number of traces of a query for an item-rest correlation.
const Observations = 8

// Report lists the golds that are probably wrong, those with most reasons first.
type Report struct {
	Schema   string    `json:"schema"`
	Dataset  string    `json:"dataset"`
	Runs     []string  `json:"runs"`
	Traces   int       `json:"traces"` // that were graded by the dataset's golds
	Models   []string  `json:"models"`
	Suspects []Suspect `json:"suspects"`
	// Other counts the records that asked or expected something else than the dataset does now.
	Other int `json:"other"`
}

// Suspect is a gold that is probably wrong.
type Suspect struct {
	Query    string   `json:"query"`
	Question string   `json:"question"`
	Expected string   `json:"expected"`
	Reasons  []string `json:"reasons"`
	// ItemRest is the correlation between a trace of this query being right and the share of the
	// other queries on which the same agent's trace is right; nil below Observations traces, and
	// where either does not vary.
	ItemRest *float64 `json:"item_rest"`
	Answers  []Answer `json:"answers"` // the most frequent first
	Runs     int      `json:"runs"`    // in which it was asked
	Run      string   `json:"run"`     // one of them, to look at
}

// Answer is what traces said to a query.
type Answer struct {
	Answer string `json:"answer"` // "" for none
	Count  int    `json:"count"`
	Models int    `json:"models"`
	Right  bool   `json:"right"` // by the gold
}

// respondent is one trace index of one configuration in one run.
type respondent struct {
	run, configuration string
	trace              int
}

// item is what is known of one query.
type item struct {
	right           map[respondent]bool // by the gold
	answers         map[string]*Answer  // by key
	models          map[string]map[string]bool
	runs            map[string]bool
	run             string
	passed, refused int // by the correctness judge, where the gold refuses
	person          bool
}

// Find looks at the golds of a dataset through runs of it. It is an error if a run has none of
// its queries.
func Find(d *datasets.Dataset, runs []*store.Run) (*Report, error) {
	r := &Report{Schema: Schema, Dataset: d.Name, Runs: []string{}, Models: []string{}, Suspects: []Suspect{}}
	hashes := map[string]string{}
	for _, q := range d.Queries {
		hashes[q.ID] = q.Hash()
	}
	items := map[string]*item{}
	totals := map[respondent][2]int{} // right, of
	for _, run := range runs {
		r.Runs = append(r.Runs, run.Manifest.Run)
		models := map[string]string{}
		for _, c := range run.Manifest.Configurations {
			models[c.Name] = c.Model
		}
		known := 0
		for rec, err := range run.Records() {
			if err != nil {
				return nil, err
			}
			if hashes[rec.Query] == "" || hashes[rec.Query] != rec.QueryHash {
				r.Other++
				continue
			}
			known++
			if items[rec.Query] == nil {
				items[rec.Query] = &item{right: map[respondent]bool{}, answers: map[string]*Answer{}, models: map[string]map[string]bool{}, runs: map[string]bool{}}
			}
			model := models[rec.Configuration]
			if !slices.Contains(r.Models, model) {
				r.Models = append(r.Models, model)
			}
			for who, right := range items[rec.Query].add(run.Manifest.Run, model, rec) {
				t := totals[who]
				t[1]++
				if r.Traces++; right {
					t[0]++
				}
				totals[who] = t
			}
		}
		if known == 0 {
			return nil, fmt.Errorf("run %s has no query of %s with the same text and gold: name the dataset that it ran, or a run of this one", run.Manifest.Run, d.Name)
		}
	}
	slices.Sort(r.Models)
	for _, q := range d.Queries {
		if i := items[q.ID]; i != nil {
			if s := i.suspect(q, totals, len(r.Models)); len(s.Reasons) > 0 {
				r.Suspects = append(r.Suspects, s)
			}
		}
	}
	slices.SortStableFunc(r.Suspects, func(a, b Suspect) int { return cmp.Compare(len(b.Reasons), len(a.Reasons)) })
	return r, nil
}

// add counts a record, and gives the gold's verdict on each of its traces that count.
func (i *item) add(run, model string, rec store.Record) map[respondent]bool {
	out := map[respondent]bool{}
	i.runs[run], i.run = true, run
	var labelled *string // the key of the answer that a person labelled
	if l := rec.Label; l != nil && l.Verdict != judge.Unscored {
		i.person = i.person || l.Verdict == judge.Correct && l.Before.By == judge.ByGold && l.Before.Verdict == judge.Incorrect
		for _, a := range rec.Answers {
			if a.Trace == l.Trace {
				labelled = a.Key
			}
		}
	}
	refused := false
	for _, a := range rec.Answers {
		if a.Outcome == trace.Infra || a.Verdict == judge.Unscored {
			continue
		}
		if labelled != nil && a.Key != nil && *a.Key == *labelled && rec.Label.Before.By == judge.ByGold {
			a.Verdict = rec.Label.Before.Verdict // the gold's, which the label replaced
		}
		right := a.Verdict == judge.Correct
		who := respondent{run, rec.Configuration, a.Trace}
		out[who], i.right[who] = right, right
		refused = refused || !right && rec.Consensus.Representative != nil && a.Trace == *rec.Consensus.Representative
		key, text := "", ""
		if a.Key != nil && a.Answer != nil {
			key, text = *a.Key, *a.Answer
		}
		if i.answers[key] == nil {
			i.answers[key], i.models[key] = &Answer{Answer: text, Right: right}, map[string]bool{}
		}
		i.answers[key].Count++
		i.models[key][model] = true
	}
	if j := rec.Judgements; refused && j != nil && j.Correctness != nil && j.Correctness.Calls > 0 {
		switch j.Correctness.Verdict.Verdict {
		case judge.Correct:
			i.passed++
		case judge.Incorrect:
			i.refused++
		}
	}
	return out
}

func (i *item) suspect(q datasets.Query, totals map[respondent][2]int, models int) Suspect {
	s := Suspect{Query: q.ID, Question: q.Text, Expected: q.Gold.Expected(), Reasons: []string{}, Answers: []Answer{}, Runs: len(i.runs), Run: i.run}
	for key, a := range i.answers {
		a.Models = len(i.models[key])
		s.Answers = append(s.Answers, *a)
	}
	slices.SortFunc(s.Answers, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Answer, b.Answer))
	})
	if r, high, ok := i.itemRest(totals); ok {
		if s.ItemRest = &r; high < 0 {
			s.Reasons = append(s.Reasons, fmt.Sprintf("agents that are right elsewhere are wrong here: item-rest correlation %.2f over %d traces", r, len(i.right)))
		}
	}
	if a := s.Answers; len(a) == 1 && !a[0].Right && a[0].Answer != "" && a[0].Models > 1 {
		s.Reasons = append(s.Reasons, fmt.Sprintf("all %d answers of %d models are the same", a[0].Count, a[0].Models))
	}
	if i.passed > i.refused {
		s.Reasons = append(s.Reasons, fmt.Sprintf("the judge accepts %d of %d answers that the gold refuses", i.passed, i.passed+i.refused))
	}
	if i.person {
		s.Reasons = append(s.Reasons, "a person labelled an answer as correct that the gold refuses")
	}
	return s
}

// itemRest is the correlation of a query with the rest, and the upper end of its one-sided 95 %
// interval by Fisher's z (R. A. Fisher, Metron 1 (1921) 3-32).
func (i *item) itemRest(totals map[respondent][2]int) (r, high float64, ok bool) {
	var right, rest []float64
	for _, who := range slices.SortedFunc(maps.Keys(i.right), func(a, b respondent) int {
		return cmp.Or(cmp.Compare(a.run, b.run), cmp.Compare(a.configuration, b.configuration), cmp.Compare(a.trace, b.trace))
	}) {
		here, t := 0, totals[who]
		if i.right[who] {
			here = 1
		}
		if t[1] > 1 {
			right, rest = append(right, float64(here)), append(rest, float64(t[0]-here)/float64(t[1]-1))
		}
	}
	if len(right) < Observations {
		return 0, 0, false
	}
	if r, ok = stats.Correlation(right, rest); !ok {
		return 0, 0, false
	}
	const z = 1.6448536269514722 // of 95 %, one-sided
	return r, math.Tanh(math.Atanh(r) + z/math.Sqrt(float64(len(right))-3)), true
}
