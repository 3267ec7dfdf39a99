package calc

import (
	"math"
	"math/big"
	"strings"
	"sync"

	"github.com/cockroachdb/apd/v3"
)

// Numbers of digits that are kept for irrational values: at first, and at most. Each try doubles the number,
// so mostDigits is firstDigits times a power of two.
const (
	firstDigits = 2 * SignificantDigits
	mostDigits  = 8 * firstDigits
)

// negligible is the size below which a value counts as 0 if its digits cancel out.
var negligible = sync.OnceValue(func() *big.Rat { return new(big.Rat).SetFrac(big.NewInt(1), pow10(mostDigits/2)) })

// maxExponent is an integer above the natural logarithm of 10**MaxDigits.
const maxExponent = 23_026

// functions and constants have the names that expressions may use.
var (
	functions = map[string]func(evaluator, token, value) (value, *Error){
		"sqrt": evaluator.sqrt, "exp": evaluator.exp, "ln": evaluator.ln, "log": evaluator.log10,
	}
	constants = map[string]bool{"pi": true, "π": true, "e": true}
)

func (e evaluator) constant(t token) (value, *Error) {
	if strings.EqualFold(t.text, "e") {
		return e.exp(t, value{Rat: big.NewRat(1, 1)})
	}
	return value{e.pi(), true}, nil
}

// pi returns 16 atan(1/5) - 4 atan(1/239) (John Machin, 1706).
func (e evaluator) pi() *big.Rat {
	unit := pow10(int(e) + 10)
	atan := func(inverse int64) *big.Int { // of 1/inverse, in units
		sum, term, square := new(big.Int), new(big.Int).Quo(unit, big.NewInt(inverse)), big.NewInt(inverse*inverse)
		for k := int64(1); term.Sign() != 0; k += 2 {
			sum.Add(sum, new(big.Int).Quo(term, big.NewInt(k)))
			term.Neg(term.Quo(term, square))
		}
		return sum
	}
	sum := new(big.Int).Mul(big.NewInt(16), atan(5))
	sum.Sub(sum, new(big.Int).Mul(big.NewInt(4), atan(239)))
	return new(big.Rat).SetFrac(sum, unit)
}

func (e evaluator) sqrt(t token, x value) (value, *Error) {
	if x.Sign() < 0 {
		return value{}, errorAt(t.column, "the square root of a negative number is not a real number; the argument "+
			"must be at least 0")
	}
	return e.power(t.column, x, value{Rat: big.NewRat(1, 2)})
}

func (e evaluator) exp(t token, x value) (value, *Error) {
	if x.Sign() == 0 && !x.approximate {
		return value{Rat: big.NewRat(1, 1)}, nil
	}
	if new(big.Rat).Abs(x.Rat).Cmp(big.NewRat(maxExponent, 1)) > 0 {
		return value{}, tooLarge(t.column)
	}
	return e.transcendental(t.column, x, (*apd.Context).Exp)
}

func (e evaluator) ln(t token, x value) (value, *Error) {
	if x.Sign() <= 0 {
		return value{}, errorAt(t.column, "the logarithm of a number that is not positive does not exist; the "+
			"argument must be above 0")
	}
	if x.Cmp(big.NewRat(1, 1)) == 0 && !x.approximate {
		return value{Rat: new(big.Rat)}, nil
	}
	return e.transcendental(t.column, x, (*apd.Context).Ln)
}

// log10 returns the logarithm to base 10, which is exact for powers of ten.
func (e evaluator) log10(t token, x value) (value, *Error) {
	if digits := len(x.Num().String()) - len(x.Denom().String()); x.Sign() > 0 && !x.approximate &&
		x.Cmp(scale(digits)) == 0 {
		return value{Rat: big.NewRat(int64(digits), 1)}, nil
	}
	natural, err := e.ln(t, x)
	if err != nil {
		return value{}, err
	}
	ten, err := e.ln(t, value{Rat: big.NewRat(10, 1)})
	if err != nil {
		return value{}, err
	}
	return value{natural.Quo(natural.Rat, ten.Rat), true}, nil
}

// irrationalPower returns base**exponent for base > 0 as exp(exponent * ln(base)).
func (e evaluator) irrationalPower(column int, base, exponent value) (value, *Error) {
	// The exponent may have as many digits before the point as maxExponent, so the logarithm needs that many
	// more digits.
	more := e + 10
	logarithm, err := more.ln(token{column: column}, base)
	if err != nil {
		return value{}, err
	}
	return more.exp(token{column: column}, value{logarithm.Mul(logarithm.Rat, exponent.Rat), true})
}

// transcendental computes a function of x in decimals.
func (e evaluator) transcendental(
	column int, x value, f func(c *apd.Context, d, x *apd.Decimal) (apd.Condition, error),
) (value, *Error) {
	result := new(apd.Decimal)
	if _, err := f(e.context(), result, decimal(x.Rat, e.context())); err != nil {
		return value{}, tooLarge(column)
	}
	return e.rational(column, result)
}

// context returns a context with ten more digits than e, because intermediate results are rounded.
func (e evaluator) context() *apd.Context { return apd.BaseContext.WithPrecision(uint32(e) + 10) }

// decimal returns x as a decimal with at most the number of digits that c allows. It rounds half to even.
func decimal(x *big.Rat, c *apd.Context) *apd.Decimal {
	c.Rounding = apd.RoundHalfEven
	d := new(apd.Decimal)
	// Numerator and denominator are within the limits of the context, so there is no error.
	_, _ = c.Quo(d, whole(x.Num()), whole(x.Denom()))
	_, _ = c.Round(d, d) // a quotient that was rounded up to a power of ten has one more digit
	return d
}

