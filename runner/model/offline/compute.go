package offline

import (
	"fmt"
	"strings"
)

// term is an expression for the calculator that stands for a node's value.
type term struct {
	state  state
	expr   string
	plain  bool // a bare number, which can be compared
	unit   unit
	date   date
	dated  bool
	proofs []proof
	from   finding // the lookup behind a bare term
}

// term builds the expression of a numeric node. Operands that still need a search are
// pending, all of them at once: independent searches go out in one turn.
func (d *desk) term(n *node) term {
	switch n.op {
	case opLiteral:
		return term{state: found, expr: n.literal, plain: plainNumber(n.literal), unit: n.unit}
	case opAsk:
		return d.lookup(n.ask).term()
	}
	args := make([]term, len(n.args))
	out := term{state: found}
	for i, a := range n.args {
		args[i] = d.term(a)
		out.proofs = append(out.proofs, args[i].proofs...)
	}
	for _, a := range args {
		if a.state == pending {
			return term{state: pending}
		}
		if a.state == absent {
			out.state = absent
		}
	}
	if out.state == absent || len(args) != 2 {
		return term{}
	}
	return d.combine(n.op, args[0], args[1], out)
}

func (f finding) term() term {
	if f.state == found && f.number == "" {
		return term{}
	}
	return term{state: f.state, expr: f.number, plain: true, unit: f.unit, date: f.date, dated: f.date.year != 0, proofs: f.proofs, from: f}
}

// combine writes one operation over two terms, in one unit where that matters.
func (d *desk) combine(o op, a, b term, out term) term {
	if o == opGap || o == opAge {
		b = b.unlike(a)
	}
	if o == opGap && a.day() && b.day() {
		if unit := d.question.format.unit; unit.name == "day" || unit.name == "week" {
			return days(a, b, unit, out)
		}
	}
	switch o {
	case opSum, opMinus, opGap, opRatio, opPercent, opChange, opMean:
		var ok bool
		if a, b, ok = d.oneUnit(a, b, &out); !ok {
			return term{state: out.state}
		}
		out.unit = a.unit
	}
	switch o {
	case opSum:
		out.expr = wrap(a.expr) + " + " + wrap(b.expr)
	case opMinus:
		out.expr = wrap(a.expr) + " - " + wrap(b.expr)
	case opGap:
		out.expr, out.unit = gap(a, b), a.unit
	case opAge:
		out.expr = age(a, b)
	case opDuration:
		return d.duration(a, b, out)
	case opProduct:
		out.expr = wrap(a.expr) + " * " + wrap(b.expr)
		if out.unit = a.unit; a.unit.name == "" {
			out.unit = b.unit
		} else if b.unit.name != "" {
			out.unit = unit{}
		}
	case opPower:
		out.expr = wrap(a.expr) + " ** " + wrap(b.expr)
	case opRatio:
		out.expr = wrap(a.expr) + " / " + wrap(b.expr)
		if b.unit.name != "" {
			out.unit = unit{}
		}
	case opPercent:
		out.expr, out.unit = "100 * "+wrap(a.expr)+" / "+wrap(b.expr), units().forms["percent"]
	case opPercentOf:
		out.expr, out.unit = wrap(a.expr)+" * "+wrap(b.expr)+" / 100", b.unit
	case opChange:
		out.expr, out.unit = "100 * ("+wrap(a.expr)+" - "+wrap(b.expr)+") / "+wrap(b.expr), units().forms["percent"]
	case opMean:
		out.expr = "(" + wrap(a.expr) + " + " + wrap(b.expr) + ") / 2"
	default:
		return term{}
	}
	return out
}

// duration divides a distance by a speed, the distance in the speed's unit of length.
func (d *desk) duration(distance, speed, out term) term {
	length, per, ok := strings.Cut(speed.unit.name, " per ")
	l, known := unitNamed(length)
	t, timed := unitNamed(per)
	if !ok || !known || !timed || distance.unit.dim != l.dim {
		return term{}
	}
	distance = d.toUnit(distance, l)
	if distance.state != found {
		return term{state: distance.state}
	}
	out.proofs = append(distance.proofs, speed.proofs...)
	out.expr, out.unit = wrap(distance.expr)+" / "+wrap(speed.expr), t
	return out
}

// wrap brackets what is not a bare number.
func wrap(expr string) string {
	if plainNumber(expr) && !strings.HasPrefix(expr, "-") {
		return expr
	}
	return "(" + expr + ")"
}

// gap puts the larger number first; between a year before Christ and one after, the year
// 0 that never was is taken off.
func gap(a, b term) string {
	if a.plain && b.plain && compareNumbers(a.expr, b.expr) < 0 {
		a, b = b, a
	}
	expr := wrap(a.expr) + " - " + wrap(b.expr)
	if a.dated && b.dated && a.date.year > 0 && b.date.year < 0 {
		expr += " - 1"
	}
	return expr
}

