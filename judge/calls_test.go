package judge_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

func action(name, input string) trace.Action {
	return trace.Action{Name: name, Input: json.RawMessage(input)}
}

func TestCompareCalls(t *testing.T) {
	search := datasets.ExpectedCall{Name: "search", Args: map[string]any{"q": "herons", "n": 3}}
	calc := datasets.ExpectedCall{Name: "calc"}
	with := func(m datasets.ArgMatch) datasets.ExpectedCall {
		return datasets.ExpectedCall{Name: "search", Args: search.Args, Match: m}
	}
	right := action("search", `{"q": "herons", "n": 3.0}`)
	for name, c := range map[string]struct {
		expects datasets.Expects
		actions []trace.Action
		matched int
		right   bool
		reason  string
	}{
		"equal as values":       {datasets.Expects{Tools: []datasets.ExpectedCall{search}}, []trace.Action{right}, 1, true, "1 of 1 expected tool calls"},
		"number as text":        {datasets.Expects{Tools: []datasets.ExpectedCall{search}}, []trace.Action{action("search", `{"q": "herons", "n": "3"}`)}, 1, true, "1 of 1 expected tool calls"},
		"other value":           {datasets.Expects{Tools: []datasets.ExpectedCall{search}}, []trace.Action{action("search", `{"q": "heron", "n": 3}`)}, 0, false, "0 of 1 expected tool calls"},
		"missing argument":      {datasets.Expects{Tools: []datasets.ExpectedCall{search}}, []trace.Action{action("search", `{"q": "herons"}`)}, 0, false, "0 of 1 expected tool calls"},
		"a subset may miss one": {datasets.Expects{Tools: []datasets.ExpectedCall{with(datasets.MatchSubset)}}, []trace.Action{action("search", `{"q": "herons"}`)}, 1, true, "1 of 1 expected tool calls"},
		"a subset has no more":  {datasets.Expects{Tools: []datasets.ExpectedCall{with(datasets.MatchSubset)}}, []trace.Action{action("search", `{"q": "herons", "x": 1}`)}, 0, false, "0 of 1 expected tool calls"},
		"a superset has more":   {datasets.Expects{Tools: []datasets.ExpectedCall{with(datasets.MatchSuperset)}}, []trace.Action{action("search", `{"q": "herons", "n": 3, "x": 1}`)}, 1, true, "1 of 1 expected tool calls"},
		"arguments ignored":     {datasets.Expects{Tools: []datasets.ExpectedCall{with(datasets.MatchIgnore)}}, []trace.Action{action("search", `"no object"`)}, 1, true, "1 of 1 expected tool calls"},
		"dates in any form": {datasets.Expects{Tools: []datasets.ExpectedCall{{Name: "on", Args: map[string]any{"day": "2024-03-05"}}}},
			[]trace.Action{action("on", `{"day": "5 March 2024"}`)}, 1, true, "1 of 1 expected tool calls"},
		"nested": {datasets.Expects{Tools: []datasets.ExpectedCall{{Name: "on", Args: map[string]any{"at": []any{1, map[string]any{"x": "2"}}}}}},
			[]trace.Action{action("on", `{"at": [1.0, {"x": 2}]}`)}, 1, true, "1 of 1 expected tool calls"},
		"one call for one": {datasets.Expects{Tools: []datasets.ExpectedCall{calc, calc}}, []trace.Action{action("calc", `{}`)}, 1, false, "1 of 2 expected tool calls"},
		"a general and a special one": {datasets.Expects{Tools: []datasets.ExpectedCall{with(datasets.MatchIgnore), search}},
			[]trace.Action{right, action("search", `{"q": "x"}`)}, 2, true, "2 of 2 expected tool calls"},
		"extra calls are allowed": {datasets.Expects{Tools: []datasets.ExpectedCall{calc}}, []trace.Action{right, action("calc", `{}`)}, 1, true, "1 of 1 expected tool calls"},
		"in order":                {datasets.Expects{Tools: []datasets.ExpectedCall{search, calc}, Order: datasets.OrderInOrder}, []trace.Action{right, action("x", `{}`), action("calc", `{}`)}, 2, true, "2 of 2 expected tool calls"},
		"out of order":            {datasets.Expects{Tools: []datasets.ExpectedCall{search, calc}, Order: datasets.OrderInOrder}, []trace.Action{action("calc", `{}`), right}, 2, false, "the expected tool calls were made in another order"},
		"exactly these":           {datasets.Expects{Tools: []datasets.ExpectedCall{search}, Order: datasets.OrderExact}, []trace.Action{right, right}, 1, false, "the expected tool calls were made in another order"},
		"forbidden":               {datasets.Expects{Forbidden: []string{"rm"}}, []trace.Action{action("rm", `{}`), action("rm", `{}`)}, 0, false, "forbidden tools were called: rm"},
		"not forbidden":           {datasets.Expects{Forbidden: []string{"rm"}}, []trace.Action{right}, 0, true, "0 of 0 expected tool calls"},
		"none":                    {datasets.Expects{None: true}, nil, 0, true, "0 of 0 expected tool calls"},
		"not none":                {datasets.Expects{None: true}, []trace.Action{right}, 0, false, "1 tool calls, but the query expects none"},
	} {
		t.Run(name, func(t *testing.T) {
			got := judge.CompareCalls(c.expects, c.actions)
			v := got.Verdict()
			if got.Matched != c.matched || got.Right != c.right || v.Reason != c.reason || (v.Verdict == judge.Correct) != c.right || v.By != judge.ByTools {
				t.Errorf("got %+v, %+v", got, v)
			}
		})
	}
}

// TestLargestMatching: the matching is as large as that of any order of the expected calls.
func TestLargestMatching(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.IntRange(0, 2)
		var e datasets.Expects
		for _, v := range rapid.SliceOfN(value, 0, 4).Draw(t, "expected") {
			call := datasets.ExpectedCall{Name: "f", Args: map[string]any{"v": v}}
			if rapid.Bool().Draw(t, "any") {
				call.Match = datasets.MatchIgnore
			}
			e.Tools = append(e.Tools, call)
		}
		var actions []trace.Action
		for _, v := range rapid.SliceOfN(value, 0, 4).Draw(t, "made") {
			actions = append(actions, action("f", fmt.Sprintf(`{"v": %d}`, v)))
		}
		best := 0
		var greedy func(rest []datasets.ExpectedCall, used map[int]bool, n int)
		greedy = func(rest []datasets.ExpectedCall, used map[int]bool, n int) {
			best = max(best, n)
			if len(rest) == 0 {
				return
			}
			greedy(rest[1:], used, n)
			for j := range actions {
				one := datasets.Expects{Tools: rest[:1]}
				if !used[j] && judge.CompareCalls(one, actions[j:j+1]).Matched == 1 {
					used[j] = true
					greedy(rest[1:], used, n+1)
					delete(used, j)
				}
			}
		}
		greedy(e.Tools, map[int]bool{}, 0)
		if got := judge.CompareCalls(e, actions).Matched; got != best {
			t.Fatalf("%d matched, and %d can be", got, best)
		}
	})
}
