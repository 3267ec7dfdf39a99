package cite

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// The bounds of what is followed through calculations.
const (
	maxCalcs      = 200
	maxExpression = 1000
	maxOperands   = 200
)

// proof holds the calculations that rest on sources.
type proof struct {
	results     []result
	operands    []*fact // a message may show its working
	expressions []string
}

// result is that of a calculation, with the constants that went into it.
type result struct {
	fact *fact
	cost cost
}

// prove finds the calculations that rest on the sources: every operand stands in one, is
// the result of another such calculation, or is one of the few constants that [cost]
// allows. It repeats until nothing is added, since the order of calls in one turn is not
// that of their use.
func prove(calcs []Calc, sources []*source) *proof {
	p := &proof{}
	type calculation struct {
		operands []operand
		result   *fact
		text     string
	}
	var waiting []calculation
	for _, c := range calcs[:min(len(calcs), maxCalcs)] {
		if len(c.Expression) > maxExpression || len(c.Result) > maxExpression {
			continue
		}
		if n, ok := plainNumber(c.Result); ok {
			waiting = append(waiting, calculation{readOperands(c.Expression), &n, c.Expression})
		}
	}
	for before := -1; len(p.results) > before; {
		before = len(p.results)
		waiting = slices.DeleteFunc(waiting, func(w calculation) bool {
			spent, ok := p.costOf(w.operands, sources)
			if ok {
				p.results = append(p.results, result{w.result, spent})
				p.expressions = append(p.expressions, w.text)
				for i := range w.operands {
					p.operands = append(p.operands, &w.operands[i].fact)
				}
			}
			return ok
		})
	}
	return p
}

// plainNumber reads one plain number.
func plainNumber(s string) (fact, bool) {
	v, err := value.Parse(s, value.AsNumber)
	if err != nil || v.Kind != value.Count || v.Doubt || v.Relation != value.Equal {
		return fact{}, false
	}
	return newFact(v, s), true
}

// costOf is the cost of a calculation; ok is false where its operands are not facts, and
// constants in the measure that [cost] allows.
func (p *proof) costOf(operands []operand, sources []*source) (cost, bool) {
	facts, small, factors := map[float64]bool{}, map[float64]bool{}, map[float64]bool{}
	var inherited cost
	for i := 0; i < len(operands); i++ {
		op := operands[i]
		earlier, calculated := p.resultOf(&op.fact)
		switch {
		case isStated(&op.fact, sources):
			facts[op.size] = true
		case calculated:
			if !facts[op.size] {
				inherited = inherited.plus(earlier)
			}
			facts[op.size] = true
		case op.class == free:
		case op.class == factor:
			factors[op.size] = true
		case op.class == unknown:
			return cost{}, false
		case op.divided && operands[i+1].class == little: // 9/5 is one factor
			small[op.size/operands[i+1].size] = true
			i++
		default:
			small[op.size] = true
		}
	}
	spent := cost{len(small), len(factors)}.plus(inherited)
	return spent, len(facts) > 0 && spent.affordable()
}

// isStated reports whether a source gives an operand: as a number, as the figures before a
// scale word (2.1 of 2.1 million), as a percentage or its hundredth, or as a year.
func isStated(op *fact, sources []*source) bool {
	return slices.ContainsFunc(sources, func(s *source) bool {
		return s.backs(op) || slices.ContainsFunc(s.facts(), func(e fact) bool {
			return e.Numeric() && (e.Kind == value.Percent && within(100*op.size, e.size, 0, 0) || op.Low.Rat.Cmp(e.Low.Mantissa()) == 0)
		})
	})
}

// resultOf reports whether an operand is the result of a calculation, or rounds one, and
// what the cheapest such has cost.
func (p *proof) resultOf(op *fact) (least cost, ok bool) {
	for _, r := range p.results {
		if op.rounds(r.fact.size) && (!ok || r.cost.sum() < least.sum()) {
			least, ok = r.cost, true
		}
	}
	return least, ok
}

