package ablations_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func TestSides(t *testing.T) {
	refused := record("full", "q-1", judge.Incorrect, judge.ByGold)
	refused.Consensus.Answer, refused.Consensus.Outcome = nil, trace.Refused
	got := sides(t, manifest(2, named("full"), named("less")),
		record("less", "q-2", judge.Unscored, judge.ByInfra), record("full", "q-2", judge.Correct, judge.ByGold),
		refused, record("less", "q-1", judge.Correct, judge.ByGold))
	if len(got) != 2 || got[0].Name != "full" || got[1].Name != "less" || got[0].Run != "run-1" {
		t.Fatalf("%+v", got)
	}
	want := []ablations.Query{
		{ID: "q-1", Hash: "sha256:q-1", Decided: "[refused]", Reason: "because",
			Outcome: &ablations.Outcome{Category: "lookup", Verdict: judge.Incorrect, Measured: true}},
		{ID: "q-2", Hash: "sha256:q-2", Decided: "42",
			Outcome: &ablations.Outcome{Category: "lookup", Verdict: judge.Correct, Measured: true}},
	}
	if diff := cmp.Diff(want, got[0].Queries); diff != "" {
		t.Error(diff)
	}
	if got[0].Losses != (result.Losses{Queries: 2}) {
		t.Errorf("lost: %+v", got[0].Losses)
	}
	if len(got[1].Judges) > 0 {
		t.Errorf("a failure of the infrastructure rests on %v", got[1].Judges)
	}
}

// Ways are those of traces with an answer, at their index.
func TestSidesWays(t *testing.T) {
	said, calls := "42", &judge.Calls{Right: true}
	r := record("a", "q-1", judge.Correct, judge.ByGold)
	r.Answers = []store.Answer{{Trace: 0, Outcome: trace.NoAnswer, Calls: calls}, {Trace: 1, Answer: &said, Key: &said, Calls: calls}}
	plain := record("a", "q-2", judge.Correct, judge.ByGold)
	plain.Answers = []store.Answer{{Trace: 0, Answer: &said, Key: &said}}
	got := sides(t, manifest(2, named("a")), r, plain)[0].Queries
	if diff := cmp.Diff([]ablations.ToolUse{{}, {Answer: "42", Key: "42", Calls: *calls}}, got[0].Ways); diff != "" || got[1].Ways != nil {
		t.Error(diff, got[1].Ways)
	}
}

func TestSidesErrors(t *testing.T) {
	gone := errors.New("disk gone")
	failing := func(yield func(store.Record, error) bool) { yield(store.Record{}, gone) }
	if _, err := ablations.Sides(manifest(1, named("a")), failing); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
}

func ablation(m store.Manifest) store.Manifest {
	m.Ablation = "spec"
	return m
}

