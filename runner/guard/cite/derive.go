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
	results  []number
	operands []number // of proven calculations: a message may show its working
	working  []string // their expressions
}

var operandPattern = regexp.MustCompile(`\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d{1,3})?|\.\d+(?:[eE][-+]?\d{1,3})?`)

// derive finds the calculations that rest on the sources: every operand stands in one, is
// the result of another such calculation, or is a constant, and not all are constants. It
// repeats until nothing is added, since the order of calls in one turn is not that of
// their use.
func derive(calcs []Calc, sources []*source, u *units) derived {
	var d derived
	type open struct {
		operands []number
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
		var operands []number
		for _, text := range operandPattern.FindAllString(c.Expression, maxOperands) {
			if n, ok := plainNumber(text); ok {
				operands = append(operands, n)
			}
		}
		waiting = append(waiting, open{operands, result, c.Expression})
	}
	for again := true; again; {
		again = false
		rest := waiting[:0]
		for _, w := range waiting {
			if d.proves(w.operands, sources, u) {
				d.results = append(d.results, w.result)
				d.operands = append(d.operands, w.operands...)
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

func (d derived) proves(operands []number, sources []*source, u *units) bool {
	facts := 0
	for _, op := range operands {
		switch {
		case stated(op, sources, u), d.has(op):
			facts++
		case !isConstant(op.num):
			return false
		}
	}
	return facts > 0
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

// has reports whether an operand is the result of a proven calculation, or rounds one.
func (d derived) has(op number) bool {
	for _, r := range d.results {
		if op.mayEqual(r.size) && op.near(r.num) {
			return true
		}
	}
	return false
}

// backs reports whether a claimed number is a result, or a rounding of one, in whatever
// unit: the calculator knows none. A share may be claimed as a percentage.
func (d derived) backs(c number) bool {
	if c.kind == opaque {
		return false
	}
	for _, list := range [][]number{d.results, d.operands} {
		for _, r := range list {
			if c.mayEqual(r.size) && c.near(r.num) {
				return true
			}
			if c.kind == percent && c.near(new(big.Rat).Mul(r.num, big.NewRat(100, 1))) {
				return true
			}
			if c.num.Cmp(c.mantissa) != 0 && c.mantissaNear(r.num) {
				return true // the calculation was in millions
			}
		}
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

// isConstant knows the operands that need no source: small whole numbers (the count in a
// mean, an exponent), powers of ten, the ratios of common units, and pi.
func isConstant(r *big.Rat) bool {
	if r.IsInt() && r.Sign() >= 0 && r.Cmp(big.NewRat(10, 1)) <= 0 || isPowerOfTen(r) {
		return true
	}
	for _, c := range [...]string{
		"12", "24", "30", "31", "32", "52", "60", "360", "365", "365.25", "365.2425", "366", "1440", "3600", "86400", "1024",
		"0.5", "1.5", "0.25", "1.8", "3.6", "273.15", "459.67", "1.609344", "1.60934", "1.6093", "1.609", "1.61", "0.621371", "0.62137", "0.6214", "0.621",
		"0.3048", "3.28084", "3.2808", "3.281", "3.28", "2.54", "25.4", "0.9144", "0.45359237", "0.453592", "0.4536", "0.454", "2.20462", "2.2046", "2.205",
		"28.3495", "28.35", "3.785411784", "3.78541", "3.785", "4.184", "1.852", "2.589988", "2.59", "0.386102", "0.3861", "0.386",
		"3.14", "3.142", "3.1416", "3.14159", "3.141593", "3.1415926", "3.14159265", "3.141592653589793",
	} {
		if v, ok := new(big.Rat).SetString(c); ok && v.Cmp(r) == 0 {
			return true
		}
	}
	return false
}

func isPowerOfTen(r *big.Rat) bool {
	if r.Sign() <= 0 {
		return false
	}
	big1, other := r.Num().String(), r.Denom().String()
	if len(big1) < len(other) {
		big1, other = other, big1
	}
	return other == "1" && len(big1) <= 30 && big1[0] == '1' && allZeros(big1[1:])
}

func allZeros(s string) bool {
	for i := range len(s) {
		if s[i] != '0' {
			return false
		}
	}
	return true
}
