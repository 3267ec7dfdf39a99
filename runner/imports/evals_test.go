package imports_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/imports"
	"github.com/seed-5817661a/concur/trace"
)

// TestEvals reads a log that was written by hand in the form of OpenAI evals. Its final report says that two
// of three samples are right.
func TestEvals(t *testing.T) {
	l, err := imports.Open("testdata/openai-evals.jsonl", "", "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"gpt-4o-mini: 2 traces correct, 1 incorrect, 0 unscored, 0 lost"}, l.Counts()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{`final report of gpt-4o-mini: {"accuracy":0.6666666666666666,"boostrap_std":0.2}`}, l.Notes); d != "" {
		t.Error(d)
	}
	if q := l.Queries; len(q) != 3 || l.Name != "arithmetic.dev.v0" || q[0].Text != "2+3?" || q[0].Gold.Answer != "5" || q[2].Text != "The capital of France is" || !q[2].Gold.None {
		t.Errorf("queries %+v of %q", q, l.Name)
	}
	if u := l.Rows[0].Traces["arithmetic.dev.1"][0].Usage; u.InputTokens != 20 || u.OutputTokens != 1 {
		t.Errorf("usage %+v", u)
	}
	want := []string{
		"gpt-4o-mini arithmetic.dev.0: It is 54 (single) incorrect by import, traces inc",
		"gpt-4o-mini arithmetic.dev.1: 5 (single) correct by import, traces cor",
		"gpt-4o-mini arithmetic.dev.2: Paris (single) correct by import, traces cor",
	}
	if d := cmp.Diff(want, lines(t, saved(t, l))); d != "" {
		t.Error(d)
	}
}

// TestRunsOfEvals checks that several runs of an eval in one log are repeats, and that a run without a report
// did not finish.
func TestRunsOfEvals(t *testing.T) {
	raw, err := os.ReadFile("testdata/openai-evals.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	log := string(raw)
	again := strings.Replace(strings.ReplaceAll(log, `"sampled": ["It is 54"]`, `"sampled": ["56"]`), `"correct": false`, `"correct": true`, 1)
	unended := log[:strings.Index(log, `{"final_report"`)]
	l, err := imports.Read(strings.NewReader(log+again+unended), "openai-evals", "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"gpt-4o-mini: 7 traces correct, 2 incorrect, 0 unscored, 0 lost"}, l.Counts()); d != "" {
		t.Error(d)
	}
	if n := len(l.Rows[0].Traces["arithmetic.dev.0"]); n != 3 || !strings.HasPrefix(l.Notes[len(l.Notes)-1], "1 run has no final report") {
		t.Errorf("%d traces, notes %q", n, l.Notes)
	}
}

// eventsOf returns a log with one sample's events.
func eventsOf(events ...string) string {
	out := `{"spec": {"eval_name": "e", "completion_fns": ["m"]}}` + "\n"
	for _, e := range events {
		kind, data, _ := strings.Cut(e, " ")
		out += `{"run_id": "r", "event_id": 1, "sample_id": "s.1", "type": "` + kind + `", "data": ` + data + "}\n"
	}
	return out + `{"final_report": {}}` + "\n"
}

// TestVerdictsOfEvals checks that a sample has the verdict of its match or of the deciding metric, and that a
// grader's text is not part of the trace.
func TestVerdictsOfEvals(t *testing.T) {
	const asked, graded = `sampling {"prompt": "q", "sampled": ["a"]}`, `sampling {"prompt": "Is a right?", "sampled": ["Yes"]}`
	for name, c := range map[string]struct {
		log, score, counts, message string
		outcome                     trace.Outcome
	}{
		"graded":           {eventsOf(asked, graded, `metrics {"choice": "Y", "score": 1.0}`), "", "1 trace correct, 0 incorrect, 0 unscored, 0 lost", "a", ""},
		"graded wrong":     {eventsOf(asked, graded, `metrics {"choice": "N", "score": 0}`), "", "0 traces correct, 1 incorrect, 0 unscored, 0 lost", "a", ""},
		"nothing said":     {eventsOf(`sampling {"prompt": "q", "sampled": []}`, graded, `metrics {"score": 0}`), "", "0 traces correct, 1 incorrect, 0 unscored, 0 lost", "", ""},
		"another metric":   {eventsOf(asked, `metrics {"f1": 1.0}`), "f1", "1 trace correct, 0 incorrect, 0 unscored, 0 lost", "a", ""},
		"no such metric":   {eventsOf(asked, `metrics {"f1": 1.0}`), "", "0 traces correct, 0 incorrect, 1 unscored, 0 lost", "a", ""},
		"in part":          {eventsOf(asked, `metrics {"score": 0.5}`), "", "0 traces correct, 0 incorrect, 1 unscored, 0 lost", "a", ""},
		"an error":         {eventsOf(asked, `error {"type": "RateLimitError", "message": "slow"}`), "", "0 traces correct, 0 incorrect, 0 unscored, 1 lost", "a", trace.Infra},
		"several turns":    {eventsOf(asked, `sampling {"prompt": "q", "sampled": "b"}`, `match {"correct": true, "expected": "b"}`), "", "1 trace correct, 0 incorrect, 0 unscored, 0 lost", "b", ""},
		"unknown events":   {eventsOf(`raw_sample {"x": 1}`, asked, `extra [1]`, `match {"correct": true, "expected": null}`), "", "1 trace correct, 0 incorrect, 0 unscored, 0 lost", "a", ""},
		"asked thrice":     {eventsOf(asked, `match {"correct": true}`, asked, `match {"correct": false}`, asked, `match {"correct": true}`), "", "2 traces correct, 1 incorrect, 0 unscored, 0 lost", "a", ""},
		"list of messages": {eventsOf(`sampling {"prompt": [{"role": "user", "content": "q"}], "sampled": "a"}`, `match {"correct": true}`), "", "1 trace correct, 0 incorrect, 0 unscored, 0 lost", "a", ""},
	} {
		l, err := imports.Read(strings.NewReader(c.log), "openai-evals", c.score)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := l.Rows[0].Traces["s.1"][0]
		if counts := l.Counts()[0]; counts != "m: "+c.counts || got.Message != c.message || got.Outcome != c.outcome || l.Queries[0].Text != "q" {
			t.Errorf("%s: %s, %+v, %+v", name, counts, got, l.Queries[0])
		}
	}
}

func TestBadEvals(t *testing.T) {
	raw, err := os.ReadFile("testdata/openai-evals.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	whole := string(raw)
	_, rest, _ := strings.Cut(whole, "\n")
	for name, c := range map[string]struct{ text, want string }{
		"cut":            {whole[:len(whole)-150], "line 7: not JSON"},
		"no spec":        {rest, "line 1: it comes before the spec"},
		"only a spec":    {whole[:strings.Index(whole, "\n")], "it has no sampling"},
		"no sampling":    {eventsOf(`match {"correct": true}`), "line 2: sample s.1 has a match before any sampling"},
		"no verdict":     {eventsOf(`sampling {"sampled": "a"}`, `match {"picked": "a"}`), "line 3: sample s.1: the match does not say correct"},
		"matched twice":  {eventsOf(`sampling {"sampled": "a"}`, `match {"correct": true}`, `match {"correct": true}`), "line 4: sample s.1 has two matches"},
		"data of a text": {eventsOf(`sampling "a"`), "line 2: sample s.1: "},
		"empty":          {"\n\n", "the file is empty"},
	} {
		if _, err := imports.Read(strings.NewReader(c.text), "openai-evals", ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
