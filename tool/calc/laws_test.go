package calc_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/tool/calc"
)

// rational draws a fraction with any sign, often zero or an integer.
func rational() *rapid.Generator[*big.Rat] {
	return rapid.Custom(func(t *rapid.T) *big.Rat {
		numerator := rapid.Int64().Draw(t, "numerator")
		if rapid.Bool().Draw(t, "whole") {
			return big.NewRat(numerator, 1)
		}
		return big.NewRat(numerator, rapid.Int64Range(1, 1<<40).Draw(t, "denominator"))
	})
}

func nonZero(x *big.Rat) bool { return x.Sign() != 0 }

// text writes x as an operand of an expression.
func text(x *big.Rat) string { return "(" + x.RatString() + ")" }

// same fails unless the expression has exactly the value want.
func same(t *rapid.T, expression string, want *big.Rat) {
	t.Helper()
	difference, err := calc.Eval("(" + expression + ") - " + text(want))
	if err != nil || difference.Value != "0" {
		t.Fatalf("%s is off %s by %s, %v", expression, want, difference.Value, err)
	}
}

func TestOperationsMatchBigRat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rational().Draw(t, "a"), rational().Draw(t, "b")
		same(t, text(a)+"+"+text(b), new(big.Rat).Add(a, b))
		same(t, text(a)+"-"+text(b), new(big.Rat).Sub(a, b))
		same(t, text(a)+"*"+text(b), new(big.Rat).Mul(a, b))
		if nonZero(b) {
			same(t, text(a)+"/"+text(b), new(big.Rat).Quo(a, b))
		}
	})
}

func TestRingLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := text(rational().Draw(t, "a")), text(rational().Draw(t, "b")), text(rational().Draw(t, "c"))
		zero := new(big.Rat)
		for _, law := range []string{
			"(%[1]s + %[2]s) - (%[2]s + %[1]s)",
			"%[1]s * %[2]s - %[2]s * %[1]s",
			"(%[1]s + %[2]s) + %[3]s - (%[1]s + (%[2]s + %[3]s))",
			"(%[1]s * %[2]s) * %[3]s - %[1]s * (%[2]s * %[3]s)",
			"%[1]s * (%[2]s + %[3]s) - (%[1]s * %[2]s + %[1]s * %[3]s)",
			"%[1]s + -%[1]s + 0 * (%[2]s + %[3]s)",
		} {
			same(t, fmt.Sprintf(law, a, b, c), zero)
		}
	})
}

func TestFloorAndModulo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rational().Draw(t, "a"), rational().Filter(nonZero).Draw(t, "b")
		x, y := text(a), text(b)
		same(t, fmt.Sprintf("(%[1]s // %[2]s) * %[2]s + %[1]s %% %[2]s", x, y), a)

		quotient, err := calc.Eval(x + " // " + y)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := new(big.Int).SetString(quotient.Value, 10); !ok {
			t.Fatalf("%s // %s = %s is no integer", x, y, quotient.Value)
		}
		// a % b is between 0 and b: (a % b) / b is in [0, 1).
		below, err := calc.Eval(fmt.Sprintf("(%[1]s %% %[2]s) / %[2]s // 1", x, y))
		if err != nil || below.Value != "0" {
			t.Fatalf("%s %% %s is not between 0 and the divisor: %s, %v", x, y, below.Value, err)
		}
	})
}

func TestPowerLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rational().Filter(nonZero).Draw(t, "a")
		m, n := rapid.IntRange(-20, 20).Draw(t, "m"), rapid.IntRange(-20, 20).Draw(t, "n")
		one := big.NewRat(1, 1)
		same(t, fmt.Sprintf("%[1]s**%[2]d * %[1]s**%[3]d / %[1]s**(%[2]d+%[3]d)", text(a), m, n), one)

		q := rapid.IntRange(2, 40).Draw(t, "q")
		positive := new(big.Rat).Abs(a)
		same(t, fmt.Sprintf("(%[1]s**%[2]d)**(1/%[2]d)", text(positive), q), positive)
	})
}

func TestTerminatingResultsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		twos, fives := rapid.IntRange(0, 60).Draw(t, "twos"), rapid.IntRange(0, 60).Draw(t, "fives")
		expression := fmt.Sprintf("(%d) / (2**%d * 5**%d)", n, twos, fives)
		printed, err := calc.Eval(expression)
		if err != nil {
			t.Fatal(err)
		}
		difference, err := calc.Eval("(" + printed.Value + ") - " + expression)
		if err != nil || difference.Value != "0" {
			t.Fatalf("%s prints as %s, off by %s, %v", expression, printed.Value, difference.Value, err)
		}
	})
}
