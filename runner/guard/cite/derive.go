package cite

import (
	"math/big"
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
	operands    []*number // a message may show its working
	expressions []string
}

// result is that of a calculation, with the constants that went into it.
type result struct {
	number *number
	cost   cost
}

// prove finds the calculations that rest on the sources: every operand stands in one, is
// the result of another such calculation, or is one of the few constants that [cost]
// allows. It repeats until nothing is added, since the order of calls in one turn is not
// that of their use.
func prove(calcs []Calc, sources []*source) *proof {
	p := &proof{}
	type calculation struct {
		operands []operand
		result   *number
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
					p.operands = append(p.operands, &w.operands[i].number)
				}
			}
			return ok
		})
	}
	return p
}

// plainNumber reads one plain number.
func plainNumber(s string) (number, bool) {
	v, err := value.Parse(s, value.AsNumber)
	if err != nil || v.Kind != value.Count || v.Doubt || v.Relation != value.Equal {
		return number{}, false
	}
	return newNumber(v, s), true
}

// costOf is the cost of a calculation; ok is false where its operands are not facts, and
// constants in the measure that [cost] allows.
func (p *proof) costOf(operands []operand, sources []*source) (cost, bool) {
	facts, small, factors := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var inherited cost
	for i := 0; i < len(operands); i++ {
		op := operands[i]
		key := op.Low.Rat.RatString()
		earlier, calculated := p.resultOf(&op.number)
		switch {
		case isStated(&op.number, sources):
			facts[key] = true
		case calculated:
			if !facts[key] {
				inherited = inherited.plus(earlier)
			}
			facts[key] = true
		case !isConstant(op.Low.Rat):
			return cost{}, false
		case op.shape:
		case op.converts():
			factors[key] = true
		case op.ratio && isSmall(op.Low.Rat) && isSmall(operands[i+1].Low.Rat): // 9/5 is one factor
			small[key+"/"+operands[i+1].Low.Rat.RatString()] = true
			i++
		default:
			small[key] = true
		}
	}
	spent := cost{len(small), len(factors)}.plus(inherited)
	return spent, len(facts) > 0 && spent.affordable()
}

// isStated reports whether a source gives an operand: as a number, as the figures before a
// scale word (2.1 of 2.1 million), as a percentage or its hundredth, or as a year.
func isStated(op *number, sources []*source) bool {
	return slices.ContainsFunc(sources, func(s *source) bool {
		return s.backsNumber(op) || slices.ContainsFunc(s.numbers, func(e number) bool {
			return e.Kind != value.Figures && (e.Kind == value.Percent && hundredfold(op.Low.Rat).Cmp(e.Low.Rat) == 0 || op.Low.Rat.Cmp(e.Low.Mantissa()) == 0)
		})
	})
}

// resultOf reports whether an operand is the result of a calculation, or rounds one, and
// what the cheapest such has cost.
func (p *proof) resultOf(op *number) (least cost, ok bool) {
	for _, r := range p.results {
		if op.near(r.number) && (!ok || r.cost.sum() < least.sum()) {
			least, ok = r.cost, true
		}
	}
	return least, ok
}

// backs reports whether a claimed number is a result, or a rounding of one, in whatever
// unit: the calculator knows none. A share may be claimed as a percentage.
func (p *proof) backs(c *number) bool {
	if c.Kind == value.Figures || len(p.results) == 0 {
		return false
	}
	readings := []*number{c}
	if c.Low.Scale != nil {
		readings = append(readings, c.withoutScale()) // the calculation was in millions
	}
	shows := func(r *number) bool {
		return c.Kind == value.Percent && c.rounds(hundredfold(r.Low.Rat)) ||
			slices.ContainsFunc(readings, func(c *number) bool { return c.near(r) })
	}
	return slices.ContainsFunc(p.results, func(r result) bool { return shows(r.number) }) || slices.ContainsFunc(p.operands, shows) ||
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
	number
	shape bool // 100 and other scales, exponents and the 10 of 10**6: they cost nothing
	ratio bool // the next operand divides this one, and nothing else is between
	scale bool // it multiplies or divides
}

var (
	operandPattern = regexp.MustCompile(`\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d{1,3})?|\.\d+(?:[eE][-+]?\d{1,3})?`)
	powerAhead     = regexp.MustCompile(`^\s*(?:\*\*|\^)`)
	powerBehind    = regexp.MustCompile(`(?:\*\*|\^)\s*\(?\s*-?\s*$`)
	scaleAhead     = regexp.MustCompile(`^[\s)]*(?:[/÷×]|\*(?:[^*]|$))`)
	scaleBehind    = regexp.MustCompile(`(?:[/÷×]|(?:^|[^*])\*)[\s(]*$`)
	onlyDivided    = regexp.MustCompile(`^\s*[/÷]\s*$`)
)

// readOperands lists the numbers of an expression.
func readOperands(expression string) []operand {
	var out []operand
	last := 0
	for _, m := range operandPattern.FindAllStringIndex(expression, maxOperands) {
		n, ok := plainNumber(expression[m[0]:m[1]])
		if !ok {
			continue
		}
		before, after, r := expression[last:m[0]], expression[m[1]:], n.Low.Rat
		if len(out) > 0 {
			out[len(out)-1].ratio = onlyDivided.MatchString(before)
		}
		exponent := powerBehind.MatchString(before) && r.Sign() > 0
		scales := isPowerOfTen(r) && (!isSmall(r) || r.Cmp(tenTo(1)) == 0 && powerAhead.MatchString(after))
		out = append(out, operand{n, exponent || scales, false, scaleAhead.MatchString(after) || scaleBehind.MatchString(before)})
		last = m[1]
	}
	return out
}

// converts tells a conversion factor, or the offset of a temperature scale, from a number
// that is only added.
func (op operand) converts() bool {
	if isSmall(op.Low.Rat) {
		return false
	}
	switch op.Low.Rat.RatString() {
	case "32", "5463/20", "45967/100":
		return true
	}
	return op.scale
}

// isSmall tells a constant that dials a value from one that converts it.
func isSmall(r *big.Rat) bool {
	return r.IsInt() && r.Sign() >= 0 && r.Cmp(tenTo(1)) <= 0
}

// isConstant knows the operands that need no source: small whole numbers (the count in a
// mean, an exponent), powers of ten, the ratios of common units, and pi.
func isConstant(r *big.Rat) bool {
	return isSmall(r) || isPowerOfTen(r) || slices.ContainsFunc(knowledge().constants, func(c *big.Rat) bool { return c.Cmp(r) == 0 })
}

func isPowerOfTen(r *big.Rat) bool {
	whole, part := r.Num(), r.Denom()
	if whole.Cmp(part) < 0 {
		whole, part = part, whole
	}
	s := whole.String()
	return part.IsInt64() && part.Int64() == 1 && len(s) <= 30 && strings.TrimRight(s, "0") == "1"
}
