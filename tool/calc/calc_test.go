package calc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/tool/calc"
)

func TestEval(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		// Literals.
		{"0", "0"},
		{"007", "7"},
		{"1_000_000", "1000000"},
		{"1.50", "1.5"},
		{".5", "0.5"},
		{"5.", "5"},
		{"6.02e23", "602000000000000000000000"},
		{"1E-3", "0.001"},
		{"1_0e1_0", "100000000000"},
		{"1e+2", "100"},
		// Precedence and associativity.
		{"1 + 2 * 3", "7"},
		{"(1 + 2) * 3", "9"},
		{"10 - 4 - 3", "3"},
		{"100 / 10 / 5", "2"},
		{"2 * 7 % 4", "2"},
		{"-2**2", "-4"},
		{"(-2)**2", "4"},
		{"2**-1", "0.5"},
		{"2**3**2", "512"},
		{"2**-2**2", "0.0625"},
		{"-2**-2", "-0.25"},
		{"2**-1*4", "2"},
		{"--3", "3"},
		{"+-+3", "-3"},
		{"2 - -3", "5"},
		{"-7 % 3", "2"},
		{"-(7 % 3)", "-1"},
		// Floor division and modulo.
		{"7 // 2", "3"},
		{"-7 // 2", "-4"},
		{"7 // -2", "-4"},
		{"-7 // -2", "3"},
		{"7 % -3", "-2"},
		{"-7 % -3", "-1"},
		{"7.5 // 2", "3"},
		{"7.5 % 2", "1.5"},
		{"-0.5 % 0.3", "0.1"},
		{"7%3", "1"},
		{"7 % +3", "1"},
		{"7 % (3)", "1"},
		// Powers.
		{"0**0", "1"},
		{"0**5", "0"},
		{"0**0.5", "0"},
		{"4**0.5", "2"},
		{"4**-0.5", "0.5"},
		{"8**(2/3)", "4"},
		{"0.25**0.5", "0.5"},
		{"(4/9)**1.5", "0.296296296296296296296296296296"},
		{"1**(1/3)", "1"},
		{"1**99999999999", "1"},
		{"(-1)**99999999999", "-1"},
		{"(-1)**(-99999999998)", "1"},
		{"(10**300)**(1/3)", "1" + strings.Repeat("0", 100)},
		{"(3**5000)**(1/1000)", "243"},
		{"(12345678901234567890**2)**0.5", "12345678901234567890"},
		// Exactness and rounding.
		{"0.1 + 0.2", "0.3"},
		{"1/3*3", "1"},
		{"1/3", "0." + strings.Repeat("3", 30)},
		{"2/3", "0." + strings.Repeat("6", 29) + "7"},
		{"-2/3", "-0." + strings.Repeat("6", 29) + "7"},
		{"10**29/3", strings.Repeat("3", 29) + ".3"},
		{"10**30/3", strings.Repeat("3", 30)},
		{"10**31/3", "3." + strings.Repeat("3", 29) + "e+30"},
		{"1/3/10**6", "3." + strings.Repeat("3", 29) + "e-7"},
		{"1/3/10**5", "0.00000" + strings.Repeat("3", 30)},
		{"1 - 1/3/10**40", "1." + strings.Repeat("0", 29)},
		{"1/8", "0.125"},
		{"1/2**20", "0.00000095367431640625"},
		// Functions and constants.
		{"sqrt(16)", "4"},
		{"SQRT(0.25)", "0.5"},
		{"exp(0)", "1"},
		{"ln(1)", "0"},
		{"log(1000)", "3"},
		{"log(1/100)", "-2"},
		{"log(1)", "0"},
		{"-sqrt(4)**2", "-4"},
		{"7 // sqrt(4)", "3"},
		// Unicode operators and spaces.
		{"7 − 2 × 3", "1"},
		{"9 ÷ 2", "4.5"},
		{"3\u00a0+\t4\n", "7"},
		// Size.
		{"10**9999", "1" + strings.Repeat("0", 9999)},
		{"10**-5000", "0." + strings.Repeat("0", 4999) + "1"},
	} {
		got, err := calc.Eval(test.expression)
		if err != nil || got.Value != test.want {
			t.Errorf("Eval(%q) = %.80q, %v; want %.80q", test.expression, got.Value, err, test.want)
		}
	}
}

