package calc

import (
	"math/big"
	"strconv"
	"strings"
)

// Eval returns the value of an arithmetic expression as text: integers and
// terminating decimals in full, other numbers rounded half to even to
// [SignificantDigits] digits. Its errors are of type *[Error].
func Eval(expression string) (string, error) {
	root, err := parse(expression)
	if err != nil {
		return "", err
	}
	value, err := evaluate(root)
	if err != nil {
		return "", err
	}
	return format(value), nil
}

// evaluate computes a tree, checking the size of every value in it.
func evaluate(n *node) (*big.Rat, *Error) {
	value, err := evaluateUnchecked(n)
	if err != nil {
		return nil, err
	}
	if !fits(value) {
		return nil, tooLarge(n.token.column)
	}
	return value, nil
}

func evaluateUnchecked(n *node) (*big.Rat, *Error) {
	if n.right == nil {
		return literal(n.token)
	}
	right, err := evaluate(n.right)
	if err != nil {
		return nil, err
	}
	if n.left == nil {
		if n.token.text == "-" {
			return new(big.Rat).Neg(right), nil
		}
		return right, nil
	}
	left, err := evaluate(n.left)
	if err != nil {
		return nil, err
	}
	return apply(n.token, left, right)
}

// apply computes left op right. No operation below takes more than a few
// products of numbers within the bounds.
func apply(op token, left, right *big.Rat) (*big.Rat, *Error) {
	switch op.text {
	case "+":
		return new(big.Rat).Add(left, right), nil
	case "-":
		return new(big.Rat).Sub(left, right), nil
	case "*":
		return new(big.Rat).Mul(left, right), nil
	case "**":
		return power(op.column, left, right)
	}
	if right.Sign() == 0 {
		if op.text == "%" {
			return nil, errorAt(op.column, "modulo by zero; the right side of %% must not be 0")
		}
		return nil, errorAt(op.column, "division by zero; the right side of %s must not be 0", op.text)
	}
	quotient := new(big.Rat).Quo(left, right)
	if op.text == "/" {
		return quotient, nil
	}
	floor := new(big.Rat).SetInt(floor(quotient))
	if op.text == "//" {
		return floor, nil
	}
	return floor.Sub(left, floor.Mul(floor, right)), nil
}

// floor returns the greatest integer not above x.
func floor(x *big.Rat) *big.Int {
	// Euclidean division by a positive denominator rounds down.
	return new(big.Int).Div(x.Num(), x.Denom())
}

// literal returns the value of a decimal literal.
func literal(t token) (*big.Rat, *Error) {
	text := strings.ToLower(strings.ReplaceAll(t.text, "_", ""))
	mantissa, exponentText, scientific := strings.Cut(text, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, ok := new(big.Int).SetString("0"+whole+fraction, 10)
	if !ok {
		return nil, errorAt(t.column, "%q is not a number", t.text)
	}
	exponent := 0
	if scientific {
		var err error
		exponent, err = strconv.Atoi(exponentText)
		if err != nil || exponent > MaxDigits || exponent < -MaxDigits {
			return nil, errorAt(t.column, "the exponent of %q is out of range: from -%d to %d is allowed", t.text, MaxDigits, MaxDigits)
		}
	}
	value := new(big.Rat).SetInt(digits)
	scale := exponent - len(fraction)
	if scale >= 0 {
		return value.Mul(value, new(big.Rat).SetInt(pow10(scale))), nil
	}
	return value.Quo(value, new(big.Rat).SetInt(pow10(-scale))), nil
}
