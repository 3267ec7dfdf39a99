package calc_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/tool/calc"
)

// reference is a program that evaluates one expression per line with Python's exact fractions, and prints
// each value by the rules of this package.
const reference = `
import re, sys
from decimal import Context, Decimal, ROUND_HALF_EVEN
from fractions import Fraction

thirty = Context(prec=30, rounding=ROUND_HALF_EVEN)

def show(value):
    n, d = value.numerator, value.denominator
    twos = fives = 0
    while d % 2 == 0: d, twos = d // 2, twos + 1
    while d % 5 == 0: d, fives = d // 5, fives + 1
    if d != 1:
        return str(thirty.divide(Decimal(n), Decimal(value.denominator))).lower()
    places = max(twos, fives)
    digits = str(abs(n) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if n < 0 else ""
    return sign + (digits[:-places] + "." + digits[-places:] if places else digits)

for line in sys.stdin:
    wrapped = re.sub(r"[0-9.]+", lambda m: "Fraction('" + m[0] + "')", line.strip())
    try:
        print(show(Fraction(eval(wrapped))))
    except ZeroDivisionError:
        print("zero")
`

// randomExpression draws an expression that is valid in both languages. Exponents are small integers, for
// which Python's fractions are exact.
func randomExpression(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(3) == 0 {
			return fmt.Sprintf("%d.%02d", r.IntN(100), r.IntN(100))
		}
		return fmt.Sprint(r.IntN(40))
	}
	left, right := randomExpression(r, depth-1), randomExpression(r, depth-1)
	switch r.IntN(10) {
	case 0:
		return "-" + left
	case 1:
		return "(" + left + ")"
	case 2:
		return fmt.Sprintf("(%s)**%d", left, r.IntN(5))
	case 3:
		return fmt.Sprintf("-(%s)**-%d", left, r.IntN(4))
	}
	operators := []string{"+", "-", "*", "/", "//", "%"}
	return left + " " + operators[r.IntN(len(operators))] + " " + right
}

func TestAgreesWithPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	r := rand.New(rand.NewPCG(1, 2))
	expressions := make([]string, 600)
	for i := range expressions {
		expressions[i] = randomExpression(r, 1+r.IntN(5))
	}
	command := exec.CommandContext(t.Context(), python, "-c", reference)
	command.Stdin = strings.NewReader(strings.Join(expressions, "\n") + "\n")
	output, err := command.Output()
	if err != nil {
		t.Fatalf("run python3: %v", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, 1<<20)
	compared := 0
	for _, expression := range expressions {
		if !lines.Scan() {
			t.Fatalf("python3 stopped before %s: %v", expression, lines.Err())
		}
		if len(expression) > calc.MaxLength {
			continue
		}
		compared++
		got, err := calc.Eval(expression)
		if err != nil && strings.Contains(err.Error(), "zero") {
			got, err = calc.Result{Value: "zero"}, nil
		}
		if err != nil || got.Value != lines.Text() {
			t.Errorf("Eval(%s) = %.60s, %v; Python says %.60s", expression, got.Value, err, lines.Text())
		}
	}
	if compared < 500 {
		t.Errorf("compared %d expressions, want at least 500", compared)
	}
}
