package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

// Calls compares the tool calls of a trace with the calls that its query expects.
type Calls struct {
	Expected int  `json:"expected"`
	None     bool `json:"none"` // the query expects that no call is made
	Made     int  `json:"made"`
	// Matched counts the expected calls that were made: a maximum matching, so that each
	// call matches at most one expected call.
	Matched   int      `json:"matched"`
	InOrder   bool     `json:"in_order"`  // the expected order was kept
	Forbidden []string `json:"forbidden"` // forbidden tools that were called
	// Right is true if all expected calls were made in the expected order, and no forbidden tool was called. If
	// None is set, no tool at all must be called.
	Right bool `json:"right"`
}

// CompareCalls compares the actions of a trace, in the order in which the agent requested them, with the
// expected calls. Arguments are compared as values: 1 equals 1.0 and "1", and dates are equal in any form.
func CompareCalls(e datasets.Expects, actions []trace.Action) Calls {
	c := Calls{Expected: len(e.Tools), None: e.None, Made: len(actions), Forbidden: []string{}}
	equal := make([][]bool, len(e.Tools))
	for i, want := range e.Tools {
		equal[i] = make([]bool, len(actions))
		for j, a := range actions {
			equal[i][j] = matches(want, a)
		}
	}
	c.Matched = largestMatching(equal)
	for _, a := range actions {
		if slices.Contains(e.Forbidden, a.Name) && !slices.Contains(c.Forbidden, a.Name) {
			c.Forbidden = append(c.Forbidden, a.Name)
		}
	}
	switch e.Order {
	case datasets.OrderExact:
		c.InOrder = len(actions) == len(e.Tools)
		for i := range e.Tools {
			c.InOrder = c.InOrder && equal[i][i]
		}
	case datasets.OrderInOrder:
		next := 0
		for j := range actions {
			if next < len(e.Tools) && equal[next][j] {
				next++
			}
		}
		c.InOrder = next == len(e.Tools)
	default:
		c.InOrder = c.Matched == c.Expected
	}
	c.Right = c.Matched == c.Expected && c.InOrder && len(c.Forbidden) == 0 && !(e.None && c.Made > 0)
	return c
}

// Verdict returns the ruling on the calls, with its reason.
func (c Calls) Verdict() Verdict {
	switch {
	case c.Right:
		return Verdict{Correct, ByTools, fmt.Sprintf("%d of %d expected tool calls", c.Matched, c.Expected)}
	case len(c.Forbidden) > 0:
		return Verdict{Incorrect, ByTools, "forbidden tools were called: " + strings.Join(c.Forbidden, ", ")}
	case c.Expected == 0:
		return Verdict{Incorrect, ByTools, fmt.Sprintf("%d tool calls, but the query expects none", c.Made)}
	case c.Matched == c.Expected:
		return Verdict{Incorrect, ByTools, "the expected tool calls were made in another order"}
	}
	return Verdict{Incorrect, ByTools, fmt.Sprintf("%d of %d expected tool calls", c.Matched, c.Expected)}
}

// largestMatching returns the size of a maximum bipartite matching (Kuhn's algorithm). Rows are expected calls,
// columns are calls that were made.
func largestMatching(equal [][]bool) int {
	owner := map[int]int{} // the row of each matched column
	var place func(row int, tried map[int]bool) bool
	place = func(row int, tried map[int]bool) bool {
		for column, ok := range equal[row] {
			if !ok || tried[column] {
				continue
			}
			tried[column] = true
			if other, taken := owner[column]; !taken || place(other, tried) {
				owner[column] = row
				return true
			}
		}
		return false
	}
	n := 0
	for row := range equal {
		if place(row, map[int]bool{}) {
			n++
		}
	}
	return n
}

func matches(want datasets.ExpectedCall, a trace.Action) bool {
	if want.Name != a.Name {
		return false
	}
	how := want.Compared()
	if how == datasets.MatchIgnore {
		return true
	}
	var got map[string]any
	if json.Unmarshal(a.Input, &got) != nil {
		return false
	}
	for name, v := range want.Args {
		w, given := got[name]
		if given && !sameValue(v, w) || !given && how != datasets.MatchSubset {
			return false
		}
	}
	for name := range got {
		if _, expected := want.Args[name]; !expected && how != datasets.MatchSuperset {
			return false
		}
	}
	return true
}

// sameValue reports whether two values of JSON or YAML are equal.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, sameValue)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameValue)
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	x, y := strings.TrimSpace(fmt.Sprint(a)), strings.TrimSpace(fmt.Sprint(b))
	if x == y || a == nil || b == nil {
		return x == y
	}
	if m, ok := new(big.Rat).SetString(x); ok {
		n, ok := new(big.Rat).SetString(y)
		return ok && m.Cmp(n) == 0
	}
	day, err := answer.Normalize(x, answer.Date, answer.Options{})
	if err != nil {
		return false
	}
	other, err := answer.Normalize(y, answer.Date, answer.Options{})
	return err == nil && day.Key == other.Key
}
