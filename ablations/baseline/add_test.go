package baseline_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

func TestBaselineFile(t *testing.T) {
	d := smallSet()
	first := fullPass(2, d, "++0 +-+ ++!")
	first.Manifest.Versions = map[string]string{"norm": "norm/v1", "concur": "test"}
	b := accepted(t, d, first)
	second := fullPass(1, d, "+++ +++ +++")
	second.Manifest.Versions = map[string]string{"norm": "norm/v1", "concur": "test"}
	usd, commit := 0.25, "9f8e"
	second.Records[0].Usage.Call(store.AgentRole, 3, second.Records[0].Usage.Usage, &usd)
	second.Manifest.GitCommit = &commit
	err := b.Add(baseline.Candidate{
		Pass: second, Decision: gate.Regression,
		Override: &baseline.Override{Reason: "the provider's <outage>", Author: "ann"},
	}, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Reset(baseline.Reset{Configuration: "default", Time: onDay(2), Author: "bob", Reason: "new prompt", Keep: []string{runNameOf(1)}}); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/baseline.jsonl", encoded(t, b))
	if again := encoded(t, parsed(t, encoded(t, b))); again != encoded(t, b) {
		t.Errorf("read and written again it is\n%s", again)
	}
}

const (
	digestA = "0123456789abcdef0123456789abcdef"
	digestB = "123456789abcdef0123456789abcdef0"
)

func TestAddRefuses(t *testing.T) {
	d := smallSet()
	reason := &baseline.Override{Reason: "false alarm", Author: "ann"}
	changed := func(q []datasets.Query) []datasets.Query {
		q[0].Gold.Answer = "43"
		return q
	}
	for name, c := range map[string]struct {
		change func(*baseline.Candidate)
		want   string // "" where it is accepted
	}{
		"there already":      {func(c *baseline.Candidate) { c.Pass = fullPass(1, d, "+++ +++ +++") }, "is in the baseline already"},
		"a replay":           {func(c *baseline.Candidate) { c.Manifest.ReplayOf = "the-run" }, "use that run"},
		"a query short":      {func(c *baseline.Candidate) { c.Records = c.Records[:2] }, "it has records of 2 queries, and the dataset has 3"},
		"interrupted":        {func(c *baseline.Candidate) { c.Manifest.State = store.Interrupted }, "concur run --resume"},
		"stopped early":      {func(c *baseline.Candidate) { c.Records[1].Answers = c.Records[1].Answers[:2] }, "hop-01 (2 of 3)"},
		"a part":             {func(c *baseline.Candidate) { c.Manifest.Dataset.Of = 9 }, "over 3 of the 9 queries"},
		"an older dataset":   {func(c *baseline.Candidate) { c.Pass = fullPass(2, smallSet(changed), "+++ +++ +++") }, "run again over the dataset as it is now"},
		"another hash":       {func(c *baseline.Candidate) { c.Manifest.Dataset.Hash = "sha256:11" }, "(sha256:11, now sha256:"},
		"the same traces":    {func(c *baseline.Candidate) { c.Deterministic = true; c.Manifest.Seed = 1 }, "deterministic"},
		"deterministic, new": {func(c *baseline.Candidate) { c.Deterministic = true }, ""},
		"sampled, same seed": {func(c *baseline.Candidate) { c.Manifest.Seed = 1 }, ""},
		"a trace lost":       {func(c *baseline.Candidate) { c.Pass = fullPass(2, d, "++! +++ +++") }, "it is INVALID: it lost 1 of 9 traces to the infrastructure (calc-01), more than 2 %: run them again with `concur run --resume " + runNameOf(2) + " --retry-failed`"},
		"a query lost":       {func(c *baseline.Candidate) { c.Pass = fullPass(2, d, "!!! +++ +++") }, "it has no valid trace of calc-01"},
		"lost by hand":       {func(c *baseline.Candidate) { c.Pass, c.Decision = fullPass(2, d, "++! +++ +++"), "" }, "it is INVALID"},
		"lost, but":          {func(c *baseline.Candidate) { c.Pass, c.Override = fullPass(2, d, "!!! +++ +++"), reason }, ""},
		"two percent lost": {func(c *baseline.Candidate) {
			c.Pass = fullPass(2, d, strings.Repeat("+", 19)+"! "+strings.Repeat("+", 20)+" "+strings.Repeat("+", 20))
		}, ""},
		"two models": {func(c *baseline.Candidate) { c.Models = []string{"m-1", "m-2"} }, "the replies come from 2 models (m-1, m-2)"},
		"a copy": {func(c *baseline.Candidate) {
			c.Digest = digestA
		}, "are identical to those of run " + runNameOf(1) + ": they are the same traces"},
		"deterministic, the same replies to another seed": {func(c *baseline.Candidate) { c.Digest, c.Deterministic = digestA, true }, ""},
		"another digest": {func(c *baseline.Candidate) { c.Digest = digestB }, ""},
		"by hand":        {func(c *baseline.Candidate) { c.Decision = "" }, ""},
		"open":           {func(c *baseline.Candidate) { c.Decision = gate.Inconclusive }, "its gate decided INCONCLUSIVE, not only for lack of history"},
		"open, but":      {func(c *baseline.Candidate) { c.Decision, c.Override = gate.Inconclusive, reason }, ""},
		"bootstrap":      {func(c *baseline.Candidate) { c.Decision, c.Bootstrap = gate.Inconclusive, true }, ""},
		"renamed":        {func(c *baseline.Candidate) { c.Manifest.Dataset.Name = "large" }, ""},
		"fresh":          {func(c *baseline.Candidate) { c.Manifest.FreshOf = "the-run" }, "use that run"},
		"regression":     {func(c *baseline.Candidate) { c.Decision = gate.Regression }, "its gate decided REGRESSION"},
		"drift":          {func(c *baseline.Candidate) { c.Decision = gate.Drift }, "its gate decided DRIFT"},
		"invalid":        {func(c *baseline.Candidate) { c.Decision = gate.Invalid }, "its gate decided INVALID"},
		"false alarm":    {func(c *baseline.Candidate) { c.Decision, c.Override = gate.Regression, reason }, ""},
		"no reason": {func(c *baseline.Candidate) {
			c.Decision, c.Override = gate.Regression, &baseline.Override{Reason: " ", Author: "ann"}
		}, "an override needs a reason and an author: give both"},
	} {
		t.Run(name, func(t *testing.T) {
			first := fullPass(1, d, "+++ +++ +++")
			first.Digest = digestA
			b := accepted(t, d, first)
			before := encoded(t, b)
			candidate := baseline.Candidate{Pass: fullPass(2, d, "+++ +++ +++"), Decision: gate.Pass}
			c.change(&candidate)
			err := b.Add(candidate, d)
			switch {
			case c.want == "" && err != nil:
				t.Fatal(err)
			case c.want == "" && len(b.Runs) != 2:
				t.Errorf("%d runs", len(b.Runs))
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %q in it", err, c.want)
			case c.want != "" && encoded(t, b) != before:
				t.Error("the baseline changed")
			}
		})
	}
}

func TestReset(t *testing.T) {
	d := smallSet()
	pass := func(day int) baseline.Pass { return fullPass(day, d, "+++ +++ +++") }
	b := accepted(t, d, pass(1), pass(2), pass(3))
	good := baseline.Reset{Configuration: "default", Time: onDay(3), Author: "ann", Reason: "new prompt", Keep: []string{runNameOf(2)}}
	for name, change := range map[string]func(*baseline.Reset){
		"an author":             func(r *baseline.Reset) { r.Author = "" },
		"a reason":              func(r *baseline.Reset) { r.Reason = " " },
		`configuration "other"`: func(r *baseline.Reset) { r.Configuration, r.Keep = "other", nil },
		`no run "no-such"`:      func(r *baseline.Reset) { r.Keep = []string{"no-such"} },
	} {
		r := good
		change(&r)
		if err := b.Reset(r); err == nil || !strings.Contains(err.Error(), name) || len(b.Resets) > 0 {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := b.Reset(good); err != nil {
		t.Fatal(err)
	}
	b = parsed(t, encoded(t, b))
	if got := b.Pool("default", 0, 3); len(got.Runs) != 2 || got.Runs[0].Run != runNameOf(2) || got.Items[0].History != (gate.Traces{Right: 6}) {
		t.Errorf("after the reset the pool is %+v", got)
	}
	early := good
	early.Time = onDay(1)
	if err := b.Reset(early); err == nil || !strings.Contains(err.Error(), "there is a later reset") {
		t.Errorf("an earlier reset: %v", err)
	}
	late := fullPass(2, d, "+++ +++ +++")
	late.Manifest.Run += "-other"
	if err := b.Add(baseline.Candidate{Pass: late}, d); err == nil || !strings.Contains(err.Error(), "began before the reset") {
		t.Errorf("a run from before the reset: %v", err)
	}
	// What the reset has set aside is no reason to refuse the same traces.
	same := pass(4)
	same.Manifest.Seed, same.Deterministic = 1, true
	if err := b.Add(baseline.Candidate{Pass: same}, d); err != nil {
		t.Error(err)
	}
}

// Message and verdict of a failure through the infrastructure stay what they are.
func TestAddKeepsTraces(t *testing.T) {
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "++0 +-! ++-"))
	q := b.Runs[0].Queries
	if q[0].Traces[0].Message != nil || q[1].Traces[0].Message == nil {
		t.Error("the message is kept where the gold looks for keywords, and nowhere else")
	}
	if q[0].Traces[2].Verdict != judge.Incorrect || q[1].Traces[2].Verdict != judge.Unscored || q[1].Traces[2].Answer != nil {
		t.Errorf("%+v", q)
	}
	if b.Runs[0].Correct != 2 || *b.Runs[0].P95S != 3 {
		t.Errorf("%d correct, p95 %v", b.Runs[0].Correct, *b.Runs[0].P95S)
	}
}
