package offline

import (
	"fmt"
	"strings"
)

// rounded writes rounding, half up, as an expression: the calculator does it.
func rounded(expr string, places int) string {
	switch {
	case places > 0:
		p := "1" + strings.Repeat("0", places)
		return fmt.Sprintf("((%s) * %s + 1/2) // 1 / %s", expr, p, p)
	case places < 0:
		p := "1" + strings.Repeat("0", -places)
		return fmt.Sprintf("((%s) / %s + 1/2) // 1 * %s", expr, p, p)
	default:
		return fmt.Sprintf("(%s + 1/2) // 1", expr)
	}
}

// placesFor gives the decimals that keep n significant figures of a value.
func placesFor(value string, n int) int {
	whole, frac, _ := strings.Cut(strings.TrimPrefix(value, "-"), ".")
	whole = strings.TrimLeft(whole, "0")
	if whole != "" {
		return n - len(whole)
	}
	zeros := len(frac) - len(strings.TrimLeft(frac, "0"))
	return n + zeros
}

// calc gives the value of an expression, calling the calculator if it has not been called.
func (d *desk) calc(expr string) (string, state) {
	if o, ok := d.conv.find(calcTool, "expression", expr); ok {
		value, ok := o.value()
		if !ok {
			return "", absent
		}
		return value, found
	}
	if !d.conv.has(calcTool) || d.conv.exhausted() {
		return "", absent
	}
	d.call(calcTool, map[string]any{"expression": expr})
	return "", pending
}

// longDecimals is the number of decimals beyond which an unrounded result is rounded to
// shownDecimals for the answer.
const (
	longDecimals  = 6
	shownDecimals = 4
)

// computed carries a term through unit, calculator and rounding.
func (d *desk) computed(n *node) (finding, string) {
	t := d.term(n)
	if t.state == found && d.question.format.unit.name != "" {
		proofs := t.proofs
		if t = d.toUnit(t, d.question.format.unit); t.state == found && len(t.proofs) < len(proofs) {
			t.proofs = proofs
		}
	}
	if t.state != found {
		return finding{state: t.state}, ""
	}
	f := finding{state: found, number: t.expr, unit: t.unit, proofs: t.proofs}
	format := d.question.format
	if plainNumber(t.expr) && n.op == opAsk && !format.round && format.significant == 0 {
		f.text = t.expr
		return f, ""
	}
	expr := t.expr
	if format.round && format.significant == 0 {
		expr = rounded(expr, format.places)
	}
	value, s := d.calc(expr)
	if s != found {
		return finding{state: s}, ""
	}
	if places, again := d.shorten(value, format); again {
		expr = rounded(t.expr, places)
		if value, s = d.calc(expr); s != found {
			return finding{state: s}, ""
		}
	}
	work := expr + " = " + value
	if n.op == opGap {
		value = strings.TrimPrefix(value, "-")
	}
	f.number, f.text = value, value
	return f, work
}

// shorten says to how many decimals a raw result is to be rounded, if at all.
func (d *desk) shorten(value string, f format) (int, bool) {
	if f.significant > 0 {
		return placesFor(value, f.significant), true
	}
	_, frac, _ := strings.Cut(value, ".")
	return max(shownDecimals, placesFor(value, shownDecimals)), !f.round && len(frac) > longDecimals
}
