package baseline_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

func TestRegrade(t *testing.T) {
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "+-! +-+ ++-"), fullPass(2, d, "+++ +++ ++0"))
	first, second := runNameOf(1), runNameOf(2)
	edit := func(i int, change func(*datasets.Query)) func([]datasets.Query) []datasets.Query {
		return func(q []datasets.Query) []datasets.Query { change(&q[i]); return q }
	}
	changed := func(run, query string, i int, from, to judge.Ruling) baseline.ChangedVerdict {
		return baseline.ChangedVerdict{Run: run, Query: query, Trace: i, From: from, To: to}
	}
	for name, c := range map[string]struct {
		change func([]datasets.Query) []datasets.Query
		item   gate.Item // what is looked at, by its query
		want   baseline.Regraded
	}{
		"nothing": {
			edit(0, func(*datasets.Query) {}),
			gate.Item{Query: "calc-01", History: gate.Traces{Right: 4, Wrong: 1, Infra: 1}}, baseline.Regraded{},
		},
		"another answer": {
			edit(0, func(q *datasets.Query) { q.Gold.Type, q.Gold.Answer = answer.Text, "no such thing" }),
			gate.Item{Query: "calc-01", History: gate.Traces{Right: 1, Wrong: 4, Infra: 1}},
			baseline.Regraded{Changed: []baseline.ChangedVerdict{
				changed(first, "calc-01", 0, judge.Correct, judge.Incorrect), changed(first, "calc-01", 1, judge.Incorrect, judge.Correct),
				changed(second, "calc-01", 0, judge.Correct, judge.Incorrect), changed(second, "calc-01", 1, judge.Correct, judge.Incorrect), changed(second, "calc-01", 2, judge.Correct, judge.Incorrect),
			}},
		},
		"an alias, a source": {
			edit(0, func(q *datasets.Query) { q.Gold.Aliases, q.Source = []string{"41"}, "computed" }),
			gate.Item{Query: "calc-01", History: gate.Traces{Right: 4, Wrong: 1, Infra: 1}}, baseline.Regraded{},
		},
		"other keywords": {
			edit(1, func(q *datasets.Query) { q.Gold.AllOf, q.Gold.NoneOf = nil, []string{"such"} }),
			gate.Item{Query: "hop-01", History: gate.Traces{Right: 5, Wrong: 1}}, baseline.Regraded{},
		},
		"other keywords that all have": {
			edit(1, func(q *datasets.Query) { q.Gold.AllOf = [][]string{{"found"}} }),
			gate.Item{Query: "hop-01", History: gate.Traces{Right: 6}},
			baseline.Regraded{Changed: []baseline.ChangedVerdict{changed(first, "hop-01", 1, judge.Incorrect, judge.Correct)}},
		},
		"keywords where there were none": {
			edit(0, func(q *datasets.Query) { q.Gold.NoneOf = []string{"x"} }),
			gate.Item{Query: "calc-01"},
			baseline.Regraded{
				Unusable: []baseline.Unusable{{Query: "calc-01", Runs: 2, Reason: "the gold looks for keywords in the message, which was not kept"}},
			},
		},
		"an outcome that none had": {
			edit(0, func(q *datasets.Query) { q.Gold = datasets.Gold{Outcome: trace.Abstained} }),
			gate.Item{Query: "calc-01", History: gate.Traces{Wrong: 5, Infra: 1}},
			baseline.Regraded{Changed: []baseline.ChangedVerdict{
				changed(first, "calc-01", 0, judge.Correct, judge.Incorrect),
				changed(second, "calc-01", 0, judge.Correct, judge.Incorrect), changed(second, "calc-01", 1, judge.Correct, judge.Incorrect), changed(second, "calc-01", 2, judge.Correct, judge.Incorrect),
			}},
		},
		"a condition": {
			edit(0, func(q *datasets.Query) { q.Gold.Condition = "is polite" }),
			gate.Item{Query: "calc-01"},
			baseline.Regraded{
				Unusable: []baseline.Unusable{{Query: "calc-01", Runs: 2, Reason: "the gold has a condition that only a judge can decide"}},
			},
		},
		"another question": {
			edit(0, func(q *datasets.Query) { q.Text = "What is seven times six?" }),
			gate.Item{Query: "calc-01"},
			baseline.Regraded{
				Unusable: []baseline.Unusable{{Query: "calc-01", Runs: 2, Reason: "the question was changed since its answers"}},
			},
		},
		"another conversation before it": {
			edit(0, func(q *datasets.Query) { q.History = []datasets.Turn{{Role: "user", Content: "Count in dozens."}} }),
			gate.Item{Query: "calc-01"},
			baseline.Regraded{
				Unusable: []baseline.Unusable{{Query: "calc-01", Runs: 2, Reason: "the question was changed since its answers"}},
			},
		},
		"queries come and go": {
			func(q []datasets.Query) []datasets.Query {
				return []datasets.Query{{ID: "new-01", Text: "?", Gold: q[0].Gold}, q[2]}
			},
			gate.Item{Query: "new-01"},
			baseline.Regraded{Removed: []string{"calc-01", "hop-01"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			now := smallSet(c.change)
			before := encoded(t, b)
			p, got, err := b.Pool("default", 0, 3).Regrade(now)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("regraded (-want +got):\n%s", diff)
			}
			for i, item := range p.Items {
				if item.Query != now.Queries[i].ID {
					t.Errorf("item %d is %s", i, item.Query)
				}
				if item.Query == c.item.Query && item.History != c.item.History {
					t.Errorf("history %+v, want %+v", item.History, c.item.History)
				}
			}
			if encoded(t, b) != before {
				t.Error("the baseline changed")
			}
		})
	}
}

