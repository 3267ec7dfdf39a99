package calc

import (
	"math"
	"math/big"
)

// power returns base**exponent, exactly where it is a rational number.
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
			return value{}, errorAt(column, "a negative number to a fractional power is not a real number; the base must be at least 0")
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

// wholePower returns base**n for base != 0, refusing a result beyond the bounds before computing it.
func wholePower(column int, base *big.Rat, n *big.Int) (value, *Error) {
	if new(big.Rat).Abs(base).Cmp(big.NewRat(1, 1)) == 0 {
		if base.Sign() < 0 && n.Bit(0) == 1 {
			return value{Rat: big.NewRat(-1, 1)}, nil
		}
		return value{Rat: big.NewRat(1, 1)}, nil
	}
	// A part of b bits is at least 2**(b-1), so its n-th power has more than (b-1)*|n| bits; one part has b >= 2.
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

// rationalRoot returns the q-th root of x, for q >= 2 and x > 0, if it is rational.
func rationalRoot(x *big.Rat, q *big.Int) (*big.Rat, bool) {
	numerator, whole := exactRoot(x.Num(), q)
	denominator, too := exactRoot(x.Denom(), q)
	if !whole || !too {
		return nil, false
	}
	return new(big.Rat).SetFrac(numerator, denominator), true
}

// exactRoot returns the q-th root of n >= 1 if it is an integer.
func exactRoot(n, q *big.Int) (*big.Int, bool) {
	if n.IsInt64() && n.Int64() == 1 {
		return big.NewInt(1), true
	}
	// A root of 2 or more needs n >= 2**q.
	if !q.IsInt64() || q.Int64() >= int64(n.BitLen()) {
		return nil, false
	}
	root := floorRoot(n, q)
	return root, new(big.Int).Exp(root, q, nil).Cmp(n) == 0
}

// floorRoot returns the integer part of the q-th root of n by Newton's
// iteration, which falls steadily from any start above the root.
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

// aboveRoot returns an integer above the q-th root of n and within about one
// part in 10**9 of it (or within 1), by way of the floating-point logarithm.
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