func whole(n *big.Int) *apd.Decimal { return apd.NewWithBigInt(new(apd.BigInt).SetMathBigInt(n), 0) }

// rational returns the value of a decimal.
func (e evaluator) rational(column int, d *apd.Decimal) (value, *Error) {
	if d.Exponent > MaxDigits || d.Exponent < -2*MaxDigits {
		return value{}, tooLarge(column)
	}
	x := new(big.Rat).SetInt(d.Coeff.MathBigInt())
	if d.Negative {
		x.Neg(x)
	}
	return value{x.Mul(x, scale(int(d.Exponent))), true}, nil
}

// power returns base**exponent. The result is exact if it is rational.
func (e evaluator) power(column int, base, exponent value) (value, *Error) {
	switch {
	case base.Sign() != 0:
	case exponent.Sign() < 0:
		return value{}, errorAt(column, "0 to a negative power is a division by zero; the base must not be 0")
	case exponent.Sign() == 0:
		return value{Rat: big.NewRat(1, 1)}, nil
	default:
		return value{Rat: new(big.Rat)}, nil
	}
	if exponent.IsInt() && !exponent.approximate && !base.approximate {
		return wholePower(column, base.Rat, exponent.Num())
	}
	if base.Sign() < 0 {
		if !exponent.IsInt() || exponent.approximate {
			return value{}, errorAt(column, "a negative number to a fractional power is not a real number; the base "+
				"must be at least 0")
		}
		x, err := e.irrationalPower(column, value{new(big.Rat).Neg(base.Rat), true}, exponent)
		if err == nil && exponent.Num().Bit(0) == 1 {
			x.Neg(x.Rat)
		}
		return x, err
	}
	if !base.approximate && !exponent.approximate {
		if root, ok := rationalRoot(base.Rat, exponent.Denom()); ok {
			return wholePower(column, root, exponent.Num())
		}
	}
	return e.irrationalPower(column, base, exponent)
}

// wholePower returns base**n for base != 0. It returns an error for a result beyond the limits, without
// computing it.
func wholePower(column int, base *big.Rat, n *big.Int) (value, *Error) {
	if new(big.Rat).Abs(base).Cmp(big.NewRat(1, 1)) == 0 {
		if base.Sign() < 0 && n.Bit(0) == 1 {
			return value{Rat: big.NewRat(-1, 1)}, nil
		}
		return value{Rat: big.NewRat(1, 1)}, nil
	}
	// A number of b bits is at least 2**(b-1), so its n-th power has more than (b-1)*|n| bits. Numerator or
	// denominator has at least 2 bits.
	bits := max(base.Num().BitLen(), base.Denom().BitLen())
	size := new(big.Int).Abs(n)
	if n.BitLen() > 31 || int64(bits-1)*size.Int64() > maxBits {
		return value{}, tooLarge(column)
	}
	numerator := new(big.Int).Exp(base.Num(), size, nil)
	denominator := new(big.Int).Exp(base.Denom(), size, nil)
	if n.Sign() < 0 {
		numerator, denominator = denominator, numerator
	}
	return value{Rat: new(big.Rat).SetFrac(numerator, denominator)}, nil
}

// rationalRoot returns the q-th root of x, for q >= 2 and x > 0. ok is false if the root is irrational.
func rationalRoot(x *big.Rat, q *big.Int) (*big.Rat, bool) {
	numerator, whole := exactRoot(x.Num(), q)
	denominator, too := exactRoot(x.Denom(), q)
	if !whole || !too {
		return nil, false
	}
	return new(big.Rat).SetFrac(numerator, denominator), true
}

// exactRoot returns the q-th root of n >= 1. ok is false if the root is not an integer.
func exactRoot(n, q *big.Int) (*big.Int, bool) {
	if n.IsInt64() && n.Int64() == 1 {
		return big.NewInt(1), true
	}
	// A root of at least 2 needs n >= 2**q.
	if !q.IsInt64() || q.Int64() >= int64(n.BitLen()) {
		return nil, false
	}
	root := floorRoot(n, q)
	return root, new(big.Int).Exp(root, q, nil).Cmp(n) == 0
}

// floorRoot returns the integer part of the q-th root of n by Newton's iteration, which decreases steadily
// from any start above the root.
func floorRoot(n, q *big.Int) *big.Int {
	less := new(big.Int).Sub(q, big.NewInt(1))
	x := aboveRoot(n, q.Int64())
	for {
		// y = ((q-1)x + n / x**(q-1)) / q
		y := new(big.Int).Exp(x, less, nil)
		y.Quo(n, y)
		y.Add(y, new(big.Int).Mul(less, x))
		y.Quo(y, q)
		if y.Cmp(x) >= 0 {
			return x
		}
		x = y
	}
}

// aboveRoot returns an integer above the q-th root of n. It is at most about one part in 10**9 (or 1) too
// large. It is computed by a floating-point logarithm.
func aboveRoot(n *big.Int, q int64) *big.Int {
	var mantissa big.Float
	exponent := new(big.Float).SetInt(n).MantExp(&mantissa)
	fraction, _ := mantissa.Float64()
	whole, part := math.Modf((float64(exponent) + math.Log2(fraction)) / float64(q))
	const precision = 52
	scaled := math.Exp2(part+precision) * (1 + 1e-9)
	x := new(big.Int).Lsh(big.NewInt(int64(scaled)), uint(whole))
	return x.Rsh(x, precision).Add(x, big.NewInt(1))
}