// A run under older rules is graded again though its gold is the same.
func TestRegradeUnderNewRules(t *testing.T) {
	d := smallSet()
	text := strings.Replace(twoRuns(t), answer.Version, "norm/v0", 2) // of the facts and the first run
	text = strings.Replace(text, `"answer":"42","verdict":"correct"`, `"answer":"42","verdict":"incorrect"`, 1)
	p, got, err := parsed(t, text).Pool("default", 0, 3).Regrade(d)
	if err != nil || len(got.Changed) != 2 || got.Changed[0].Run != runNameOf(1) || got.Changed[0].To != judge.Correct {
		t.Fatalf("%+v, %v", got, err)
	}
	if p.Items[0].History != (gate.Traces{Right: 5, Wrong: 1}) {
		t.Errorf("%+v", p.Items[0])
	}
}

// Answers that norm/v2 took for one list, text or name are distinguished when their traces are
// graded again. A condition cannot be graded again by rule, so its traces no longer count.
func TestRegradeReadsStoredAnswersAnew(t *testing.T) {
	d := smallSet(func([]datasets.Query) []datasets.Query {
		return []datasets.Query{
			{ID: "list-01", Text: "Which bits?", Gold: datasets.Gold{Type: answer.List, Answer: "[0,0,0,1,1,0]", Options: answer.Options{Ordered: true}, Outcome: trace.Answered}},
			{ID: "list-02", Text: "Which digits?", Gold: datasets.Gold{Type: answer.List, Answer: "[1, 6]", Outcome: trace.Answered}},
			{ID: "tone-01", Text: "Hello?", Gold: datasets.Gold{Outcome: trace.Answered, Condition: "is polite"}},
		}
	})
	run := fullPass(1, d, "++ ++ ++")
	run.Manifest.Versions = map[string]string{"norm": "norm/v2"}
	for i, said := range [][2]string{{"[0,0,0,1,1,0]", "[0,0,1,1,1,1]"}, {"[6.0, 1.0]", "1 and 6"}} {
		for t := range said {
			run.Records[i].Answers[t].Answer = &said[t]
		}
	}
	p, got, err := parsed(t, encoded(t, accepted(t, d, run))).Pool("default", 0, 3).Regrade(d)
	if err != nil || len(got.Changed) != 1 || got.Changed[0].Query != "list-01" || got.Changed[0].Trace != 1 || got.Changed[0].To != judge.Incorrect {
		t.Fatalf("%+v, %v", got, err)
	}
	if len(got.Unusable) != 1 || got.Unusable[0].Query != "tone-01" {
		t.Errorf("%+v", got)
	}
	if p.Items[0].History != of(1, 2) || p.Items[1].History != of(2, 2) || p.Items[2].History.Scored() != 0 {
		t.Errorf("%+v", p.Items)
	}
}

