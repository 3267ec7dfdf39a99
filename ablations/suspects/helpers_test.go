package suspects_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// dataset has the queries q1 to q5, whose golds are their numbers.
func dataset(t *testing.T) *datasets.Dataset {
	t.Helper()
	var queries []datasets.Query
	for i := 1; i <= 5; i++ {
		queries = append(queries, datasets.Query{ID: fmt.Sprint("q", i), Text: fmt.Sprint("Number ", i, "?"), Gold: datasets.Gold{Type: answer.Integer, Answer: fmt.Sprint(i), Outcome: trace.Answered}})
	}
	return datasets.New("numbers", queries)
}

// runs are one run for each model, of one trace, that is right on some queries. judged says what
// a correctness judge ruled on a query.
func runs(t *testing.T, d *datasets.Dataset, models []string, right [][]bool, judged map[string]bool) []*store.Run {
	t.Helper()
	dir := t.TempDir()
	start := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	var out []*store.Run
	for i, name := range models {
		conf := config.New()
		conf.Name, conf.Model, conf.K = "", name, 1
		w, err := store.Create(dir, store.Manifest{
			Run: fmt.Sprint("run-", i), Start: start, Dataset: store.Dataset{Queries: len(d.Queries)},
			Configurations: []store.Configuration{{Name: "default", Configuration: conf}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for n, q := range d.Queries {
			text, first, v := "wrong", 0, judge.Incorrect
			if right[i][n] {
				text, v = q.Gold.Answer, judge.Correct
			}
			rec := store.Record{
				Configuration: "default", Query: q.ID, Question: q.Text, QueryHash: q.Hash(), Consensus: consensus.Decision{Representative: &first},
				Answers: []store.Answer{{Answer: &text, Key: &text, Outcome: trace.Answered, Verdict: v}},
				Verdict: judge.Verdict{Verdict: v, By: judge.ByGold},
			}
			if passes, asked := judged[q.ID]; asked {
				said := judge.Incorrect
				if passes {
					said = judge.Correct
				}
				j := &judge.CorrectnessJudgement{Verdict: judge.Verdict{Verdict: said, By: judge.ByCorrectness}}
				j.Calls = 1
				rec.Judgements = &store.Judgements{Correctness: j}
			}
			w.Record(rec)
		}
		if err := w.Finish(store.Complete, start); err != nil {
			t.Fatal(err)
		}
		run, err := store.Open(w.Dir())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, run)
	}
	return out
}
