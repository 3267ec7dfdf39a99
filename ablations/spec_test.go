package ablations

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/config"
)

func mustParse(t *testing.T, text string) *Spec {
	t.Helper()
	s, err := parse("spec.yaml", "spec", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return s
}

func names(rows []Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	text := `
dataset: own.yaml
base: {k: 5, agent: {max_steps: 4}}
baseline: one
configurations:
  - {name: full, note: all of it}
  - {name: one, set: {k: 1}, without: [calc, guard.repeat]}
matrix: {agent.temperature: [0, 0.5]}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "mine" || s.Dataset != "own.yaml" || s.Baseline() != "one" {
		t.Errorf("name %q, dataset %q, baseline %q", s.Name, s.Dataset, s.Baseline())
	}
	base, err := s.Base(config.New())
	if err != nil || base.K != 5 || base.Agent.MaxSteps != 4 {
		t.Fatalf("base: k %d, max_steps %d, %v", base.K, base.Agent.MaxSteps, err)
	}
	base.Agent.MaxSteps = 6 // a flag
	rows, err := s.Rows(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	row := func(name, note string, change func(*config.Configuration)) Row {
		c := base
		c.Name = name
		change(&c)
		return Row{Configuration: c, Note: note}
	}
	want := []Row{
		row("full", "all of it", func(c *config.Configuration) {}),
		row("one", "", func(c *config.Configuration) {
			c.K = 1
			c.Agent.Tools = []string{"planner", "web_search"}
			c.Agent.Guards = []string{"injection", "calls", "failures", "citations", "spotlight", "sanitise"}
		}),
		row("agent.temperature=0", "", func(c *config.Configuration) { c.Agent.Temperature = 0 }),
		row("agent.temperature=0.5", "", func(c *config.Configuration) { c.Agent.Temperature = 0.5 }),
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNamesAndBaselineDefaults(t *testing.T) {
	s := mustParse(t, "configurations: [{name: b}, {name: a, set: {k: 1}}]")
	if s.Name != "spec" || s.Dataset != "" || s.Baseline() != "b" {
		t.Errorf("name %q, dataset %q, baseline %q", s.Name, s.Dataset, s.Baseline())
	}
	if s := mustParse(t, "name: x y\nmatrix: {k: [2, 1]}"); s.Name != "x y" || s.Baseline() != "k=2" {
		t.Errorf("name %q, baseline %q", s.Name, s.Baseline())
	}
	if b := (&Spec{}).Baseline(); b != "" {
		t.Errorf("a spec without rows has the baseline %q", b)
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	long := strings.Repeat("é", 81)
	for text, want := range map[string][]string{
		"":                                 {"spec.yaml: the file is empty"},
		"- a":                              {"expected a mapping"},
		"{}":                               {"spec.yaml: the spec has no rows"},
		"configurations: []":               {"the spec has no rows"},
		"matrix: {}":                       {"the spec has no rows"},
		"bse: {}":                          {`spec.yaml:1:1: bse: unknown field "bse" (did you mean "base"?)`},
		"base:\n  k: many\nbaseline: 3":    {"spec.yaml:2:6: base.k: expected a whole number"},
		"base: {agent.tols: []}\nmatrx: 1": {`base.agent.tols: unknown field "tols" (did you mean "tools"?)`, `spec.yaml:2:1: matrx`},
		"base:":                            {"base: expected a mapping (name: value), found nothing"},
		"configurations:\n- {set: {k: 1}}\n- {name: ' '}":                            {"2:3: configurations[0].name: the name is empty: give one", "3:10: configurations[1].name: the name is empty"},
		"configurations: [{name: ' a'}]":                                             {"begins or ends with a space"},
		"configurations: [{name: \"a\\tb\"}]":                                        {"contains the control character U+0009: remove it"},
		"configurations: [{name: \"a\\u202Eb\"}]":                                    {"contains the control character U+202E"},
		"configurations: [{name: " + long + "}]":                                     {"a text of 81 characters: give at most 80"},
		"configurations: [{name: a, note: \"x\\ny\"}]":                               {"configurations[0].note", "U+000A"},
		"name: ''\nconfigurations: [{name: a}]":                                      {"1:7: name: the name is empty"},
		"configurations:\n- {name: a}\n- {name: b}\n- {name: a}":                     {`4:10: two rows are named "a", the first on line 2: rename one`},
		"configurations: [{name: k=1}]\nmatrix: {k: [1]}":                            {`two rows are named "k=1"`},
		"baseline: c\nconfigurations: [{name: a}, {name: b}]":                        {`spec.yaml:1:11: baseline: "c" is not one of the rows: name one of "a", "b"`},
		"baseline: ''\nconfigurations: [{name: a}]":                                  {`baseline: "" is not one of the rows`},
		"configurations: [{name: a, set: {k: x}}, {name: b, set: {agent: {kk: 1}}}]": {"configurations[0].set.k: expected a whole number", "configurations[1].set.agent.kk: unknown field"},
	} {
		_, err := parse("spec.yaml", "spec", []byte(text))
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%q: error %v, want one with %q", text, err, w)
			}
		}
	}
}

func TestRowsSayWhatIsWrong(t *testing.T) {
	for text, want := range map[string][]string{
		"configurations:\n- {name: a}\n- {name: b}": {`spec.yaml:3:10: row "b" has the settings of row "a" (line 2): change a setting, or remove one of them`},
		"configurations:\n- {name: a}\n- {name: b, set: {limits.rpm: 5}}": {
			`row "b" has the settings of row "a" (line 2) except for settings without effect in them (limits.rpm: 0, now 5)`},
		"matrix:\n  prompts:\n    a: Be short.\n    b: Be long.\n    c: {system: Be short.}": {
			`spec.yaml:5:8: the prompts "a" (line 3) and "c" have the same text: change one, or remove it`},
		"base: {agent.strategy: cot}\nconfigurations:\n- {name: a}\n- {name: b, set: {agent.tools: [calc]}}\n- {name: c, set: {k: 1}}\n- {name: d, set: {k: 1, consensus.stages: [exact]}}": {
			`spec.yaml:4:10: row "b" has the settings of row "a" (line 3) except for settings without effect in them (agent.tools: [planner web_search calc], now [calc]): change`,
			`spec.yaml:6:10: row "d" has the settings of row "c" (line 5) except for settings without effect in them (consensus.stages: [exact verifier majority], now [exact])`},
		"configurations:\n- {name: cot, set: {agent.strategy: cot}}\n- {name: less, set: {agent.strategy: cot}, without: [planner, guard.repeat]}": {
			`spec.yaml:3:53: row "less": remove "planner": the configuration has no such part, because the strategy cot has no tools; it has guard.injection`},
		"configurations:\n- {name: a, without: [calculator]}\n- {name: b, set: {agent.tools: [calc]}, without: [calc, planner]}": {
			`spec.yaml:2:22: row "a": remove "calculator": the configuration has no such part; it has planner, web_search, calc, guard.injection`,
			`spec.yaml:3:50: row "b": remove "planner": the configuration has no such part; it has guard.injection`},
		"configurations: [{name: a, set: {k: 0, pass: vibes}}, {name: b, set: {k: 0}}, {name: c}]": {
			`spec.yaml:1:25: row "a" and 1 more: k is 0: give 1 to 10000 traces per query`, `row "a": pass "vibes" is not known`},
		"base: {k: 0}\nmatrix: {pass: [gold, both]}":             {`row "pass=gold" and 1 more: k is 0`, `row "pass=both": pass: both needs a correctness judge`},
		"matrix: {pass: [quality], judge.quality: [none, same]}": {`row "pass=quality,judge.quality=none": pass: quality needs a quality judge`},
	} {
		s := mustParse(t, text)
		base, err := s.Base(config.New())
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Rows(base, nil)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) || rows != nil {
				t.Errorf("%q: error %v, want one with %q", text, err, w)
			}
		}
	}
}

func TestRowsFinishes(t *testing.T) {
	s := mustParse(t, "configurations: [{name: a, set: {model: offline:reader}}, {name: b, set: {model: openai:x}}]")
	cascade := func(c config.Configuration) (config.Configuration, error) {
		c = c.Completed()
		c.Name = "other"
		return c, nil
	}
	rows, err := s.Rows(config.New(), cascade)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(names(rows), rows[0].Search.Cascade, rows[1].Search.Cascade); got != "[a b] [corpus] [serper baidu wikipedia]" {
		t.Error(got)
	}
	_, err = s.Rows(config.New(), func(c config.Configuration) (config.Configuration, error) {
		return c, fmt.Errorf("open models: %w; %w", errors.New(c.Model), errors.New("no key"))
	})
	want := "spec.yaml:1:25: row \"a\": open models: offline:reader; no key\nspec.yaml:1:66: row \"b\": open models: openai:x; no key"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestRowsShareNothing writes into one row and looks at the others, at the base and at what
// the spec gives next.
func TestRowsShareNothing(t *testing.T) {
	s := mustParse(t, "configurations: [{name: a}, {name: b, set: {k: 1}}]\nmatrix: {agent.tools: [[calc]], k: [2, 4]}")
	base := config.New()
	first, err := s.Rows(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range first {
		r.Agent.Guards[0], r.Agent.Tools[0], r.Consensus.Stages[0] = r.Name, r.Name, consensus.Stage(r.Name)
	}
	for _, r := range first {
		if r.Agent.Guards[0] != r.Name || r.Agent.Tools[0] != r.Name || string(r.Consensus.Stages[0]) != r.Name {
			t.Errorf("row %s shares a list with another", r.Name)
		}
	}
	if diff := cmp.Diff(config.New(), base); diff != "" {
		t.Errorf("the base changed:\n%s", diff)
	}
	second, err := s.Rows(base, nil)
	if err != nil || !slices.Equal(second[2].Agent.Tools, []string{"calc"}) {
		t.Errorf("rows of the second time: %v, %v", second, err)
	}
}

func TestReadNamesThePresets(t *testing.T) {
	for name, want := range map[string]string{
		"papr":      `"papr" is neither a file nor a preset; did you mean "paper"?; the presets are agents, compute, delegation, explain, guards, loops, memory, offline, paper, playbook, protocols, recovery, strategies`,
		"no.yaml":   `"no.yaml" is neither a file nor a preset; the presets are agents, compute, delegation, explain, guards,`,
		"":          `"" is neither a file nor a preset`,
		t.TempDir(): "is a directory",
		"../spec":   "the presets are",
	} {
		if _, err := Read(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("read %q: %v, want %q", name, err, want)
		}
	}
}