// What somebody wrote into the file is not believed, where the answer tells.
func TestRegradeFindsEditedVerdicts(t *testing.T) {
	d := smallSet(func(q []datasets.Query) []datasets.Query {
		return append(q, datasets.Query{ID: "tone-01", Text: "Hello?", Gold: datasets.Gold{Outcome: trace.Answered, Condition: "is polite"}})
	})
	text := encoded(t, accepted(t, d, fullPass(1, d, "+-- +++ +++ +++"), fullPass(2, d, "+++ +++ +++ +++")))
	edited := strings.ReplaceAll(text, `"answer":"no such thing","verdict":"incorrect"`, `"answer":"no such thing","verdict":"correct"`)
	edited = strings.Replace(edited, `{"outcome":"refused","verdict":"correct","times":3}`, `{"outcome":"refused","verdict":"incorrect"},{"outcome":"refused","verdict":"correct","times":2}`, 1)
	lines := strings.SplitAfter(edited, "\n")
	// Of the condition, which nobody can decide here.
	lines[10] = strings.Replace(lines[10], `"verdict":"correct"`, `"verdict":"incorrect"`, 1)
	p, got, err := parsed(t, strings.Join(lines, "")).Pool("default", 0, 3).Regrade(d)
	if err != nil || len(got.Unusable) > 0 || len(got.Changed) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	want := "the present gold and rules (" + answer.Version + ") change the verdict on 3 stored traces of the baseline, first calc-01 of run 20260301T090000-small-0a0b: correct, now incorrect"
	if w := got.Warnings(); len(w) != 1 || w[0] != want {
		t.Errorf("warnings %q", w)
	}
	if p.Items[0].History != of(4, 6) || p.Items[2].History != of(6, 6) || p.Items[3].History != of(3, 6) {
		t.Errorf("%+v", p.Items)
	}
	// A message that was not kept leaves what is stored.
	bare := strings.ReplaceAll(text, `,"message":"As I found: Tolstoy."`, "")
	p, got, err = parsed(t, bare).Pool("default", 0, 3).Regrade(d)
	if err != nil || len(got.Changed)+len(got.Unusable) > 0 || p.Items[1].History != of(6, 6) {
		t.Errorf("without messages %+v, %v", got, err)
	}
}

func TestRegradeTellsAll(t *testing.T) {
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "+-+ +++ ++-"))
	now := smallSet(func(q []datasets.Query) []datasets.Query {
		q[0].Gold.Answer = "no such thing"
		q[0].Gold.Type = answer.Text
		q[1].Text = "Who wrote this?"
		q[2].ID = "new-01"
		return q
	})
	_, got, err := b.Pool("default", 0, 3).Regrade(now)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"the present gold and rules (" + answer.Version + ") change the verdict on 3 stored traces of the baseline, first calc-01 of run 20260301T090000-small-0a0b: correct, now incorrect",
		"hop-01 has no history from 1 run: the question was changed since its answers",
		"removed since the accepted runs: 1 query (safety-01)",
	}
	if diff := cmp.Diff(want, got.Warnings()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	_, none, err := b.Pool("other", 0, 3).Regrade(now)
	if err != nil || len(none.Warnings()) > 0 {
		t.Errorf("an empty pool warns of %q, %v", none.Warnings(), err)
	}
}

func TestRegradeNamesAnotherDataset(t *testing.T) {
	d := smallSet()
	d.Name = "large" // a renamed dataset is the same one
	if _, _, err := parsed(t, twoRuns(t)).Pool("default", 0, 3).Regrade(d); err != nil {
		t.Error(err)
	}
	d = smallSet(func(q []datasets.Query) []datasets.Query { // renamed, and grown
		return append(q, datasets.Query{ID: "new-01", Text: "?", Gold: q[0].Gold})
	})
	d.Name = "large"
	if _, _, err := parsed(t, twoRuns(t)).Pool("default", 0, 3).Regrade(d); err != nil {
		t.Error(err)
	}
	d = smallSet(func(q []datasets.Query) []datasets.Query {
		q[0].Text, q[1].Text = "a?", "b?"
		return q
	})
	d.Name = "large"
	_, _, err := parsed(t, twoRuns(t)).Pool("default", 0, 3).Regrade(d)
	if err == nil || !strings.Contains(err.Error(), "is over the dataset small, but large shares") {
		t.Error(err)
	}
}