// The values are those of the OEIS and of Python's decimal at 60 digits.
func TestApproximate(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		{"pi", "3.14159265358979323846264338328"},
		{"e", "2.71828182845904523536028747135"},
		{"sqrt(2)", "1.41421356237309504880168872421"},
		{"2 ** 0.5", "1.41421356237309504880168872421"},
		{"ln(2)", "0.693147180559945309417232121458"},
		{"log(2)", "0.301029995663981195213738894724"},
		{"exp(1)", "2.71828182845904523536028747135"},
		{"exp(-2000)", "2.57653587296114965219015049951e-869"},
		{"2 * π", "6.28318530717958647692528676656"},
		{"sqrt(2) ** 2", "2"},
		{"sqrt(2) ** 2 - 2", "0"},
		{"sqrt(10**200 + 1) - 10**100", "5e-101"},
		{"ln(1) * pi", "0"},
		{"-sqrt(2) ** 2", "-2"},
		{"(-sqrt(2)) ** 3", "-2.82842712474619009760337744842"},
		{"ln(exp(3))", "3"},
		{"10 ** (1/10**9)", "1.00000000230258509564499474129"},
		{"sqrt(10**41)", "316227766016837933199.889354443"},
		{"1e40 * pi / pi", "1e+40"},
		{"(1/2) ** 0.5 * 4", "2.82842712474619009760337744842"},
		{"exp(exp(exp(2)))", ""},
		{"2" + strings.Repeat(" ** 0.5", 99), ""},
		{strings.Repeat("sqrt(", 99) + "2" + strings.Repeat(")", 99), "1"},
	} {
		got, err := calc.Eval(test.expression)
		if err != nil || !got.Approximate || test.want != "" && got.Value != test.want {
			t.Errorf("Eval(%q) = %v, %v; want %q, approximately", test.expression, got, err, test.want)
		}
	}
}

