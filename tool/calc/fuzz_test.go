package calc_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/tool/calc"
)

// FuzzEval checks, for any input, that an error is an *Error at a column of the input, and that a result
// without an exponent is an expression with the same value.
func FuzzEval(f *testing.F) {
	for _, seed := range []string{
		"1 + 2 * 3", "-2**2", "2**-1", "2**3**2", "-7 // 2 % 3", "1/3", "4**0.5", "8**(1/3)",
		"9**9**9", "2**-99999999", "1e999999999", "(((", "50%", "50% + 3", "1,234", "2^3", "x=1",
		"sqrt(2)", "ln(2)**log(3)", "exp(-1)*pi", "e**(-e)", "7 − 2 × 3 ÷ 4", "1_000.5e-3", ".", "1__0", "0x1F", "\xff", "10**31/3", "1/7e20",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		evaluated, err := calc.Eval(expression)
		if err != nil {
			var failure *calc.Error
			if !errors.As(err, &failure) || failure.Message == "" {
				t.Fatalf("Eval(%q): %T %v", expression, err, err)
			}
			if last := utf8.RuneCountInString(expression) + 1; failure.Column < 1 || failure.Column > last {
				t.Fatalf("Eval(%q): column %d of %d", expression, failure.Column, last)
			}
			return
		}
		result := evaluated.Value
		if len(result) > calc.MaxLength-len("()-()") || strings.Contains(result, "e") {
			return
		}
		again, err := calc.Eval(result)
		if err != nil {
			t.Fatalf("Eval(%q) = %q, which does not evaluate: %v", expression, result, err)
		}
		if difference, err := calc.Eval("(" + again.Value + ")-(" + result + ")"); len(again.Value)+len(result) < 900 && (err != nil || difference.Value != "0") {
			t.Fatalf("Eval(%q) = %q, whose value is %q", expression, result, again.Value)
		}
	})
}