// Between configurations of one run, the models behind the names of judges and verifiers
// bears the configuration's name.
func TestHiddenDifferencesWithinARun(t *testing.T) {
	for name, test := range map[string]struct {
		by      string // of the verdicts
		calls   int    // of the verifier
		version string // that b has another of
		want    string
	}{
		"correctness judge":                    {by: judge.ByCorrectness, version: "correctness_model", want: "correctness_model is https://a against https://b"},
		"correctness judge, which decides not": {by: judge.ByGold, version: "correctness_model"},
		"correctness judge, not recorded":      {by: judge.ByCorrectness, version: "quality_model"},
		"quality judge":                        {by: judge.ByQuality, version: "quality_model", want: "quality_model is https://a against https://b"},
		"verifier":                             {by: judge.ByGold, calls: 2, version: "verifier_model", want: "verifier_model is https://a against https://b"},
		"verifier that nobody asked":           {by: judge.ByGold, version: "verifier_model"},
		"the agent's own model":                {by: judge.ByGold, calls: 2, version: "model"},
	} {
		a, b := named("a"), named("b")
		for _, c := range []*config.Configuration{&a, &b} {
			c.Judge.Correctness, c.Judge.Quality = "x:judge", "x:judge"
		}
		m := ablation(manifest(1, a, b))
		delete(m.Versions, "correctness_model")
		m.Versions[test.version+" of a"], m.Versions[test.version+" of b"] = "https://a", "https://b"
		asked := record("b", "q-1", judge.Correct, test.by)
		asked.Consensus.Effort.Calls = test.calls
		all, err := ablations.Against("a", sides(t, m, record("a", "q-1", judge.Correct, test.by), asked), ablations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := refusedOf(all[0]); got != test.want {
			t.Errorf("%s: refused %q, want %q", name, got, test.want)
		}
	}
}

func refusedOf(c result.Comparison) string {
	if c.Refused == nil {
		return ""
	}
	return *c.Refused
}

// The verifier's model counts if both sides have such a stage and answers were
// compared.
func TestHiddenVerifier(t *testing.T) {
	type change func(*config.Configuration)
	model := func(m string) change { return func(c *config.Configuration) { c.Verifier.Model = m } }
	agent := func(m string) change { return func(c *config.Configuration) { c.Model = m } }
	for name, test := range map[string]struct {
		both, change change
		unasked      bool
		across       []string
		want         string
	}{
		"another model":             {both: model("x:v"), change: model("x:w"), want: "verifier.model is x:v against x:w"},
		"another model, unasked":    {both: model("x:v"), change: model("x:w"), unasked: true},
		"another model, across":     {both: model("x:v"), change: model("x:w"), across: []string{"verifier.model"}},
		"same, spelled out":         {both: agent("x:a"), change: model("x:a")},
		"same, of other agents":     {both: agent("x:a"), change: agent("x:b")},
		"same against another":      {both: agent("x:a"), change: model("x:w"), want: "verifier.model is x:a against x:w"},
		"temperature":               {change: func(c *config.Configuration) { c.Verifier.Temperature = .5 }, want: "verifier.temperature is 0 against 0.5"},
		"temperature, unasked":      {change: func(c *config.Configuration) { c.Verifier.Temperature = .5 }, unasked: true},
		"one trace has no verifier": {both: model("x:v"), change: func(c *config.Configuration) { c.Verifier.Model, c.K = "x:w", 1 }},
		"stage that one has not": {both: model("x:v"), change: func(c *config.Configuration) {
			c.Verifier.Model, c.Consensus.Stages = "x:w", []consensus.Stage{"exact", "majority"}
		}},
		"another stage that asks": {both: model("x:v"), change: func(c *config.Configuration) {
			c.Verifier.Model, c.Consensus.Stages = "x:w", []consensus.Stage{"exact", "pick"}
		}},
		"the same stage, which asks": {both: func(c *config.Configuration) { c.Consensus.Stages = []consensus.Stage{"exact", "pick"} }, change: model("x:w"), want: "verifier.model is offline:reader against x:w"},
	} {
		read := func(c change) ablations.Side {
			conf := named("x")
			conf.Model = "offline:reader"
			for _, f := range []change{test.both, c} {
				if f != nil {
					f(&conf)
				}
			}
			r := record("x", "q-1", judge.Correct, judge.ByGold)
			if !test.unasked && c == nil { // one side is enough
				r.Consensus.Effort.Calls = 1
			}
			return sides(t, manifest(1, conf), r)[0]
		}
		for _, pair := range [][2]ablations.Side{{read(nil), read(test.change)}, {read(test.change), read(nil)}} {
			all, err := ablations.Pairwise([][2]ablations.Side{pair}, ablations.Options{Across: test.across})
			if err != nil {
				t.Fatal(err)
			}
			got := refusedOf(all[0])
			if (got == "") != (test.want == "") || pair[0].VerifierCalled && got != test.want {
				t.Errorf("%s: refused %q, want %q", name, got, test.want)
			}
		}
	}
}

// The extractor counts where rules left an answer unread on either side.
func TestHiddenExtractor(t *testing.T) {
	type change func(*config.Configuration)
	model := func(spec string) change {
		return func(c *config.Configuration) { c.Extract, c.Extractor.Model = config.ExtractModel, spec }
	}
	const again = " (concur rejudge RUN --extract model reads the messages of a run again)"
	for name, test := range map[string]struct {
		both, change change
		read         bool // rules read every answer
		across       []string
		want         string
	}{
		"a model":                   {change: model("x:a"), want: "extract is rules against model" + again},
		"a model with nothing left": {change: model("x:a"), read: true},
		"a model, across":           {change: model("x:a"), across: []string{"extract"}},
		"another model":             {both: model("x:a"), change: model("x:b"), want: "extractor.model is x:a against x:b"},
		"the agent's own":           {both: model("same"), change: func(c *config.Configuration) { c.Model = "x:b" }},
		"the default, spelled out":  {change: func(c *config.Configuration) { c.Extract = config.ExtractRules }},
		"unused settings":           {change: func(c *config.Configuration) { c.Extractor.Temperature = 1 }},
		"temperature":               {both: model("x:a"), change: func(c *config.Configuration) { c.Extractor.Temperature = 1 }, want: "extractor.temperature is 0 against 1"},
	} {
		read := func(c change) ablations.Side {
			conf := named("x")
			for _, f := range []change{test.both, c} {
				if f != nil {
					f(&conf)
				}
			}
			r := record("x", "q-1", judge.Correct, judge.ByGold)
			if !test.read {
				r.Answers = append(r.Answers, store.Answer{Unread: true})
			}
			return sides(t, manifest(1, conf), r)[0]
		}
		all, err := ablations.Pairwise([][2]ablations.Side{{read(nil), read(test.change)}}, ablations.Options{Across: test.across})
		if err != nil {
			t.Fatal(err)
		}
		if got := refusedOf(all[0]); got != test.want {
			t.Errorf("%s: refused %q, want %q", name, got, test.want)
		}
	}
}

// What differs in a rule is refused, unless it plays no part or is named.
func TestHiddenDifferences(t *testing.T) {
	type change func(*store.Manifest)
	version := func(name, v string) change { return func(m *store.Manifest) { m.Versions[name] = v } }
	conf := func(f func(*config.Configuration)) change {
		return func(m *store.Manifest) { f(&m.Configurations[0].Configuration) }
	}
	judged := func(c *config.Configuration) { c.Judge.Correctness, c.Judge.Quality = "openai:a", "openai:q" }
	const anew = " (concur run --replay RUN --record-missing reads the recorded answers again, votes and judges)"
	for name, test := range map[string]struct {
		both   change // on both sides
		change change // on one
		by     string
		across string
		want   string // "" is compared
	}{
		"nothing":                    {},
		"another build":              {change: version("concur", "2.0")},
		"normalisation":              {change: version("norm", "norm/v2"), want: "norm is norm/v1 against norm/v2" + anew},
		"normalisation, across":      {change: version("norm", "norm/v2"), across: "norm"},
		"agent's prompt":             {change: version("prompt", "react/v2"), want: "prompt is react/v1 against react/v2"},
		"dialect":                    {change: version("dialect", "d/v2"), want: "dialect is d/v1 against d/v2"},
		"verifier":                   {change: version("verifier", "v/v2"), want: "verifier is v/v1 against v/v2"},
		"pick, which nobody asks":    {change: version("pick", "p/v2")},
		"recorded on one side":       {change: version("norm", ""), want: "norm is norm/v1 against not recorded" + anew},
		"recorded on the other":      {both: version("norm", ""), change: version("norm", "norm/v2"), want: "norm is not recorded against norm/v2" + anew},
		"agent":                      {change: conf(func(c *config.Configuration) { c.Model, c.K = "openai:b", 1 })},
		"judge that decides nothing": {both: conf(judged), change: conf(func(c *config.Configuration) { c.Judge.Correctness = "openai:b" })},
		"prompt of such a judge":     {both: conf(judged), change: version("correctness", "c/v2")},
		"judge of a condition":       {both: conf(judged), by: judge.ByCorrectness, change: conf(func(c *config.Configuration) { c.Judge.Correctness = "openai:b" }), want: "judge.correctness is openai:a against openai:b"},
		"its prompt":                 {both: conf(judged), by: judge.ByCorrectness, change: version("correctness", "c/v2"), want: "correctness is c/v1 against c/v2"},
		"its endpoint":               {both: conf(judged), by: judge.ByCorrectness, change: version("correctness_model", "https://b"), want: "correctness_model is https://a against https://b"},
		"its threshold":              {both: conf(judged), by: judge.ByCorrectness, change: conf(func(c *config.Configuration) { c.Judge.Threshold = 5 }), want: "judge.threshold is 4 against 5"},
		"unscored by it":             {both: conf(judged), by: judge.ByJudge, change: conf(func(c *config.Configuration) { c.Judge.Correctness = "" }), want: "judge.correctness is openai:a against none"},
		"no judge, so no endpoint": {both: conf(judged), by: judge.ByJudge, change: func(m *store.Manifest) {
			m.Configurations[0].Judge.Correctness = ""
			delete(m.Versions, "correctness_model")
		}, want: "judge.correctness is openai:a against none"},
		"the other judge":             {both: conf(judged), by: judge.ByCorrectness, change: conf(func(c *config.Configuration) { c.Judge.Quality = "openai:b" })},
		"same model, other agent":     {both: conf(func(c *config.Configuration) { c.Judge.Quality, c.Pass, c.Model = "same", "quality", "openai:a" }), change: conf(func(c *config.Configuration) { c.Model = "openai:b" }), want: "judge.quality is openai:a against openai:b"},
		"same model, across":          {both: conf(func(c *config.Configuration) { c.Judge.Quality, c.Pass, c.Model = "same", "quality", "openai:a" }), change: conf(func(c *config.Configuration) { c.Model = "openai:b" }), across: "judge.quality"},
		"by correctness":              {both: conf(func(c *config.Configuration) { judged(c); c.Pass = "correctness" }), change: version("correctness", "c/v2"), want: "correctness is c/v1 against c/v2"},
		"by correctness, not quality": {both: conf(func(c *config.Configuration) { judged(c); c.Pass = "correctness" }), change: version("quality", "q/v2")},
		"by both":                     {both: conf(func(c *config.Configuration) { judged(c); c.Pass = "both" }), change: version("quality", "q/v2"), want: "quality is q/v1 against q/v2"},
		"pass and the judge it names": {change: conf(func(c *config.Configuration) { judged(c); c.Pass = "quality" }), want: "judge.quality is none against openai:q; pass is gold against quality"},
	} {
		t.Run(name, func(t *testing.T) {
			read := func(c change) ablations.Side {
				m := manifest(1, named("x"))
				for _, f := range []change{test.both, c} {
					if f != nil {
						f(&m)
					}
				}
				by := test.by
				if by == "" {
					by = judge.ByGold
				}
				return sides(t, m, record("x", "q-1", judge.Correct, by))[0]
			}
			o := ablations.Options{}
			if test.across != "" {
				o.Across = []string{test.across}
			}
			all, err := ablations.Pairwise([][2]ablations.Side{{read(nil), read(test.change)}}, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := refusedOf(all[0]); got != test.want {
				t.Errorf("refused %q, want %q", got, test.want)
			}
		})
	}
}
