package cite

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/trace"
)

// proof holds the calculations that are based on sources. A message may show their operands.
type proof []calculation

type calculation struct {
	expression string
	operands   []fact
	result     fact
	constants  []float64 // distinct constants of it and of the calculations whose results it uses
}

// prove finds the calculations that follow from the sources: every operand is in a source, is
// the result of another proven calculation, or is one of a few constants. It repeats until it
// adds nothing, because calls of one turn may use each other's results in any order.
func prove(calcs []trace.Calculation, sources []*source) (p proof) {
	var waiting []calculation
	for _, c := range calcs {
		if n, ok := plainNumber(c.Result); ok {
			waiting = append(waiting, calculation{expression: c.Expression, operands: readOperands(c.Expression),
				result: n})
		}
	}
	for before := -1; len(p) > before; {
		before = len(p)
		waiting = slices.DeleteFunc(waiting, func(c calculation) bool {
			if !p.rests(&c, sources) {
				return false
			}
			p = append(p, c)
			return true
		})
	}
	return p
}

// plainNumber reads one plain number.
func plainNumber(s string) (fact, bool) {
	v, err := value.Parse(s, value.AsNumber)
	return newFact(v, s), err == nil && v.Kind == value.Count && !v.Doubt && v.Relation == value.Equal
}

// rests reports whether a calculation is based on sources, and notes its constants. Facts with enough
// constants give any number: 330 * 0 + 7 * 100 + 3 * 10 + 4.
func (p proof) rests(c *calculation, sources []*source) bool {
	facts := 0
	for i := range c.operands {
		op := &c.operands[i]
		// A source gives an operand as a number, as the figures before a scale word (2.1 of 2.1
		// million), as a percentage or its hundredth, or as a year.
		isStated := slices.ContainsFunc(sources, func(s *source) bool {
			return s.backs(op) || slices.ContainsFunc(s.facts(),
				func(e fact) bool { return e.Numeric() && op.Low.Rat.Cmp(e.Low.Mantissa()) == 0 })
		})
		earlier := slices.IndexFunc(p, func(c calculation) bool { return op.rounds(c.result.size) })
		switch {
		case isStated:
			facts++
		case earlier >= 0:
			facts++
			c.constants = append(c.constants, p[earlier].constants...)
		case within(op.size, math.Pow10(int(math.Round(math.Log10(op.size)))), 0, 0): // 100 scales
		case op.Low.Rat.IsInt() && op.size < 10 || slices.ContainsFunc(knowledge().constants,
			func(c float64) bool { return within(op.size, c, 0, 0) }):
			c.constants = append(c.constants, op.size)
		default:
			return false
		}
	}
	slices.Sort(c.constants)
	c.constants = slices.Compact(c.constants)
	return facts > 0 && len(c.constants) <= maxConstants
}

// maxConstants limits the constants of a chain of calculations. It allows the mean of two converted
// temperatures, and the seconds of days.
const maxConstants = 4

// backs reports whether a claimed number is an operand or a result, or a rounding of one, in any unit,
// because the calculator has no units. A share may be claimed as a percentage, and a calculation may be in millions.
func (p proof) backs(c *fact) bool {
	if !c.Numeric() {
		return false
	}
	shows := func(r fact) bool {
		return c.rounds(r.size) || c.Kind == value.Percent && c.rounds(100*r.size) ||
			c.Low.Scale != nil && c.rounds(r.size*float(c.Low.Scale))
	}
	return slices.ContainsFunc(p, func(w calculation) bool {
		return shows(w.result) || slices.ContainsFunc(w.operands, shows) ||
			// such as 1/2 in a calculation that is shown
			strings.Contains(c.text, "/") && strings.Contains(w.expression, c.text)
	})
}

// operandPattern finds the numbers of an expression.
var operandPattern = lazy.Compile(`\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d{1,3})?|\.\d+(?:[eE][-+]?\d{1,3})?`)

// readOperands lists the numbers of an expression.
func readOperands(expression string) []fact {
	var out []fact
	for _, written := range operandPattern.FindAllString(expression, -1) {
		if n, ok := plainNumber(written); ok {
			out = append(out, n)
		}
	}
	return out
}