func TestEvalRefusals(t *testing.T) {
	for _, test := range []struct {
		expression string
		column     int
		says       string
	}{
		// Incomplete or misplaced.
		{"", 1, "empty"},
		{"  ", 1, "empty"},
		{"1 +", 4, "ends where a number"},
		{"* 3", 1, `a number is expected instead of "*"`},
		{"2 *** 3", 5, `instead of "*"`},
		{"()", 2, `instead of ")"`},
		{"(1 + 2", 1, "never closed"},
		{"1 + 2)", 6, "has no"},
		{"2 3", 3, "operator is missing"},
		{"2(3)", 2, "write * to multiply"},
		{"(1)(2)", 4, "write * to multiply"},
		// Notation with another meaning.
		{"1,234 + 1", 2, "for example 1234 (no commas)"},
		{"2 * 1,234,567", 6, "for example 1234 (no commas)"},
		{"1,234.50", 2, "for example 1234 (no commas)"},
		{"1,5", 2, "for example 1234 (no commas)"},
		{",5", 1, "no commas"},
		{"1, 234", 2, "for example 1234"},
		{"50%", 3, "write 50/100"},
		{"(50%)", 4, "write 50/100"},
		{"20% * 50", 3, "write 20/100"},
		{"50% of 80", 3, "write 50/100"},
		{"50% + 3", 3, "write 50/100"},
		{"2 ^ 3", 3, "use **"},
		{"3 x 4", 3, "write * to multiply"},
		{"3 · 4", 3, "use * to multiply"},
		{"5 – 2", 3, "use - for minus"},
		{"5²", 2, "use ** for powers"},
		{"$5", 1, "without the currency"},
		{"√4", 1, "sqrt"},
		{"[1]", 1, "use ( )"},
		// Not arithmetic.
		{"2 * größe", 5, `name "größe"`},
		{"abs(2)", 1, `function "abs"`},
		{"2 + __import__('os')", 5, `function "__import__"`},
		{"sqrt 2", 1, "as in sqrt(2)"},
		{"sqrt(2", 5, "never closed"},
		{"sqrt()", 6, `instead of ")"`},
		{"log(8, 2)", 6, "one argument"},
		{"2 pi", 3, "write * to multiply"},
		{"3 sqrt(2)", 3, "write * to multiply"},
		{"sqrt(-1)", 1, "at least 0"},
		{"ln(0)", 1, "above 0"},
		{"log(-3)", 1, "above 0"},
		{"exp(10 ** 9)", 1, "too large"},
		{"exp(-10 ** 9)", 1, "too large"},
		{"10 ** (10**9 + 1/3)", 4, "too large"},
		{"2 ** sqrt(10**20)", 3, "too large"},
		{"(-2) ** sqrt(2)", 6, "not a real number"},
		{"ln(exp(3)) // 1", 12, "needs exact numbers"},
		{"pi % 1", 4, "needs exact numbers"},
		{"1 / (sqrt(2) ** 2 - 2)", 3, "division by zero"},
		{"(pi - exp(ln(pi))) * 10**300", 20, "cancel"},
		{"(1).real", 4, "attributes"},
		{"1 .real", 3, "attributes"},
		{"1.real", 3, `name "real"`},
		{"'a' * 3", 1, "strings"},
		{"x = 3", 1, `name "x"`},
		{"3 = 3", 3, "assignments, comparisons"},
		{"1 < 2", 3, "comparisons"},
		{"5!", 2, "factorials"},
		{"0x1F", 2, "decimal"},
		{"1__0", 2, "misplaced"},
		{"1_", 2, "misplaced"},
		{"2j", 2, `name "j"`},
		{"1e", 2, "write * to multiply"},
		{"½", 1, "allowed"},
		{"−−x", 3, `name "x"`},
		{"1 + \xff", 5, "unexpected"},
		// Undefined values.
		{"1 / 0", 3, "division by zero"},
		{"1 // (2 - 2)", 3, "division by zero"},
		{"1 % 0", 3, "modulo by zero"},
		{"0 ** -1", 3, "division by zero"},
		{"0 ** -0.5", 3, "division by zero"},
		{"(-4) ** 0.5", 6, "not a real number"},
		// Bounds.
		{"9**9**9", 2, "too large"},
		{"2**-99999999", 2, "too large"},
		{"(1/2)**99999999", 6, "too large"},
		{"2**10**9999", 2, "too large"},
		{"10**10000", 3, "too large"},
		{"10**-10000", 3, "too large"},
		{"10**9999 * 10", 10, "too large"},
		{"1e999999999", 1, "out of range"},
		{"1e-99999999999999999999", 1, "out of range"},
		{"1e10000", 1, "too large"},
		{strings.Repeat("(", 1000), 101, "nested deeper"},
		{strings.Repeat("-", 999) + "1", 101, "nested deeper"},
		{strings.Repeat("1**", 300) + "1", 302, "nested deeper"},
		{strings.Repeat("1", 1001), 1, "1001 bytes"},
	} {
		got, err := calc.Eval(test.expression)
		var failure *calc.Error
		if !errors.As(err, &failure) {
			t.Errorf("Eval(%.40q) = %.40q, %v; want an *Error", test.expression, got.Value, err)
			continue
		}
		if failure.Column != test.column || !strings.Contains(failure.Message, test.says) {
			t.Errorf("Eval(%.40q) = %v; want column %d and %q", test.expression, failure, test.column, test.says)
		}
	}
}

func TestEvalAtTheBounds(t *testing.T) {
	for _, expression := range []string{
		strings.Repeat("(", calc.MaxNesting) + "1" + strings.Repeat(")", calc.MaxNesting),
		strings.Repeat("1", calc.MaxLength),
		strings.Repeat("1+", calc.MaxLength/2-1) + "1",
		"10**9999 + (10**9999 - 1)",
		"1e9999",
		"1e-9999",
	} {
		if _, err := calc.Eval(expression); err != nil {
			t.Errorf("Eval(%.40q): %v", expression, err)
		}
	}
}
