package gate_test

import (
	"strings"
	"testing"

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
	again := fullPass(3, d, "+-+ +++ +++")
	err := b.Add(gate.Candidate{
		Passes: []gate.RunPass{second, again}, Decision: gate.Regression,
		Override: &gate.Override{Reason: "the provider's <outage>", Author: "ann"},
	}, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Reset(gate.Reset{Configuration: "default", Time: onDay(2), Author: "bob", Reason: "new prompt", Keep: []string{runNameOf(1)}}); err != nil {
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
	reason := &gate.Override{Reason: "false alarm", Author: "ann"}
	changed := func(q []datasets.Query) []datasets.Query {
		q[0].Gold.Answer = "43"
		return append(q[:2], datasets.Query{ID: "new-01", Text: "?", Gold: q[0].Gold})
	}
	for name, c := range map[string]struct {
		change func(*gate.Candidate)
		want   string // "" where it is accepted
	}{
		"nothing":             {func(c *gate.Candidate) { c.Passes = nil }, "there is no pass"},
		"there already":       {func(c *gate.Candidate) { c.Passes[0] = fullPass(1, d, "+++ +++ +++") }, "is there already"},
		"a replay":            {func(c *gate.Candidate) { c.Passes[0].Manifest.ReplayOf = "the-run" }, "add that run"},
		"interrupted":         {func(c *gate.Candidate) { c.Passes[0].Manifest.State = store.Interrupted }, "concur run --resume"},
		"stopped early":       {func(c *gate.Candidate) { c.Passes[0].Records[1].Answers = c.Passes[0].Records[1].Answers[:2] }, "hop-01 (2 of 3)"},
		"traces out of order": {func(c *gate.Candidate) { c.Passes[0].Records[1].Answers[0].Trace = 2 }, "hop-01 (3 of 3)"},
		"a part":              {func(c *gate.Candidate) { c.Passes[0].Manifest.Dataset.Of = 9 }, "over 3 of the 9 queries"},
		"another dataset":     {func(c *gate.Candidate) { c.Passes[0].Manifest.Dataset.Name = "large" }, "over the dataset large, and this is small"},
		"an older dataset":    {func(c *gate.Candidate) { c.Passes[0] = fullPass(2, smallSet(changed), "+++ +++ +++") }, "only the dataset has safety-01; only the run has new-01"},
		"another gold":        {func(c *gate.Candidate) { c.Passes[0].Records[0].QueryHash = "sha256:11" }, "changed since: calc-01"},
		"another hash":        {func(c *gate.Candidate) { c.Passes[0].Manifest.Dataset.Hash = "sha256:11" }, "(sha256:11, now sha256:"},
		"two records":         {func(c *gate.Candidate) { c.Passes[0].Records[1].Query = "calc-01" }, "query calc-01 has two records"},
		"no such row":         {func(c *gate.Candidate) { c.Configuration = "other" }, `no configuration "other": name one of default`},
		"which row": {func(c *gate.Candidate) {
			m := &c.Passes[0].Manifest
			m.Configurations = append(m.Configurations, store.Configuration{Name: "x"})
		}, "name one of default, x"},
		"the same traces":             {func(c *gate.Candidate) { c.Deterministic = true; c.Passes[0].Manifest.Seed = 1 }, "deterministic"},
		"deterministic, new":          {func(c *gate.Candidate) { c.Deterministic = true }, ""},
		"sampled, same seed":          {func(c *gate.Candidate) { c.Passes[0].Manifest.Seed = 1 }, ""},
		"replicated by what is there": {func(c *gate.Candidate) { c.Passes = append(c.Passes, fullPass(1, d, "+++ +++ +++")) }, "is there already, in run "},
		"replicated by itself":        {func(c *gate.Candidate) { c.Passes = append(c.Passes, c.Passes[0]) }, "are the same traces"},
		"replicated with its seed": {func(c *gate.Candidate) {
			c.Deterministic = true
			c.Passes = append(c.Passes, fullPass(3, d, "+++ +++ +++"))
			c.Passes[1].Manifest.Seed = 2
		}, "are the same traces"},
		"sampled, and replicated with its seed": {func(c *gate.Candidate) {
			c.Passes = append(c.Passes, fullPass(3, d, "+++ +++ +++"))
			c.Passes[1].Manifest.Seed = 2
		}, ""},
		"another agent's replication": {func(c *gate.Candidate) {
			c.Passes = append(c.Passes, fullPass(3, d, "+++ +++ +++"))
			c.Passes[1].Manifest.Configurations[0].Agent = "4e4e"
		}, "a replication is of the same agent"},
		"a trace lost": {func(c *gate.Candidate) { c.Passes[0] = fullPass(2, d, "++! +++ +++") }, "it is INVALID, and no evidence: it lost 1 of 9 traces to the infrastructure (calc-01), more than 2 %; run them again with `concur run --resume " + runNameOf(2) + " --retry-failed`"},
		"a query lost": {func(c *gate.Candidate) { c.Passes[0] = fullPass(2, d, "!!! +++ +++") }, "it has no valid trace of calc-01"},
		"lost by hand": {func(c *gate.Candidate) { c.Passes[0], c.Decision = fullPass(2, d, "++! +++ +++"), "" }, "it is INVALID"},
		"lost, but":    {func(c *gate.Candidate) { c.Passes[0], c.Override = fullPass(2, d, "!!! +++ +++"), reason }, ""},
		"two percent lost": {func(c *gate.Candidate) {
			c.Passes[0] = fullPass(2, d, strings.Repeat("+", 19)+"! "+strings.Repeat("+", 20)+" "+strings.Repeat("+", 20))
		}, ""},
		"a replication that lost traces": {func(c *gate.Candidate) { c.Passes = append(c.Passes, fullPass(3, d, "+++ ++! +++")) }, "replication " + runNameOf(3) + " lost 1 of 9"},
		"two models":                     {func(c *gate.Candidate) { c.Passes[0].Models = []string{"m-1", "m-2"} }, "its replies come from 2 models (m-1, m-2)"},
		"a replication of another model": {func(c *gate.Candidate) {
			c.Passes = append(c.Passes, fullPass(3, d, "+++ +++ +++"))
			c.Passes[1].Models = []string{"reader/v3"}
		}, "its replies come from 2 models (reader/v2, reader/v3)"},
		"a copy": {func(c *gate.Candidate) {
			c.Passes[0].Digest = digestA
			c.Passes[0].Manifest.Configurations[0].Model = "openai:other"
		}, "are those in run " + runNameOf(1) + " to the byte: the same traces again"},
		"deterministic, the same replies to another seed": {func(c *gate.Candidate) { c.Passes[0].Digest, c.Deterministic = digestA, true }, ""},
		"another digest": {func(c *gate.Candidate) { c.Passes[0].Digest = digestB }, ""},
		"replicated by a copy": {func(c *gate.Candidate) {
			c.Passes = append(c.Passes, fullPass(3, d, "+++ +++ +++"))
			c.Passes[0].Digest, c.Passes[1].Digest = digestB, digestB
		}, "are the same traces"},
		"replicated": {func(c *gate.Candidate) {
			c.Passes = append(c.Passes, fullPass(3, d, "+++ +++ +++"))
		}, ""},
		"another K": {func(c *gate.Candidate) { c.Passes = append(c.Passes, fullPass(3, d, "++ ++ ++")) }, "has 2 traces per query"},
		"by hand":   {func(c *gate.Candidate) { c.Decision = "" }, ""},
		"open":      {func(c *gate.Candidate) { c.Decision = gate.Inconclusive }, "its gate said INCONCLUSIVE, and not for lack of history alone"},
		"open, but": {func(c *gate.Candidate) { c.Decision, c.Override = gate.Inconclusive, reason }, ""},
		"bootstrap": {func(c *gate.Candidate) {
			c.Decision, c.Decisions = gate.Inconclusive, []gate.Asked{{Decision: gate.Inconclusive, Bootstrap: true}}
		}, ""},
		"regression":  {func(c *gate.Candidate) { c.Decision = gate.Regression }, "its gate said REGRESSION"},
		"drift":       {func(c *gate.Candidate) { c.Decision = gate.Drift }, "its gate said DRIFT"},
		"invalid":     {func(c *gate.Candidate) { c.Decision = gate.Invalid }, "its gate said INVALID"},
		"false alarm": {func(c *gate.Candidate) { c.Decision, c.Override = gate.Regression, reason }, ""},
		"no reason": {func(c *gate.Candidate) {
			c.Decision, c.Override = gate.Regression, &gate.Override{Reason: " ", Author: "ann"}
		}, "an override needs a reason and an author"},
		"no such word": {func(c *gate.Candidate) { c.Decision = "PAS" }, `did you mean "PASS"?`},
	} {
		t.Run(name, func(t *testing.T) {
			first := fullPass(1, d, "+++ +++ +++")
			first.Digest = digestA
			b := accepted(t, d, first)
			before := encoded(t, b)
			candidate := gate.Candidate{Passes: []gate.RunPass{fullPass(2, d, "+++ +++ +++")}, Decision: gate.Pass}
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
	pass := func(day int) gate.RunPass { return fullPass(day, d, "+++ +++ +++") }
	b := accepted(t, d, pass(1), pass(2), pass(3))
	good := gate.Reset{Configuration: "default", Time: onDay(3), Author: "ann", Reason: "new prompt", Keep: []string{runNameOf(2)}}
	for name, change := range map[string]func(*gate.Reset){
		"an author":           func(r *gate.Reset) { r.Author = "" },
		"a reason":            func(r *gate.Reset) { r.Reason = " " },
		"time is missing":     func(r *gate.Reset) { *r = gate.Reset{Configuration: "default"} },
		`"other"`:             func(r *gate.Reset) { r.Configuration = "other" },
		`no run "no-such"`:    func(r *gate.Reset) { r.Keep = []string{"no-such"} },
		"configuration is mi": func(r *gate.Reset) { r.Configuration = "" },
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
	if got := b.Pool("default", 0); len(got.Runs) != 2 || got.Runs[0].Run != runNameOf(2) || got.Items[0].History != (gate.Traces{Right: 6}) {
		t.Errorf("after the reset the pool is %+v", got)
	}
	early := good
	early.Time = onDay(1)
	if err := b.Reset(early); err == nil || !strings.Contains(err.Error(), "there is a later one") {
		t.Errorf("an earlier reset: %v", err)
	}
	late := fullPass(2, d, "+++ +++ +++")
	late.Manifest.Run += "-other"
	if err := b.Add(gate.Candidate{Passes: []gate.RunPass{late}}, d); err == nil || !strings.Contains(err.Error(), "began before the reset") {
		t.Errorf("a run from before the reset: %v", err)
	}
	// What the reset has set aside is no reason to refuse the same traces.
	same := pass(4)
	same.Manifest.Seed = 1
	if err := b.Add(gate.Candidate{Passes: []gate.RunPass{same}, Deterministic: true}, d); err != nil {
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
