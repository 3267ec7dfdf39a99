package offline

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// decide answers the question: a calculation that it spells out, a conversion of a number
// that it gives, a task on two operands, a statement, else a lookup.
func (d *desk) decide() finding {
	if expr, ok := d.q.expression(); ok {
		return d.compute(expr, nil)
	}
	for _, v := range d.q.values { // a quantity of the question, to be converted
		if u := d.q.unit; u != nil && v.Kind == value.Quantity && v.Low.Dim() == u.Dim && v.Low.Unit.Name != u.Name {
			return d.compute(inUnit(v.Low, u), nil)
		}
	}
	if t, ok := d.q.readTask(); ok {
		return d.two(t)
	}
	a := d.q.whole()
	if d.q.want.kind == truth {
		return d.check(&a)
	}
	return d.finish(d.lookup(&a))
}

// finish converts and rounds what a lookup found, where the question asks for it.
func (d *desk) finish(f finding) finding {
	v := f.value
	if f.state != found || v.Kind != value.Quantity || d.q.unit == nil || v.Low.Dim() != d.q.unit.Dim {
		return f
	}
	if expr := inUnit(v.Low, d.q.unit); d.q.digits != nil || expr != literal(v.Low.Rat) {
		return d.compute(expr, f.leads)
	}
	f.text = literal(v.Low.Rat)
	return f
}

// two looks both operands up and has the calculator do the rest.
func (d *desk) two(t task) finding {
	var fs []finding
	for i := range t.asks {
		fs = append(fs, d.lookup(&t.asks[i]))
	}
	for _, v := range t.given {
		fs = append(fs, finding{state: found, value: v})
	}
	var leads []lead
	for _, s := range []state{pending, absent} {
		if slices.ContainsFunc(fs, func(f finding) bool { return f.state == s }) {
			return finding{state: s}
		}
	}
	for _, f := range fs {
		leads = append(leads, f.leads...)
	}
	unit := d.q.unit
	if unit == nil || unit.Dim == years().Dim {
		unit = fs[0].value.Low.Unit
	}
	a, okA := fs[0].operand(unit)
	b, okB := fs[1].operand(unit)
	if !okA || !okB || fs[0].value.Kind == value.Quantity && fs[1].value.Kind == value.Quantity && fs[0].value.Low.Dim() != fs[1].value.Low.Dim() {
		return finding{}
	}
	switch t.op {
	case "compare", "truth":
		return d.compare(t, fs, a, b, leads)
	case "age":
		if x, y := fs[0].value.Date, fs[1].value.Date; x.Month > 0 && y.Month > 0 && (x.Month < y.Month || x.Month == y.Month && x.Day < y.Day) {
			b += " - 1"
		}
		return d.compute(a+" - "+b, leads)
	}
	if t.base {
		a, b = b, a
	}
	sign := map[string]string{"difference": " - ", "sum": " + ", "product": " * ", "percent": " / ", "ratio": " / "}[t.op]
	if t.op == "percent" {
		a = "100 * " + a
	}
	f := d.compute(a+sign+b, leads)
	switch t.op {
	case "difference":
		f.text = strings.TrimPrefix(f.text, "-")
	case "percent":
		f.text += "%"
	}
	return f
}

// compare goes by the sign of the difference, which the calculator gives.
func (d *desk) compare(t task, fs []finding, a, b string, leads []lead) finding {
	expr := a + " - " + b
	result, s := d.calc(expr)
	if s != found {
		return finding{state: s}
	}
	f := finding{state: found, leads: leads, work: expr + " = " + result}
	first := strings.HasPrefix(result, "-") == t.less && result != "0"
	switch {
	case t.op == "truth":
		f.text = "no"
		if first {
			f.text = "yes"
		}
	case result == "0":
		return finding{}
	case first:
		f.text = fs[0].owner(&t.asks[0])
	default:
		f.text = fs[1].owner(&t.asks[1])
	}
	return f
}

// owner is what a comparison answers with: the article that the operand's description led
// to, or the operand's own name.
func (f finding) owner(a *ask) string {
	own := f.leads[0].last.article
	for _, n := range a.names {
		if slices.ContainsFunc(n.concepts, func(c string) bool { return own.title[c] }) {
			return a.label
		}
	}
	return own.name
}

// check answers a question by yes or no: yes where a lead says nearly all of it.
func (d *desk) check(a *ask) finding {
	e, s := d.gather(a)
	if s != found {
		return finding{state: s}
	}
	f := finding{state: found, text: "no", leads: e.leads(a)}
	if len(f.leads) == 0 || f.leads[0].cover < minScore {
		return finding{}
	}
	if f.leads = f.leads[:1]; f.leads[0].cover >= 0.85 {
		f.text = "yes"
	}
	return f
}
