package planner

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/tool"
)

// Step is one step of a plan. Tool is nil if no available tool can help.
type Step struct {
	Step   int     `json:"step"` // from 1
	Action string  `json:"action"`
	Tool   *string `json:"tool"`
	// Input is the input for the tool; #1 means the result of step 1. For a step that chooses, Input is a
	// condition such as "#3 > 0 ? #1 : #2": the first result if the condition is true, otherwise the second.
	// The offline model follows a step by the form of its Input: runner/offline/plan.go.
	Input string `json:"input,omitempty"`
}

// Plan is the output of the tool.
type Plan struct {
	Goal        string   `json:"goal"`
	Constraints []string `json:"constraints"`
	Tools       []string `json:"tools"` // all tools that the steps may name
	Steps       []Step   `json:"steps"`
}

// Version changes when a goal could get another plan.
const Version = "planner/v8"

// draft is a plan in progress, with the tools for look-ups and for calculations.
type draft struct {
	plan            *Plan
	lookup, compute *string
}

// BuildPlan plans how to reach a goal with the given tools. First come the descriptions in the goal, from the
// inside out, then the question about them, and then the calculation. If no rule divides the goal, the plan
// is one look-up.
func BuildPlan(goal string, constraints []string, tools []tool.Spec) Plan {
	goal = strings.Join(strings.Fields(goal), " ")
	p := Plan{Goal: goal, Constraints: append([]string{}, constraints...), Tools: []string{}}
	d := draft{plan: &p}
	for _, t := range tools {
		p.Tools = append(p.Tools, t.Name)
		if t.Evidence && d.lookup == nil {
			d.lookup = &t.Name
		}
		if t.Name == "calc" {
			d.compute = &t.Name
		}
	}
	if len(constraints) == 0 {
		p.Constraints = constraintsOf(goal)
	}
	question := withoutForm(goal)
	pure := pureArithmetic(question)
	if i := strings.LastIndex(question, "?"); i > 0 {
		question = question[:i] // the text after it is about the form of the answer
	}
	question = pattern("leftover").ReplaceAllString(pattern("rounding").ReplaceAllString(strings.TrimRight(question, " ."),
		""), "")
	t, ok := taskOf(question)
	numbers := ok && number(t.group["a"]) != "" && number(t.group["b"]) != ""
	switch {
	case numbers, ok && !pure && t.group["a"] != "":
		d.carryOut(t, question)
	case pure:
		d.calculate("Compute the result from the numbers of the question", "")
	default:
		d.find(d.nest(question, false))
	}
	last := "Check the result against the goal and its constraints, then answer"
	if d.lookup != nil {
		last += " with citations"
	}
	d.add(last, nil, "")
	return p
}

// constraintsOf returns the demands of a goal on the form and the scope of its answer, in the order of the
// goal: rounding, a unit, a length, a limit, a source to leave out.
func constraintsOf(goal string) []string {
	var found [][]int // places of the constraints
	for _, name := range []string{"rounding", "constraint"} {
		found = append(found, pattern(name).FindAllStringIndex(goal, -1)...)
	}
	found = append(found, formsOf(goal)...)
	for _, at := range pattern("unit").FindAllStringSubmatchIndex(goal, -1) {
		if _, ok := value.ParseUnit(goal[at[2]:at[3]]); ok {
			found = append(found, []int{at[0], at[3]})
		}
	}
	slices.SortStableFunc(found, func(a, b []int) int { return cmp.Or(a[0]-b[0], b[1]-a[1]) })
	out, end := []string{}, 0
	for _, at := range found {
		if at[0] >= end { // not a part of the constraint before
			out, end = append(out, strings.TrimSpace(goal[at[0]:at[1]])), at[1]
		}
	}
	return out
}

// formsOf returns the places where a goal says which form its answer must have: a length, an order, a list.
func formsOf(goal string) [][]int {
	return slices.DeleteFunc(pattern("form").FindAllStringIndex(goal, -1), func(at []int) bool {
		return pattern("partitive").MatchString(goal[at[1]:])
	})
}

// withoutForm returns a goal without its demands on the form of the answer. If at most one word would be left,
// it returns the goal unchanged.
func withoutForm(goal string) string {
	rest := goal
	for _, at := range slices.Backward(formsOf(goal)) {
		rest = strings.TrimRight(rest[:at[0]], " ,;:") + " " + strings.TrimLeft(rest[at[1]:], " ,;:")
	}
	rest = pattern("form left").ReplaceAllString(strings.TrimSpace(rest), "$1")
	if len(strings.Fields(rest)) < 2 {
		return goal
	}
	return rest
}

// pureArithmetic reports whether a goal has only digits, operators and the usual words around a calculation.
func pureArithmetic(goal string) bool {
	for _, name := range []string{"rounding", "arithmetic", "around"} {
		goal = pattern(name).ReplaceAllString(goal, " ")
	}
	return !pattern("letter").MatchString(goal)
}

// calculate adds a calculation and returns the name of its result for later steps.
func (d *draft) calculate(action, input string) string {
	if d.compute == nil {
		action += ", by hand, digit by digit"
	}
	return d.add(action, d.compute, input)
}

// carryOut adds the steps of an operation: the look-ups of its operands, the question about them, the
// calculation and, for a comparison, the choice.
func (d *draft) carryOut(t task, question string) {
	t.align(question)
	for _, side := range []string{"a", "b"} {
		t.group[side] = d.nest(t.group[side], t.lookups[0] != "$a")
	}
	x, y := d.operand(t.expand(t.lookups[0], question)), d.operand(t.expand(t.lookups[1], question))
	in, sign := "", ">"
	if _, ok := value.ParseUnit(t.group["unit"]); ok {
		in = " in " + t.group["unit"]
	}
	if known().comparatives[strings.ToLower(t.group["than"])].less {
		sign = "<"
	}
	fill := strings.NewReplacer("$x", x, "$y", y, "$in", in, "$sign", sign, "$a", t.group["a"], "$b",
		t.group["b"]).Replace
	c := known().calculations[t.name]
	result := d.calculate(c[0], fill(c[1]))
	if condition := fill(c[2]); condition != "" {
		d.add(fmt.Sprintf("Answer with %s if %s is %s 0, else with %s", fill(c[3]), result, condition, fill(c[4])), nil,
			fmt.Sprintf("%s %s 0 ? %s : %s", result, condition, fill(c[3]), fill(c[4])))
	}
}

// operand returns the input of a calculation for an operand: a number, the result of an earlier step, or the
// result of a new look-up.
func (d *draft) operand(input string) string {
	if n := number(input); n != "" || input == "" {
		return n
	}
	if strings.HasPrefix(input, "#") && !strings.Contains(input, " ") {
		return input
	}
	return d.find(input)
}

// find adds a look-up and returns the name of its result for later steps.
func (d *draft) find(what string) string {
	if d.lookup == nil {
		return d.add("Recall: "+what+". Nothing can be looked up: abstain unless it is certain", nil, what)
	}
	return d.add("Find out: "+what, d.lookup, what)
}

func (d *draft) add(action string, tool *string, input string) string {
	n := len(d.plan.Steps) + 1
	d.plan.Steps = append(d.plan.Steps, Step{Step: n, Action: action, Tool: tool, Input: input})
	return "#" + strconv.Itoa(n)
}
