package sizing_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/sizing"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// planRun is a run of K traces a query, of which so many are right as the digits say.
func planRun(rights string, k int) (store.Manifest, []store.Record) {
	var records []store.Record
	for i, right := range rights {
		r := store.Record{Configuration: "default", Query: fmt.Sprintf("q-%03d", i)}
		for j := range k {
			verdict := judge.Incorrect
			if j < int(right-'0') {
				verdict = judge.Correct
			}
			r.Answers = append(r.Answers, store.Answer{Trace: j, Outcome: trace.Answered, Verdict: verdict})
		}
		records = append(records, r)
	}
	c := config.New()
	c.K = k
	m := store.Manifest{Run: "run-1", Configurations: []store.Configuration{{Name: "default", Configuration: c}}}
	return m, records
}

// A plan by docs/method.md §5.6: 72 queries by single traces and 212 by votes at K=3.
func TestPlanFrom(t *testing.T) {
	m, records := planRun("330321332313301333320113332101", 3)
	p, err := sizing.FromRun(m, "default", all(records), .1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if p.Queries != 30 || p.K != 3 || p.AtMost || p.Clustered || p.USDPerTrace != nil || len(p.Options) != 5 || p.Schema != sizing.Schema {
		t.Errorf("%+v", p)
	}
	if o := p.Options[1]; o.K != 3 || *o.Queries != 72 || *o.Traces != 216 || *o.Votes != 212 || o.USD != nil {
		t.Errorf("%d queries, %d traces, %d by votes", *o.Queries, *o.Traces, *o.Votes)
	}
	cheapest, advised := 0, 0
	for _, o := range p.Options {
		if o.Cheapest {
			cheapest++
		}
		if o.Advised {
			advised++
		}
	}
	if cheapest != 1 || advised != 1 {
		t.Errorf("%d are cheapest, %d advised", cheapest, advised)
	}
	five, _ := sizing.FromRun(m, "default", all(records), .1, 5)
	if *five.Options[1].Queries <= 72 || five.Level != .01 {
		t.Errorf("five rows take %d queries", *five.Options[1].Queries)
	}
	m, records = planRun("1101110111", 1)
	for i := range records {
		records[i].Cluster = "a"
	}
	if one, err := sizing.FromRun(m, "default", all(records), .1, 1); err != nil || !one.AtMost || !one.Clustered {
		t.Errorf("%+v, %v", one, err)
	}
}

func TestPlanErrors(t *testing.T) {
	m, records := planRun("33", 3)
	for i := range records {
		for j := range records[i].Answers {
			records[i].Answers[j].Verdict = judge.Unscored
		}
	}
	for want, err := range map[string]error{
		"no trace of default has a verdict": second(sizing.FromRun(m, "default", all(records), .1, 1)),
		"are impossible":                    second(sizing.Stated(.9, .4, .1, 1)),
		"give a drop between 0 and that":    second(sizing.Stated(.2, .1, .3, 1)),
		"plan for 0 rows":                   second(sizing.Stated(.9, .1, .1, 0)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func second(_ sizing.Plan, err error) error { return err }

// all yields records as a run does.
func all(records []store.Record) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}
