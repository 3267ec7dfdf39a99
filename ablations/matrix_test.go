package ablations

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/runner/config"
)

func TestMatrix(t *testing.T) {
	for text, want := range map[string][]string{
		`{model: [a:x, b:x], k: [1, 3], exclude: [{model: a:x, k: 1}]}`:    {"model=a:x,k=3", "model=b:x,k=1", "model=b:x,k=3"},
		`{exclude: [{k: 1}], k: [1, 3], agent.strategy: [cot, react]}`:     {"k=3,agent.strategy=cot", "k=3,agent.strategy=react"},
		`{agent.tools: [[], [calc], [calc, web_search]]}`:                  {"agent.tools=[]", "agent.tools=calc", "agent.tools=calc+web_search"},
		`{agent.tools: [[], [calc]], exclude: [{agent.tools: [calc]}]}`:    {"agent.tools=[]"},
		`{agent.single_tool: [true, false]}`:                               {"agent.single_tool=true", "agent.single_tool=false"},
		`{agent.temperature: [0, 1.0], exclude: [{agent.temperature: 1}]}`: {"agent.temperature=0"},
		`{search.language: ["", en]}`:                                      {`search.language=""`, "search.language=en"},
		`{agent.tool_timeout: [2s, 1m]}`:                                   {"agent.tool_timeout=2s", "agent.tool_timeout=1m"},
		`{providers.own.base_url: ["http://a", "http://b"]}`:               {"providers.own.base_url=http://a", "providers.own.base_url=http://b"},
	} {
		s := mustParse(t, "base: {providers.own: {kind: openai, auth: none, base_url: \"http://h\"}}\nmatrix: "+text)
		base, err := s.Base(config.New())
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Rows(base, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, names(rows)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", text, diff)
		}
	}
}

func TestMatrixSaysWhatIsWrong(t *testing.T) {
	numbers := func(n int) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprint(i+1))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	for text, want := range map[string][]string{
		`[]`:                          {"matrix: expected a mapping"},
		`{k: []}`:                     {"spec.yaml:1:13: matrix.k: the list is empty: give at least one value"},
		`{k: 3}`:                      {"matrix.k: expected a list of values, found the number 3: write [3]"},
		`{agent: {temperature: [0]}}`: {"matrix.agent: expected a list of values, found a mapping: write the key dotted, such as agent.temperature: […]"},
		`{k: [1, x, y], agent.temperature: [cold]}`: {"1:17: matrix.k: expected a whole number", "1:20: matrix.k", "matrix.agent.temperature: expected a number"},
		`{k: [[1]]}`:                                    {"matrix.k: expected a whole number, found a list"},
		`{agent.tols: [[], [calc]]}`:                    {`1:10: matrix.agent.tols: unknown field "tols"`},
		`{agent: [{k: 1}]}`:                             {"matrix.agent[0]: expected a single value or a list of values, found a mapping: write one key for each setting"},
		`{providers.a.models: [[{match: x}]]}`:          {"expected a single value or a list of values"},
		`{k: [1, 1]}`:                                   {"matrix.k[1]: 1 is given twice: remove one"},
		`{agent.temperature: [1, 1.0]}`:                 {"1.0 is given twice"},
		`{k: [1], k: [2]}`:                              {"duplicate field"},
		`{k: [null]}`:                                   {"expected a whole number"},
		`{k: [1], exclude: [{k: 2}]}`:                   {"matrix.exclude[0].k: matches no cell: it is not one of the values of k: 1"},
		`{k: [1], exclude: [{m: 2}]}`:                   {"matrix.exclude[0].m: matches no cell: the matrix has no such key (known: k)"},
		`{k: [1], exclude: [{k: {}}]}`:                  {"matches no cell"},
		`{k: [1], exclude: [{}]}`:                       {"an entry without keys would exclude every cell"},
		`{k: [1], exclude: {k: 1}}`:                     {"matrix.exclude: expected a list, found a mapping"},
		`{k: [1], exclude: [3]}`:                        {"matrix.exclude[0]: expected a mapping"},
		`{exclude: [{k: 1}]}`:                           {"matrix.exclude: the matrix has no keys, so there are no cells to exclude"},
		`{k: [1], exclude: [{k: 1}]}`:                   {"the spec has no rows"},
		`{model: ["a:\u0007"]}`:                         {"contains the control character U+0007"},
		`{model: [a:` + strings.Repeat("x", 200) + `]}`: {"a text of 202 characters: give at most 200"},
		`{model: [a:` + strings.Repeat("x", 196) + `]}`: {"a cell's name would have 204 characters"},
		`{k: ` + numbers(1001) + `}`:                    {"there are more than 1000 rows"},
		`{agent: {}}`:                                   {"such as agent.…"},
	} {
		_, err := parse("spec.yaml", "spec", []byte("matrix: "+text))
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%.80s: error %v, want one with %q", text, err, w)
			}
		}
	}
	if s := mustParse(t, "matrix: {k: "+numbers(1000)+"}"); s.Baseline() != "k=1" {
		t.Error("a thousand rows are too many")
	}
	_, err := parse("spec.yaml", "spec", []byte("configurations: [{name: a}]\nmatrix: {k: "+numbers(1000)+"}"))
	if err == nil || !strings.Contains(err.Error(), "more than 1000 rows") {
		t.Errorf("1,001 rows: %v", err)
	}
}

// A matrix gives the product of its axes less what is excluded, in odometer order.
func TestMatrixIsTheProduct(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ks, steps := rapid.IntRange(1, 5).Draw(rt, "ks"), rapid.IntRange(1, 5).Draw(rt, "steps")
		out := rapid.SliceOfN(rapid.Bool(), ks*steps, ks*steps).Draw(rt, "excluded")
		var k, m, exclude, want []string
		for i := range ks {
			k = append(k, fmt.Sprint(i+1))
			for j := range steps {
				if i == 0 {
					m = append(m, fmt.Sprint(j+1))
				}
				if out[i*steps+j] {
					exclude = append(exclude, fmt.Sprintf("{agent.max_steps: %d, k: %d}", j+1, i+1))
				} else {
					want = append(want, fmt.Sprintf("k=%d,agent.max_steps=%d", i+1, j+1))
				}
			}
		}
		s, err := parse("f", "f", fmt.Appendf(nil, "matrix: {k: [%s], agent.max_steps: [%s], exclude: [%s]}",
			strings.Join(k, ","), strings.Join(m, ","), strings.Join(exclude, ",")))
		if len(want) == 0 {
			if err == nil {
				rt.Error("a matrix without cells is taken")
			}
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		rows, err := s.Rows(config.New(), nil)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(want, names(rows)); diff != "" {
			rt.Errorf("-want +got:\n%s", diff)
		}
		for _, r := range rows {
			if name := fmt.Sprintf("k=%d,agent.max_steps=%d", r.K, r.Agent.MaxSteps); name != r.Name {
				rt.Errorf("%s is set as %s", r.Name, name)
			}
		}
	})
}
