package assemble

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/resultset"
	"github.com/seed-5817661a/concur/datasets/statement"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/execution"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// TestVariants judges variants of the rows of golds, as a statement of the agent and as a table in its message.
func TestVariants(t *testing.T) {
	raw, err := os.ReadFile("testdata/variants.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var golds []struct {
		ID, SQL  string
		Ordered  bool
		Variants []struct{ Kind, Expect, SQL string }
	}
	if err := yaml.Unmarshal(raw, &golds); err != nil {
		t.Fatal(err)
	}
	d := &execution.Databases{Open: map[string]func(context.Context) (execution.Database, error){
		"sql": func(ctx context.Context) (execution.Database, error) {
			db, closer, err := New(unset, Build{}).openDatabase(ctx, "sql", config.DeclaredTool{Settings: map[string]any{"database": "testdata/variants"}})
			if closer != nil {
				t.Cleanup(func() {
					if err := closer.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			return db, err
		},
	}}
	judged, wrong := 0, 0
	for _, g := range golds {
		result, err := d.Gold(t.Context(), "", g.SQL)
		if err != nil {
			t.Fatalf("%s: %v", g.ID, err)
		}
		if statement.Ordered(g.SQL) != g.Ordered {
			t.Errorf("%s is ordered: %v", g.ID, !g.Ordered)
		}
		gold := datasets.Gold{Type: answer.Table, Answer: result.Table, Outcome: trace.Answered, Options: answer.Options{Ordered: g.Ordered}}
		for _, v := range g.Variants {
			input, _ := json.Marshal(map[string]string{"statement": variantOf(t, g.SQL, result.Table, v.SQL)}) // texts have no error
			trial, err := d.Last(t.Context(), "sql", []trace.Event{{Body: trace.Action{Name: "sql", CallID: "1", Input: input}}})
			if err != nil || len(trial.Tried) != 1 || trial.Tried[0].Error != "" {
				t.Fatalf("%s, %s: %+v, %v", g.ID, v.Kind, trial, err)
			}
			got, message := judge.Verdict{Verdict: "no_answer"}, judge.Verdict{}
			if trial.Found {
				got = judge.Gold(gold, judge.Subject{Outcome: trace.Answered, Answer: trial.Tried[0].Table})
			}
			if string(got.Verdict) != v.Expect || strings.Contains(got.Reason, "\n") {
				t.Errorf("%s, %s: %+v, want %s", g.ID, v.Kind, got, v.Expect)
			}
			final := gold.Read("These are the rows:\n```json\n"+trial.Tried[0].Table+"\n```\n", "Which rows?")
			message = judge.Gold(gold, judge.Subject{Outcome: final.Outcome, Answer: final.Short})
			if want := strings.Replace(v.Expect, "no_answer", "incorrect", 1); string(message.Verdict) != want {
				t.Errorf("%s, %s, in a message: %+v, want %s", g.ID, v.Kind, message, want)
			}
			if judged++; got.Verdict != judge.Correct {
				wrong++
			}
		}
	}
	if judged < 390 || wrong < 280 {
		t.Errorf("%d variants, of which %d are wrong", judged, wrong)
	}
}

// variantOf returns the statement of a variant.
func variantOf(t *testing.T, gold, table, rest string) string {
	rows, err := resultset.Parse(table)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range rows.Width() {
		names = append(names, fmt.Sprint("c", i+1))
	}
	return fmt.Sprintf("WITH g(%s) AS (%s), r AS (SELECT row_number() OVER () AS n, g.* FROM g) %s", strings.Join(names, ", "),
		gold, rest)
}
