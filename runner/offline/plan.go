package offline

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/runner/offline/protocol"
)

// step is a step of a plan: a look-up, a calculation, or a choice.
type step struct {
	Step  int    `json:"step"`
	Tool  string `json:"tool"`
	Input string `json:"input"`
}

// plan reads the planner's result; nil if the planner was not called or failed.
func (c *conversation) plan() []step {
	var p struct {
		Steps []step `json:"steps"`
	}
	for _, o := range c.seen {
		if o.tool == protocol.PlannerTool && !o.failed {
			_ = json.Unmarshal([]byte(o.text), &p) // of a broken plan, use the readable part
		}
	}
	for i, s := range p.Steps {
		if search, _ := c.searcher(); s.Tool == search {
			p.Steps[i].Tool = searchTool
		}
	}
	return slices.DeleteFunc(p.Steps, func(s step) bool { return s.Input == "" })
}

// forms matches the possible forms of a step's input.
var forms = sync.OnceValue(func() (f struct{ result, calculation, choice *regexp.Regexp }) {
	f.result = regexp.MustCompile(`#(\d+)`)
	f.calculation = regexp.MustCompile(`^(.*?(?:#\d+|\d).*?)(?: in (.+))?$`)
	f.choice = regexp.MustCompile(`^(#\d+) ([<>=]) 0 \? (.+) : (.+)$`)
	return f
})

// follow executes a plan. Steps that do not depend on each other run in the same turn. The result is the result
// of the last step, with the leads of all steps.
func (d *lookupState) follow(steps []step) finding {
	results := map[string]finding{}
	var last finding
	for i, s := range steps {
		last = finding{state: found}
		refs := forms().result.FindAllString(s.Input, -1)
		for _, ref := range refs {
			last.state = min(last.state, results[ref].state)
		}
		if last.state == found {
			switch form := forms().choice.FindStringSubmatch(s.Input); {
			case form != nil:
				last = d.choice(form, results)
			case s.Tool == calcTool:
				last = d.calculate(s.Input, results)
			case s.Tool == searchTool:
				last = d.ask(s.Input, results, i == len(steps)-1)
			default:
				last = finding{}
			}
			var leads []lead
			for _, ref := range refs {
				leads = append(leads, results[ref].leads...)
			}
			last.leads = append(leads, last.leads...)
		}
		results[fmt.Sprint("#", s.Step)] = last
	}
	if strings.Contains(steps[len(steps)-1].Input, " - ") {
		last.text = strings.TrimPrefix(last.text, "-")
	}
	return last
}

// ask looks up the input of a step, in which earlier results are inserted. If the input uses exactly one
// earlier result, ask also tries the second-best value of that result. It takes the pair of values with the
// higher total score.
func (d *lookupState) ask(input string, results map[string]finding, last bool) finding {
	refs := forms().result.FindAllString(input, -1)
	lookup := func() finding {
		q := readQuestion(forms().result.ReplaceAllStringFunc(input,
			func(ref string) string { return results[ref].text }))
		if q.want.kind == truth && last {
			return d.check(&q)
		}
		return d.lookup(&q)
	}
	best := lookup()
	if len(refs) == 1 && len(results[refs[0]].other) > 0 {
		first, other := results[refs[0]], results[refs[0]].other[0]
		results[refs[0]] = other
		f := lookup()
		switch {
		case best.state == pending, f.state == pending:
			results[refs[0]], best = first, finding{state: pending}
		case f.state == found && (best.state != found || other.score+f.score > first.score+best.score):
			best = f
		default:
			first.other = nil // the choice is made
			results[refs[0]] = first
		}
	}
	if last {
		return d.finish(best)
	}
	return best
}

// choice returns one of two alternatives, by the sign of a difference.
func (d *lookupState) choice(form []string, results map[string]finding) finding {
	out, side, sign := results[form[1]], form[4], ">"
	if out.text == "0" {
		sign = "="
	} else if strings.HasPrefix(out.text, "-") {
		sign = "<"
	}
	if sign == form[2] {
		side = form[3]
	} else if sign == "=" && side != "no" {
		return finding{}
	}
	out.leads, out.text = nil, strings.TrimPrefix(side, "the ")
	if f, ok := results[side]; ok {
		out.text = f.text
	}
	return out
}

// calculate writes a calculation for the calculator. It inserts earlier results, and converts all values to one
// unit.
func (d *lookupState) calculate(input string, results map[string]finding) finding {
	m := append(forms().calculation.FindStringSubmatch(input), "", "", "")
	refs := forms().result.FindAllString(m[1], -1)
	count, whole := strings.CutPrefix(m[2], "full ")
	unit := d.q.unit
	if u, ok := value.ParseUnit(count); ok {
		unit = &u
	}
	var first value.Value
	if len(refs) > 0 {
		first = results[refs[0]].value
	}
	if first.Kind == value.Quantity && (unit == nil || unit.Dim != first.Low.Dim()) {
		unit = first.Low.Unit
	}
	shown := ""
	if unit != nil && !strings.ContainsAny(m[1], "*/") {
		shown = " " + unit.Name
	}
	for _, ref := range refs { // days are counted only between two full dates
		if results[ref].value.Date.Day == 0 {
			count = ""
		}
	}
	ok := true
	expr := forms().result.ReplaceAllStringFunc(m[1], func(ref string) string {
		v := results[ref].value
		s, fits := operand(v, unit, count)
		ok = ok && fits && (v.Kind != value.Quantity || first.Kind != value.Quantity || v.Low.Dim() == first.Low.Dim())
		return s
	})
	if !ok {
		return finding{}
	}
	if whole && len(refs) == 2 {
		if x, y := first.Date, results[refs[1]].value.Date; x.Month > 0 && y.Month > 0 &&
			(x.Month < y.Month || x.Month == y.Month && x.Day < y.Day) {
			expr += " - 1"
		}
	}
	f := d.compute(expr, nil)
	if count == "days" {
		f.work = f.text + " days" // a day number is not a fact from a source
	}
	f.value, _ = value.Parse(f.text, value.AsNumber) // later steps calculate with this value
	switch {
	case f.state != found:
	case strings.HasPrefix(expr, "100 * "):
		f.text += "%"
	default:
		f.text += shown
	}
	return f
}
