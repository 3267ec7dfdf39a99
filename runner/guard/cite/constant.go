package cite

import (
	"math/big"
	"regexp"
)

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
	powerAhead  = regexp.MustCompile(`^\s*(?:\*\*|\^)`)
	powerBehind = regexp.MustCompile(`(?:\*\*|\^)\s*\(?\s*-?\s*$`)
	scaleAhead  = regexp.MustCompile(`^[\s)]*(?:[/÷×]|\*(?:[^*]|$))`)
	scaleBehind = regexp.MustCompile(`(?:[/÷×]|(?:^|[^*])\*)[\s(]*$`)
	onlyDivided = regexp.MustCompile(`^\s*[/÷]\s*$`)
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
		before := expression[last:m[0]]
		if len(out) > 0 {
			out[len(out)-1].ratio = onlyDivided.MatchString(before)
		}
		exponent := powerBehind.MatchString(before) && n.num.Sign() > 0
		ten := isPowerOfTen(n.num)
		free := ten && (n.num.Cmp(big.NewRat(100, 1)) >= 0 || n.num.Cmp(big.NewRat(1, 1)) < 0 || n.num.Cmp(big.NewRat(10, 1)) == 0 && powerAhead.MatchString(expression[m[1]:]))
		scale := scaleAhead.MatchString(expression[m[1]:]) || scaleBehind.MatchString(before)
		out = append(out, operand{number: n, shape: exponent || free, scale: scale})
		last = m[1]
	}
	return out
}

// converts tells a conversion factor, or the offset of a temperature scale, from a number
// that is only added.
func (op operand) converts() bool {
	if isSmall(op.num) {
		return false
	}
	switch op.num.RatString() {
	case "32", "5463/20", "45967/100":
		return true
	}
	return op.scale
}

// isSmall tells a constant that dials a value from one that converts it.
func isSmall(r *big.Rat) bool {
	return r.IsInt() && r.Sign() >= 0 && r.Cmp(big.NewRat(10, 1)) <= 0
}

// isConstant knows the operands that need no source: small whole numbers (the count in a
// mean, an exponent), powers of ten, the ratios of common units, and pi.
func isConstant(r *big.Rat) bool {
	if isSmall(r) || isPowerOfTen(r) {
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