// unlike gives the next best reading of a term that has the same value from the same
// passage as another: two things asked for a difference differ.
func (t term) unlike(other term) term {
	if !t.plain || !other.plain || t.expr != other.expr || len(t.proofs) == 0 || len(other.proofs) == 0 || t.proofs[len(t.proofs)-1].text != other.proofs[len(other.proofs)-1].text {
		return t
	}
	for _, s := range t.from.rivals {
		if next := s.finding(t.from.at, nil).term(); next.state == found && next.expr != t.expr && next.unit.dim == t.unit.dim {
			return next
		}
	}
	return t
}

func (t term) day() bool { return t.dated && t.date.day > 0 && t.date.month > 0 && t.date.year > 0 }

// days counts the days between two dates by the day numbers of the Gregorian calendar.
func days(a, b term, in unit, out term) term {
	if a.date.before(b.date) < 0 {
		a, b = b, a
	}
	out.expr, out.unit = dayNumberOf(a.date)+" - ("+dayNumberOf(b.date)+")", units().forms["day"]
	if in.name == "week" {
		out.expr, out.unit = "("+out.expr+") / 7", in
	}
	return out
}

// dayNumberOf writes the number of days up to a date, counted from March so that the leap
// day ends the year.
func dayNumberOf(d date) string {
	y, m := d.year, d.month-3
	if m < 0 {
		y, m = y-1, m+12
	}
	return fmt.Sprintf("365 * %d + %d // 4 - %d // 100 + %d // 400 + (153 * %d + 2) // 5 + %d", y, y, y, y, m, d.day)
}

// age counts full years: one less where the birthday of the event's year was still to come.
func age(birth, event term) string {
	expr := wrap(event.expr) + " - " + wrap(birth.expr)
	x, y := birth.date, event.date
	if x.month > 0 && y.month > 0 && (y.month < x.month || y.month == x.month && x.day > 0 && y.day > 0 && y.day < x.day) {
		expr += " - 1"
	}
	if event.date.year > 0 && birth.date.year < 0 {
		expr += " - 1"
	}
	return expr
}

// oneUnit brings b to the unit of a: by the metric prefixes, by another number of the same
// passage, or by a factor that a search brings. Numbers without a unit pass.
func (d *desk) oneUnit(a, b term, out *term) (term, term, bool) {
	if a.unit.name == b.unit.name || a.unit.name == "" || b.unit.name == "" {
		if a.unit.name == "" {
			a.unit = b.unit
		}
		return a, b, true
	}
	if a.unit.dim != b.unit.dim {
		out.state = absent
		return a, b, false
	}
	if other, ok := b.from.inUnit(a.unit); ok {
		return a, other, true
	}
	if other, ok := a.from.inUnit(b.unit); ok {
		return other, b, true
	}
	t := d.toUnit(b, a.unit)
	out.proofs = append(out.proofs, t.proofs...)
	if t.state != found {
		out.state = t.state
		return a, b, false
	}
	return a, t, true
}

// inUnit looks for the same fact in another unit: the next number of the same passage, as
// in "8,849 m (29,032 ft)".
func (f finding) inUnit(u unit) (term, bool) {
	for _, s := range f.rivals {
		if s.quantity.unit.name == u.name && len(f.proofs) > 0 && s.passage.text == f.proofs[len(f.proofs)-1].text {
			return s.finding(f.at, nil).term(), true
		}
	}
	return term{}, false
}

// toUnit converts a term, through calc alone: by a power of ten between metric units, else
// by a retrieved factor.
func (d *desk) toUnit(t term, to unit) term {
	switch {
	case t.unit.name == to.name || t.unit.name == "" || to.name == "":
		return t
	case t.unit.dim != to.dim:
		return t
	case t.unit.metric && to.metric:
		t.expr = scaled(t, t.unit.scale-to.scale)
		t.unit = to
		return t
	}
	if other, ok := t.from.inUnit(to); ok {
		return other
	}
	f := d.factor(t.unit, to)
	if f.state != found {
		return term{state: f.state}
	}
	t.expr = f.apply(t.expr, t.unit, to)
	t.plain, t.unit = false, to
	t.proofs = append(t.proofs, f.proof)
	return t
}

// scaled multiplies by a power of ten. A bare number only has its decimal point moved.
func scaled(t term, power int) string {
	if t.plain && power >= 0 {
		return shift(t.expr, power)
	}
	return wrap(t.expr) + tenPower(power)
}

func tenPower(power int) string {
	switch {
	case power > 0:
		return " * 1" + strings.Repeat("0", power)
	case power < 0:
		return " / 1" + strings.Repeat("0", -power)
	default:
		return ""
	}
}
