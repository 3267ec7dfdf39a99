package offline

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/value"
)

// calc returns the value of an expression, and calls the calculator if the conversation does not have the
// value yet.
func (d *lookupState) calc(expr string) (string, state) {
	if o, ok := d.conv.find(calcTool, "expression", expr); ok {
		result, ok := o.value()
		if !ok {
			return "", absent
		}
		return result, found
	}
	if !d.conv.can(calcTool) {
		return "", absent
	}
	d.call(calcTool, map[string]any{"expression": expr})
	return "", pending
}

// compute calls the calculator for an expression. It rounds the value as the question asks. If the question
// does not ask for rounding, a long fraction is rounded to four decimals.
func (d *lookupState) compute(expr string, leads []lead) finding {
	if d.q.digits != nil {
		expr = rounded(expr, *d.q.digits)
	}
	result, s := d.calc(expr)
	if _, fraction, _ := strings.Cut(result, "."); d.q.digits == nil && len(fraction) > 6 {
		expr = rounded(expr, 4)
		result, s = d.calc(expr)
	}
	return finding{state: s, text: result, leads: leads, work: expr + " = " + result}
}

// rounded returns an expression with which the calculator rounds expr half up.
func rounded(expr string, digits int) string {
	p := "1" + strings.Repeat("0", max(digits, -digits))
	switch {
	case digits > 0:
		return fmt.Sprintf("((%s) * %s + 1/2) // 1 / %s", expr, p, p)
	case digits < 0:
		return fmt.Sprintf("((%s) / %s + 1/2) // 1 * %s", expr, p, p)
	}
	return fmt.Sprintf("(%s + 1/2) // 1", expr)
}

// literal writes a number for the calculator: as a decimal if it has finitely many digits, otherwise as a
// fraction.
func literal(r *big.Rat) string {
	if n, exact := r.FloatPrec(); exact {
		return r.FloatString(n)
	}
	return "(" + strings.Replace(r.String(), "/", " / ", 1) + ")"
}

// inUnit returns an expression that converts a number to another unit of its dimension.
func inUnit(n value.Number, to *value.Unit) string {
	from, expr := n.Unit, literal(n.Rat)
	if from == nil || to == nil || from.Dim != to.Dim {
		return expr
	}
	factor, zero := new(big.Rat).Quo(from.Factor, to.Factor), new(big.Rat)
	if from.Offset != nil { // temperature scales have different zero points
		zero.Add(zero, from.Offset)
	}
	if to.Offset != nil {
		zero.Sub(zero, to.Offset)
	}
	switch {
	case zero.Sign() != 0:
		return fmt.Sprintf("(%s * %s + %s) / %s", expr, literal(from.Factor), literal(zero), literal(to.Factor))
	case factor.Cmp(big.NewRat(1, 1)) == 0:
		return expr
	}
	if _, ends := factor.FloatPrec(); !ends {
		return expr + " / " + literal(factor.Inv(factor))
	}
	return expr + " * " + literal(factor)
}

// operand writes a value for the calculator in the given unit. A date is written as its year or, if count is in
// days, as the number of its day.
func operand(v value.Value, u *value.Unit, count string) (string, bool) {
	expr := ""
	switch {
	case v.Kind == value.Date && count == "days" && v.Date.Day > 0 && !v.Date.NoYear:
		return dayNumber(v.Date), true
	case v.Kind == value.Date:
		return fmt.Sprint(v.Date.Year), !v.Date.NoYear
	case !v.Numeric():
		return "", false
	}
	expr = inUnit(v.Low, u)
	if v.Kind == value.Percent {
		expr += " / 100"
	}
	if strings.Contains(expr, " ") || strings.HasPrefix(expr, "-") {
		expr = "(" + expr + ")"
	}
	return expr, true
}

// dayNumber returns an expression for the number of days from 1 March of the year 0 to a date.
func dayNumber(c value.Calendar) string {
	y, m := c.Year, (int(c.Month)+9)%12 // the year begins in March, so that 29 February is its last day
	if m > 9 {
		y--
	}
	return fmt.Sprintf("(365 * %d + %[1]d // 4 - %[1]d // 100 + %[1]d // 400 + (153 * %d + 2) // 5 + %d)", y, m, c.Day)
}

// conversion reads a quantity in the question and the unit to convert it to.
func (q *question) conversion() (string, bool) {
	for _, v := range q.values {
		if v.Kind != value.Quantity {
			continue
		}
		for i, w := range q.words {
			u, _ := q.unitAt(i)
			if u != nil && (w.Start >= v.End || w.End <= v.Start) && u.Dim == v.Low.Dim() && u.Name != v.Low.Unit.Name {
				return inUnit(v.Low, u), true
			}
		}
	}
	return "", false
}

var calculation = sync.OnceValue(func() [2]*regexp.Regexp {
	return [2]*regexp.Regexp{regexp.MustCompile(`[-(0-9][-+*/().0-9 ]*[0-9)]`),
		regexp.MustCompile(`[0-9][ )]*[-+*/]+[ (]*-?[0-9]`)}
})

// readCalculation reads the calculation or the conversion that the question contains.
func (q *question) readCalculation() {
	for _, read := range []func() (string, bool){q.expression, q.conversion} {
		if written, ok := read(); ok {
			q.calculation = written
			return
		}
	}
}

// expression reads a calculation that the question contains: "12 times 3.5", "(1,200 + 34) × 5", "15% of 80".
// The rest of the question must have only words without content.
func (q *question) expression() (string, bool) {
	s := strings.TrimRight(q.text, "?.= ") + " "
	for _, v := range slices.Backward(q.values) {
		if (v.Kind == value.Count || v.Kind == value.Percent) && v.Relation == value.Equal && !v.Ordinal {
			number, after := literal(v.Low.Rat), s[v.End:]
			if of, ok := strings.CutPrefix(after, " of "); ok && v.Kind == value.Percent {
				number, after = number+" / 100 * ", of
			}
			s = s[:v.Start] + number + after
		}
	}
	s = strings.ToLower(s)
	for _, o := range words().operators {
		s = o.words.ReplaceAllString(s, o.written)
	}
	for _, at := range calculation()[0].FindAllStringIndex(s, -1) {
		if expr := s[at[0]:at[1]]; calculation()[1].MatchString(expr) {
			around := wordsOf(s[:at[0]] + " " + s[at[1]:])
			return expr, !slices.ContainsFunc(around, func(w word) bool { return w.concept != "" && !w.number })
		}
	}
	return "", false
}
