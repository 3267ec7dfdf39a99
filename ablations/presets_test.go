package ablations

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/config"
)

func presetRows(t *testing.T, name string) (*Spec, []Row) {
	t.Helper()
	s, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	base, err := s.Base(config.New())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Rows(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, rows
}

func TestPresets(t *testing.T) {
	want := map[string]struct {
		dataset, baseline string
		rows              []string
	}{
		"compute":    {"compute", "full", []string{"full", "no sql", "no code", "calc alone"}},
		"delegation": {"", "own tools", []string{"react", "sub-agent", "own tools"}},
		"explain":    {"", "off", []string{"off", "first", "every"}},
		"guards":     {"guards24", "full", []string{"full", "no injection", "no repeat", "no calls", "no failures", "no citations", "no spotlight", "no sanitise", "all guards off"}},
		"loops":      {"", "react", []string{"react", "plan", "no analysis", "no reflection", "neither", "cot"}},
		"memory":     {"memory120", "off", []string{"off", "retrieve k=1", "retrieve k=3", "retrieve k=8", "rank k=1", "rank k=3", "rank k=8", "all"}},
		"offline":    {"gold29", "full", []string{"full", "k=1", "no planner", "no web search", "no calculator", "text"}},
		"paper":      {"gold29", "turbo", []string{"qwen-plus", "turbo", "k=1", "no planner", "no web search", "no calculator"}},
		"playbook":   {"routing160-eval.yaml", "off", []string{"off", "frozen", "all", "shuffled", "no gold"}},
		"agents":     {"gold29", "react native", []string{"react native", "react text", "plan", "cot", "direct"}},
		"recovery":   {"gold29", "no faults", []string{"no faults", "search down", "search half", "calculator down", "calculator half", "planner down", "planner half"}},
		"tools":      {"kb60", "full", []string{"full", "no planner", "no web_search", "no calc", "no tools"}},
		"tool-scale": {"tools500", "10 tools", []string{"10 tools", "50 tools", "100 tools", "500 tools", "20 of 50", "20 of 100", "20 of 500"}},
		"toolformer": {"gold29", "native", []string{"native", "text", "inline", "direct"}},
		"turns":      {"turns40", "off", []string{"off", "auto", "on"}},
		"protocols":  {"", "native", []string{"native", "text"}},
		"votes":      {"", "k=1", []string{"k=1", "k=3", "k=5"}},
		"strategies": {"", "react", []string{"react", "k=1", "cot", "direct"}},
	}
	for _, name := range Presets() {
		s, rows := presetRows(t, name)
		w := want[name]
		if s.Name != name || s.Dataset != w.dataset || s.Baseline() != w.baseline {
			t.Errorf("%s: name %q, dataset %q, baseline %q", name, s.Name, s.Dataset, s.Baseline())
		}
		if diff := cmp.Diff(w.rows, names(rows)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
		for _, r := range rows {
			if r.Note == "" {
				t.Errorf("%s: row %s has no note", name, r.Name)
			}
		}
	}
	if len(want) != len(Presets()) || !slices.IsSorted(Presets()) {
		t.Errorf("presets %v", Presets())
	}
}

// TestPresetsKeepTheUsersModel: but for those that are about models, a preset leaves the
// model to flags, environment and file.
func TestPresetsKeepTheUsersModel(t *testing.T) {
	for _, name := range []string{"agents", "guards", "protocols", "recovery", "strategies", "votes"} {
		s, err := Read(name)
		if err != nil {
			t.Fatal(err)
		}
		own := config.New()
		own.Model = "openai:mine"
		base, err := s.Base(own)
		if diff := cmp.Diff(own, base); diff != "" || err != nil {
			t.Errorf("%s changes the base: %v\n%s", name, err, diff)
		}
	}
	for _, name := range []string{"delegation", "explain"} {
		_, rows := presetRows(t, name)
		for _, r := range rows {
			if own := config.New(); r.Model != own.Model || r.K != own.K || r.Agents["researcher"].Model != "" {
				t.Errorf("%s: row %s has the model %s, k %d, %+v", name, r.Name, r.Model, r.K, r.Agents)
			}
		}
	}
}

// TestGuardsPresetIsInStep holds the preset against the guards that there are.
func TestGuardsPresetIsInStep(t *testing.T) {
	_, rows := presetRows(t, "guards")
	want := []Row{{Configuration: config.New(), Note: "every guard"}}
	want[0].Name = "full"
	for _, g := range config.Guards() {
		c, err := config.New().Without("guard." + g)
		if err != nil {
			t.Fatal(err)
		}
		c.Name = "no " + g
		want = append(want, Row{Configuration: c})
	}
	off := config.New()
	off.Name, off.Agent.Guards = "all guards off", []string{}
	want = append(want, Row{Configuration: off})
	for i, r := range rows {
		if i > 0 {
			r.Note = ""
		}
		if i >= len(want) || !cmp.Equal(want[i], r) {
			t.Errorf("row %d (%s) is not the one that config.Guards asks for", i, r.Name)
		}
	}
	if len(rows) != len(want) {
		t.Errorf("%d rows, want %d", len(rows), len(want))
	}
}

// TestDefaults: they apply unless another setting overrides them.
func TestDefaults(t *testing.T) {
	s, err := Read("guards")
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Defaults(config.New())
	if err != nil || c.Model != "offline:reader?lapse=0.3" || c.Judge.Correctness != config.NoModel || c.K != 1 {
		t.Errorf("model %s, judge %+v: %v", c.Model, c.Judge, err)
	}
	if s, err = Read("protocols"); err != nil {
		t.Fatal(err)
	}
	if c, err = s.Defaults(config.New()); err != nil || !cmp.Equal(config.New(), c) {
		t.Errorf("a spec without defaults changes the configuration: %v", err)
	}
	if _, err := parse("a.yaml", "a", []byte("defaults: {kk: 3}\nconfigurations: [{name: a}]\n")); err == nil {
		t.Error("an unknown key among the defaults is no error")
	}
}

func TestPaperAndOfflineSettings(t *testing.T) {
	_, rows := presetRows(t, "paper")
	for i, r := range rows {
		model := "dashscope:qwen-turbo"
		if i == 0 {
			model = "dashscope:qwen-plus"
		}
		if r.Model != model || r.Judge.Correctness != "dashscope:qwen-plus" || r.Judge.Quality != "dashscope:qwen-plus" || len(r.Search.Cascade) > 0 {
			t.Errorf("paper: row %s has model %s, judge %+v, cascade %v", r.Name, r.Model, r.Judge, r.Search.Cascade)
		}
	}
	_, rows = presetRows(t, "offline")
	for _, r := range rows {
		if r.Model != config.DefaultModel || r.Judge.Correctness != config.NoModel || r.Judge.Quality != config.NoModel {
			t.Errorf("offline: row %s has model %s, judge %+v", r.Name, r.Model, r.Judge)
		}
	}
}