// backs reports whether a claimed number is a result, or a rounding of one, in whatever
// unit: the calculator knows none. A share may be claimed as a percentage.
func (p *proof) backs(c *fact) bool {
	if !c.Numeric() || len(p.results) == 0 {
		return false
	}
	readings := []*fact{c}
	if c.Low.Scale != nil {
		readings = append(readings, c.withoutScale()) // the calculation was in millions
	}
	shows := func(r *fact) bool {
		return c.Kind == value.Percent && c.rounds(100*r.size) ||
			slices.ContainsFunc(readings, func(c *fact) bool { return c.rounds(r.size) })
	}
	return slices.ContainsFunc(p.results, func(r result) bool { return shows(r.fact) }) || slices.ContainsFunc(p.operands, shows) ||
		// A quotient, shown as it was calculated.
		strings.Contains(c.text, "/") && slices.ContainsFunc(p.expressions, func(e string) bool { return strings.Contains(e, c.text) })
}

// cost counts the constants of a calculation and of those whose results it uses. Facts
// with enough constants give any number at all: 330 - 330 + 7, then 7*10 + 3, and so on.
// Each expression pays for its distinct constants and for those of the results that it
// uses.
type cost struct {
	small   int // whole numbers to 10, their ratios such as 9/5, and 60 where it is added
	factors int // conversion factors such as 0.3048, 60, and the offsets of temperatures
}

// What a chain of calculations may use: enough for the mean of two converted temperatures.
const (
	maxSmall   = 2
	maxFactors = 4
)

func (c cost) plus(other cost) cost {
	return cost{c.small + other.small, c.factors + other.factors}
}
func (c cost) sum() int         { return c.small + c.factors }
func (c cost) affordable() bool { return c.small <= maxSmall && c.factors <= maxFactors }

// operand is a number of an expression.
type operand struct {
	fact
	class   constant
	divided bool // the next operand divides this one, and nothing else is between
}

// constant is what a number may be without a source.
type constant uint8

const (
	unknown constant = iota
	little           // a whole number to 10, such as the count in a mean; one of the table that is only added
	factor           // converts, as 0.3048 and 60 do, and the offsets of temperatures
	free             // 100 and other scales, exponents, and the 10 of 10**6
)

var (
	operandPattern = regexp.MustCompile(`\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d{1,3})?|\.\d+(?:[eE][-+]?\d{1,3})?`)
	operator       = regexp.MustCompile(`\*\*|[-+*/^÷×]`)
)

// readOperands lists the numbers of an expression.
func readOperands(expression string) []operand {
	var out []operand
	places := operandPattern.FindAllStringIndex(expression, maxOperands)
	for i, m := range places {
		n, ok := plainNumber(expression[m[0]:m[1]])
		if !ok {
			continue
		}
		last, next := 0, len(expression)
		if i > 0 {
			last = places[i-1][1]
		}
		if i+1 < len(places) {
			next = places[i+1][0]
		}
		before, behind := expression[last:m[0]], expression[m[1]:next]
		divided := i+1 < len(places) && strings.Trim(behind, " ÷/") == ""
		out = append(out, operand{n, classOf(&n, operator.FindString(before), operator.FindString(behind)), divided})
	}
	return out
}

// classOf tells constants apart by their size and the operators on both sides.
func classOf(n *fact, before, after string) constant {
	power := func(s string) bool { return s == "**" || s == "^" }
	scales := func(s string) bool { return s != "" && strings.Contains("*/÷×", s) }
	small := n.Low.Rat.IsInt() && n.size <= 10
	tens := within(n.size, math.Pow10(int(math.Round(math.Log10(n.size)))), 0, 0)
	known := slices.ContainsFunc(knowledge().constants, func(c float64) bool { return within(n.size, c, 0, 0) })
	switch {
	case !small && !tens && !known:
		return unknown
	case power(before), tens && (!small || n.size == 10 && power(after)):
		return free
	case !small && (scales(before) || scales(after) || n.size == 32 || n.size == 273.15 || n.size == 459.67):
		return factor
	}
	return little
}
