package cite

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/trace"
)

// proof has the calculations that follow from sources. A message may use their operands and results without
// another source.
type proof []calculation

type calculation struct {
	expression string
	operands   []fact
	result     fact
	constants  []float64 // different constants in it, and in the calculations whose results it uses
}

// prove returns the calculations that follow from the sources. Each operand of such a calculation is in a
// source, is the result of another such calculation, or is one of a few constants. Calls of one turn may use
// each other's results, in any order. So prove repeats the search until it finds no further calculation.
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

// rests reports whether a calculation follows from the sources, and records its constants. The number of
// constants is limited, because with enough of them any number can be computed: 330 * 0 + 7 * 100 + 3 * 10 + 4.
func (p proof) rests(c *calculation, sources []*source) bool {
	facts := 0
	for i := range c.operands {
		op := &c.operands[i]
		// A source can contain an operand in several forms: as a number, as the number before a word of scale or a
		// percent sign (2.1 in "2.1 million"), or as a year.
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
		case within(op.size, math.Pow10(int(math.Round(math.Log10(op.size)))), 0, 0): // a word of scale, such as 100
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

// maxConstants is the maximum number of constants in a chain of calculations. Four are enough for the mean of
// two converted temperatures, or for the seconds of some days.
const maxConstants = 4

// backs reports whether a claimed number is an operand or a result, or a rounding of one. The unit is not
// compared, because the calculator has no units. Two other forms are also accepted: a percentage whose share
// was computed, and a number that was computed in millions.
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
			// For example 1/2, if the message shows the calculation.
			strings.Contains(c.text, "/") && strings.Contains(w.expression, c.text)
	})
}

// operandPattern matches the numbers in an expression.
var operandPattern = lazy.Compile(`\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d{1,3})?|\.\d+(?:[eE][-+]?\d{1,3})?`)

// readOperands returns the numbers in an expression.
func readOperands(expression string) []fact {
	var out []fact
	for _, written := range operandPattern.FindAllString(expression, -1) {
		if n, ok := plainNumber(written); ok {
			out = append(out, n)
		}
	}
	return out
}
