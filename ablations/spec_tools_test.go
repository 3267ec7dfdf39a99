package ablations

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/config"
)

func TestWithoutEachTool(t *testing.T) {
	for name, c := range map[string]struct {
		spec  string
		tools []string
		rows  []string // "" expects an error
		want  string   // of the error, or the baseline
	}{
		"three":       {"without_each: tools", []string{"a", "b", "c"}, []string{"full", "no a", "no b", "no c", "no tools"}, "full"},
		"one":         {"without_each: tools", []string{"a"}, []string{"full", "no a"}, "full"},
		"a server":    {"without_each: tools", []string{"s__*", "b"}, []string{"full", "no s__*", "no b", "no tools"}, "full"},
		"more rows":   {"{without_each: tools, baseline: k=1, configurations: [{name: k=1, set: {k: 1}}]}", []string{"a"}, []string{"full", "no a", "k=1"}, "k=1"},
		"a baseline":  {"{without_each: tools, baseline: no tools}", []string{"a", "b"}, []string{"full", "no a", "no b", "no tools"}, "no tools"},
		"no tools":    {"without_each: tools", nil, nil, "agent.tools is empty"},
		"cot":         {"{without_each: tools, base: {agent.strategy: cot}}", []string{"a"}, nil, "the strategy calls no tools"},
		"same name":   {"{without_each: tools, configurations: [{name: no a, set: {k: 1}}]}", []string{"a"}, nil, `without_each adds a row "no a"`},
		"unknown":     {"without_each: guards", []string{"a"}, nil, `without_each: "guards" is not known: write tools`},
		"no baseline": {"{without_each: tools, baseline: x}", []string{"a"}, nil, `baseline: "x" is not one of the rows`},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := parse("f.yaml", "f", []byte(c.spec))
			var rows []Row
			if err == nil {
				base := config.New()
				base.Agent.Tools = c.tools
				if base, err = s.Base(base); err == nil {
					rows, err = s.Rows(base, nil)
				}
			}
			if c.rows == nil {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.rows, names(rows)); diff != "" || s.Baseline() != c.want {
				t.Errorf("baseline %q, rows -want +got:\n%s", s.Baseline(), diff)
			}
			for _, r := range rows {
				want := slices.Clone(c.tools)
				if away, one := strings.CutPrefix(r.Name, "no "); one {
					want = slices.DeleteFunc(want, func(tool string) bool { return tool == away || away == "tools" })
				}
				if !slices.Equal(r.Agent.Tools, want) {
					t.Errorf("row %s has the tools %v, want %v", r.Name, r.Agent.Tools, want)
				}
			}
		})
	}
}
