package dialect_test

import (
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		name  string
		tools []string
		want  string
	}{
		{"calc", []string{"Calc", "calc"}, "calc"},
		{"CALC", []string{"Calc", "calc"}, "Calc"},
		{"Search", []string{"corpus_search", "search"}, "search"},
		{"Search", []string{"calc", "corpus_search", "serper_search"}, "corpus_search"},
		{"search", []string{"research", "search_corpus"}, ""},
		{"Calculator", []string{"calc"}, "calc"},
		{"calculator", []string{"Calculator", "calc"}, "Calculator"},
		{"functions.calc", []string{"calc"}, "calc"},
		{"Functions.Calc", []string{"calc"}, "calc"},
		{"default_api.calc", []string{"calc"}, "calc"},
		{"functions.calc:0", []string{"calc"}, "calc"},
		{"calc:12", []string{"calc"}, "calc"},
		{"calc<|channel|>commentary", []string{"calc"}, "calc"},
		{"calc</arg_value>", []string{"calc"}, "calc"},
		{"calc()", []string{"calc"}, "calc"},
		{"calccalc", []string{"calc"}, "calc"},
		{"calcalc", []string{"calc"}, ""},
		{"calc the sum", []string{"calc"}, ""},
		{"<|calc|>", []string{"calc"}, ""},
		{"s.calc", []string{"s.calc", "calc"}, "s.calc"},
		{"calc.call", []string{"calc"}, "calc"},
		{"Lookup", []string{"calc"}, ""},
		{"", []string{"calc"}, ""},
		{"calc", nil, ""},
	} {
		var tools []model.ToolSpec
		for _, name := range c.tools {
			tools = append(tools, model.ToolSpec{Name: name})
		}
		got, ok := dialect.Resolve(c.name, tools)
		if got.Name != c.want || ok != (c.want != "") {
			t.Errorf("Resolve(%q, %q) = %q, %v", c.name, c.tools, got.Name, ok)
		}
	}
}

// TestOfferedFinish checks that a tool that is really called finish is called.
func TestOfferedFinish(t *testing.T) {
	turn := dialect.Parse("Action: Finish[x]", []model.ToolSpec{spec("finish", 1, `job:"string"`)})
	if turn.Name != "finish" || turn.Arguments != `{"job": "x"}` || turn.Final != "" {
		t.Errorf("read as %+v", turn)
	}
}
