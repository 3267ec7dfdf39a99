package cite

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// The bounds of what is followed through calculations.
const (
	maxCalcs      = 200
	maxExpression = 1000
	maxOperands   = 200
)

// derived holds the numbers that calculations prove.
type derived struct {
	results  []proven
	operands []number // of proven calculations: a message may show its working
	working  []string // their expressions
}

// proven is the result of a calculation, and the constants that went into it.
type proven struct {
	number
	cost cost
}

var operandPattern = regexp.MustCompile(`\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d{1,3})?|\.\d+(?:[eE][-+]?\d{1,3})?`)

// derive finds the calculations that rest on the sources: every operand stands in one, is
// the result of another such calculation, or is one of the few constants that [cost]
// allows. It repeats until nothing is added, since the order of calls in one turn is not
// that of their use.
func derive(calcs []Calc, sources []*source, u *units) derived {
	var d derived
	type open struct {
		operands []operand
		result   number
		text     string
	}
	var waiting []open
	for _, c := range calcs[:min(len(calcs), maxCalcs)] {
		if len(c.Expression) > maxExpression || len(c.Result) > maxExpression {
			continue
		}
		result, ok := plainNumber(c.Result)
		if !ok {
			continue
		}
		waiting = append(waiting, open{readOperands(c.Expression), result, c.Expression})
	}
	for again := true; again; {
		again = false
		rest := waiting[:0]
		for _, w := range waiting {
			if spent, ok := d.proves(w.operands, sources, u); ok {
				d.results = append(d.results, proven{w.result, spent})
				for _, op := range w.operands {
					d.operands = append(d.operands, op.number)
				}
				d.working = append(d.working, w.text)
				again = true
			} else {
				rest = append(rest, w)
			}
		}
		waiting = rest
	}
	return d
}

// plainNumber reads one plain number.
func plainNumber(text string) (number, bool) {
	value, step, ok := readLiteral(text, "", "")
	if !ok {
		if value, ok = rational(text); !ok { // with an exponent
			return number{}, false
		}
		step = new(big.Rat)
	}
	return settle(number{text: text, num: value, mantissa: value, step: step}), true
}

// proves reports whether operands are facts and constants in the measure that [cost]
// allows, and what it costs.
func (d derived) proves(operands []operand, sources []*source, u *units) (cost, bool) {
	facts, small, factors := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var inherited cost
	for i := 0; i < len(operands); i++ {
		op := operands[i]
		key := op.num.RatString()
		earlier, calculated := d.has(op.number)
		switch {
		case stated(op.number, sources, u):
			facts[key] = true
		case calculated:
			if !facts[key] {
				inherited = inherited.plus(earlier)
			}
			facts[key] = true
		case !isConstant(op.num):
			return cost{}, false
		case op.shape:
		case op.converts():
			factors[key] = true
		case op.ratio && isSmall(op.num) && isSmall(operands[i+1].num): // 9/5 is one factor
			small[key+"/"+operands[i+1].num.RatString()] = true
			i++
		default:
			small[key] = true
		}
	}
	spent := cost{len(small), len(factors)}.plus(inherited)
	return spent, len(facts) > 0 && spent.affordable()
}

// stated reports whether a source gives an operand: as a number, as the figures before a
// scale word (2.1 of 2.1 million), as a percentage or its hundredth, or as a year.
func stated(op number, sources []*source, u *units) bool {
	for _, s := range sources {
		if s.backsNumber(op, u) {
			return true
		}
		for i := range s.numbers {
			e := &s.numbers[i]
			if e.kind == opaque {
				continue
			}
			hundredth := e.kind == percent && closeBy(op.size*100, e.size) && new(big.Rat).Mul(op.num, big.NewRat(100, 1)).Cmp(e.num) == 0
			if hundredth || op.num.Cmp(e.mantissa) == 0 {
				return true
			}
		}
	}
	return false
}

// has reports whether an operand is the result of a proven calculation, or rounds one, and
// what the cheapest such has cost.
func (d derived) has(op number) (least cost, ok bool) {
	for _, r := range d.results {
		if op.mayEqual(r.size) && op.near(r.num) && (!ok || r.cost.sum() < least.sum()) {
			least, ok = r.cost, true
		}
	}
	return least, ok
}

// backs reports whether a claimed number is a result, or a rounding of one, in whatever
// unit: the calculator knows none. A share may be claimed as a percentage.
func (d derived) backs(c number) bool {
	if c.kind == opaque {
		return false
	}
	shows := func(r number) bool {
		return c.mayEqual(r.size) && c.near(r.num) ||
			c.kind == percent && c.near(new(big.Rat).Mul(r.num, big.NewRat(100, 1))) ||
			c.num.Cmp(c.mantissa) != 0 && c.mantissaNear(r.num) // the calculation was in millions
	}
	if slices.ContainsFunc(d.results, func(r proven) bool { return shows(r.number) }) || slices.ContainsFunc(d.operands, shows) {
		return true
	}
	if strings.Contains(c.text, "/") && slices.ContainsFunc(d.working, func(e string) bool { return strings.Contains(e, c.text) }) {
		return true // a quotient, shown as it was calculated
	}
	return c.also != nil && d.backs(*c.also)
}

func (n number) mantissaNear(e *big.Rat) bool {
	n.step = new(big.Rat).Quo(new(big.Rat).Mul(n.step, n.mantissa), n.num)
	n.num = n.mantissa
	return settle(n).near(e)
}
