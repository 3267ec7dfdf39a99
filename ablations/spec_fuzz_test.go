package ablations

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
)

// FuzzSpec: no file ends the program, a file reads the same way twice, and rows that come
// out have names of their own, among them the baseline, and settings that hold.
func FuzzSpec(f *testing.F) {
	for _, name := range Presets() {
		data, _ := presetFiles.ReadFile("presets/" + name + presetExtension)
		f.Add(data)
	}
	for _, seed := range []string{
		"configurations: [{name: a}, {name: b, set: {k: 1}, without: [calc]}]\nmatrix: {k: [2, 3], agent.tools: [[], [calc]], exclude: [{k: 2}]}",
		"matrix: {k: [1, 1.0], exclude: [{}]}", "matrix: {exclude: []}", "matrix: {k: [[], {}, null]}", "base: &a {k: 1}\nconfigurations: [{name: x, set: *a}]",
		"configurations: [3, {}, {name: []}]", "matrix: {? [k] : [1]}", "matrix: {agent.tools: [&x [calc], *x]}", "baseline: a\nname: ~\n",
		"matrix: {providers.a.b: [1], providers: [[]], agent: [1]}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parse("f.yaml", "f", data)
		_, again := parse("f.yaml", "f", data)
		if fmt.Sprint(err) != fmt.Sprint(again) {
			t.Errorf("two readings differ: %v and %v", err, again)
		}
		if err != nil {
			return
		}
		base, err := s.Base(config.New())
		if err != nil {
			t.Fatalf("a base that was read cannot be set: %v", err)
		}
		rows, err := s.Rows(base, nil)
		if err != nil {
			return
		}
		got := names(rows)
		if len(got) == 0 || len(got) > maxRows || !slices.Contains(got, s.Baseline()) {
			t.Errorf("%d rows, baseline %q", len(got), s.Baseline())
		}
		slices.Sort(got)
		if len(slices.Compact(got)) != len(rows) || slices.Contains(got, "") {
			t.Errorf("names %q", got)
		}
		for _, r := range rows {
			if err := r.Validate(); err != nil {
				t.Errorf("row %s: %v", r.Name, err)
			}
		}
	})
}
