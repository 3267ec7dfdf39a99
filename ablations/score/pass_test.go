package score_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/score"
)

// recording are twelve queries of five answers; those of the first query are given.
func recording(first string) string {
	out := line(0, "yes", first)
	for id := 1; id < 12; id++ {
		out += "\n" + line(id, "yes", "yes yes yes yes yes")
	}
	return out
}

// gated compares a recording of a day with those of the days before.
func gated(t *testing.T, b *baseline.Baseline, text string, day int, o score.Options) (confirm.Case, error) {
	t.Helper()
	o.Records = true
	pass, data := read(t, text, o).Pass(time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC))
	c := confirm.Case{Pass: pass, Data: data, Baseline: b}
	return c, c.Prepare()
}

// A recording is compared with the accepted ones, as far as that goes without fresh answers.
func TestGate(t *testing.T) {
	b := &baseline.Baseline{}
	for day := range 3 {
		c, err := gated(t, b, recording("yes yes yes yes yes"), 1+day, score.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out := gate.Decide(c.Evidence, gate.Options{AnswersOnly: true})
		if err := b.Add(baseline.Candidate{Pass: c.Pass, Decision: out.Decision, Bootstrap: out.Bootstrap}, c.Data); err != nil {
			t.Fatal(err)
		}
	}
	for answers, want := range map[string]string{
		"yes yes yes yes yes":  "PASS no test finds a loss",
		"no null no null yes":  "INCONCLUSIVE 3 fresh traces of 1 query (0) are needed, which recorded answers cannot give",
		"yes no yes yes maybe": "INCONCLUSIVE 3 fresh traces",
	} {
		c, err := gated(t, b, recording(answers), 9, score.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out := gate.Decide(c.Evidence, gate.Options{AnswersOnly: true})
		if got := fmt.Sprint(out.Decision, " ", out.Reasons[0]); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", answers, got)
		}
		if it := c.Evidence.Items[0]; it.History.Right != 15 || it.Current.Right != strings.Count(answers, "yes") || it.Current.Scored() != 5 {
			t.Errorf("%s: %+v", answers, it)
		}
	}

	// The same recording again, and one that is graded otherwise.
	if _, err := gated(t, b, recording("yes yes yes yes yes"), 3, score.Options{}); err == nil || !strings.Contains(err.Error(), "already in the baseline") {
		t.Errorf("the same file: %v", err)
	}
	if _, err := gated(t, b, recording("yes yes yes yes yes"), 9, score.Options{Norm: score.NormSQuAD}); err == nil || !strings.Contains(err.Error(), "no runs of configuration") {
		t.Errorf("another norm: %v", err)
	}

	// A query with another gold has no history; an accepted verdict is otherwise believed.
	c, err := gated(t, b, strings.Replace(recording("yes yes yes yes yes"), `"gold":"yes"`, `"gold":"no"`, 1), 9, score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if h := c.Evidence.Items[0].History; h.All() != 0 || c.Evidence.Items[1].History.Right != 15 {
		t.Errorf("%+v, %+v", h, c.Evidence.Items[1].History)
	}
	if len(c.Evidence.Warnings) == 0 || !strings.Contains(c.Evidence.Warnings[0], "recorded elsewhere and graded by norm none, and the gold was changed") {
		t.Errorf("%q", c.Evidence.Warnings)
	}
}
