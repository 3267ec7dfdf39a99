package calc

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Result is the value of an expression.
type Result struct {
	// Value is the number as text. Integers and terminating decimals are in full; any other number is rounded
	// half to even to [SignificantDigits] digits.
	Value string
	// Approximate reports that a root, a power, a logarithm or a constant in the expression is irrational, so
	// that Value is rounded.
	Approximate bool
}

// Eval returns the value of an arithmetic expression. Every error is an *[Error].
func Eval(expression string) (Result, error) {
	root, err := parse(expression)
	if err != nil {
		return Result{}, err
	}
	x, err := settle(root)
	if err != nil {
		return Result{}, err
	}
	return Result{Value: format(x), Approximate: x.approximate}, nil
}

// value is a rational number, either exact or an approximation of an irrational number.
type value struct {
	*big.Rat
	approximate bool
}

// settle evaluates a tree with more and more digits until the printed digits no longer change (A. Ziv, "Fast
// evaluation of elementary mathematical functions with correctly rounded last bit", 1991).
func settle(root *node) (value, *Error) {
	last, err := evaluator(firstDigits).evaluate(root)
	for digits := 2 * firstDigits; err == nil && last.approximate; digits *= 2 {
		var x value
		// A 0 may be a difference that is only visible with more digits.
		if x, err = evaluator(digits).evaluate(root); err != nil || format(x) == format(last) && x.Sign() != 0 {
			return x, err
		}
		if digits == mostDigits {
			if new(big.Rat).Abs(x.Rat).Cmp(negligible()) < 0 {
				return value{new(big.Rat), true}, nil
			}
			return value{}, errorAt(root.token.column,
				"the digits cancel out, so the value is unknown; rewrite the expression")
		}
		last = x
	}
	return last, err
}

// evaluator computes trees. Its value is the number of significant digits that it keeps for irrational
// numbers.
type evaluator uint32

// evaluate computes a tree, and checks the size of every value in it.
func (e evaluator) evaluate(n *node) (value, *Error) {
	x, err := e.compute(n)
	switch {
	case err != nil:
		return value{}, err
	case x.approximate:
		x, err = e.rational(n.token.column, decimal(x.Rat, e.context())) // and a few more digits
	}
	if err == nil && !withinLimits(x.Rat) {
		err = tooLarge(n.token.column)
	}
	return x, err
}

func (e evaluator) compute(n *node) (value, *Error) {
	if n.right == nil {
		if n.token.kind == name {
			return e.constant(n.token)
		}
		x, err := literal(n.token)
		return value{Rat: x}, err
	}
	right, err := e.evaluate(n.right)
	if err != nil {
		return value{}, err
	}
	if n.left == nil {
		switch {
		case n.token.kind == name:
			return functions[strings.ToLower(n.token.text)](e, n.token, right)
		case n.token.text == "-":
			return value{new(big.Rat).Neg(right.Rat), right.approximate}, nil
		}
		return right, nil
	}
	left, err := e.evaluate(n.left)
	if err != nil {
		return value{}, err
	}
	return e.apply(n.token, left, right)
}

// apply computes left op right. Each operation takes at most a few multiplications of numbers within the
// limits.
func (e evaluator) apply(op token, left, right value) (value, *Error) {
	x := value{new(big.Rat), left.approximate || right.approximate}
	switch op.text {
	case "+":
		x.Add(left.Rat, right.Rat)
		return x, nil
	case "-":
		x.Sub(left.Rat, right.Rat)
		return x, nil
	case "*":
		x.Mul(left.Rat, right.Rat)
		return x, nil
	case "**":
		return e.power(op.column, left, right)
	}
	if right.Sign() == 0 {
		if op.text == "%" {
			return value{}, errorAt(op.column, "modulo by zero; the right side of %% must not be 0")
		}
		return value{}, errorAt(op.column, "division by zero; the right side of %s must not be 0", op.text)
	}
	x.Quo(left.Rat, right.Rat)
	if op.text == "/" {
		return x, nil
	}
	if x.approximate {
		return value{}, errorAt(op.column, "%s needs exact numbers, and one operand is approximate; use / and round",
			op.text)
	}
	x.SetInt(new(big.Int).Div(x.Num(), x.Denom())) // Euclidean division, which rounds down for a positive denominator
	if op.text == "%" {
		x.Sub(left.Rat, x.Mul(x.Rat, right.Rat))
	}
	return x, nil
}

// literal returns the value of a decimal literal.
func literal(t token) (*big.Rat, *Error) {
	text := strings.ToLower(strings.ReplaceAll(t.text, "_", ""))
	if _, exponent, scientific := strings.Cut(text, "e"); scientific {
		if n, err := strconv.Atoi(exponent); err != nil || n > MaxDigits || n < -MaxDigits {
			return nil, errorAt(t.column, "the exponent of %q is out of range: from -%d to %d is allowed", t.text,
				MaxDigits, MaxDigits)
		}
	}
	x, _ := new(big.Rat).SetString(text) // cannot fail, because tokenize accepts only valid literals
	return x, nil
}

// format writes x in full if it is exact and terminates, and otherwise rounded half to even to
// SignificantDigits digits. It uses an exponent if the number would otherwise need zeros at its end, or more
// than six zeros at its beginning, as Python's decimal does.
func format(x value) string {
	if !x.approximate {
		if x.IsInt() {
			return x.Num().String()
		}
		if decimals, ok := x.FloatPrec(); ok {
			return x.FloatString(decimals)
		}
	}
	d := decimal(x.Rat, apd.BaseContext.WithPrecision(SignificantDigits))
	if x.approximate {
		d.Reduce(d)
		if d.Exponent > 0 && d.NumDigits()+int64(d.Exponent) <= SignificantDigits {
			return d.Text('f')
		}
	}
	return d.Text('g')
}

// scale returns 10**n.
func scale(n int) *big.Rat {
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), pow10(-n))
	}
	return new(big.Rat).SetInt(pow10(n))
}
