package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// A symbol behind a number is a variable or a function of it, and no unit to be dropped;
// a noun behind it was counted.
func TestSymbolsBehindNumbers(t *testing.T) {
	for _, typ := range []answer.Type{answer.Integer, answer.Decimal} {
		for _, raw := range []string{"2π", "2 π", "5x", "5 x", "4i", "5!", "pi/2", "π/2", "3√2", "2 pi", "√2", `2\pi`, "n!"} {
			if k, err := answer.Normalize(raw, typ, answer.Options{}); err == nil && k.Confidence != answer.Ambiguous {
				t.Errorf("%q is the %s %s, want none", raw, typ, k.Key)
			}
		}
		for _, raw := range []string{"5 apples", "5 h", "5 km", "5个", "$5", "5 [doc_1]", "5 (five)", "x = 5", "5.", "**5**", "5 apples in total"} {
			if k, err := answer.Normalize(raw, typ, answer.Options{}); err != nil || k.Key != "int:5" {
				t.Errorf("%q is the %s %q (%v), want int:5", raw, typ, k.Key, err)
			}
		}
	}
}

func TestNotationsOfValues(t *testing.T) {
	for _, c := range []struct {
		raw, want string
		typ       answer.Type
	}{
		{`\frac{3}{4}`, "num:3/4", answer.Decimal},
		{`$\frac{3}{4}$`, "num:3/4", answer.Decimal},
		{`\boxed{\dfrac{3}{4}}`, "num:3/4", answer.Decimal},
		{`12{,}345`, "int:12345", answer.Integer},
		{`\text{12 km}`, "qty:12000:m", answer.Quantity},
		{"二十一", "int:21", answer.Integer},
		{"2024年3月5日", "date:2024-03-05", answer.Date},
		{"令和6年", "date:2024", answer.Date},
		{"5. März 2024", "date:2024-03-05", answer.Date},
		{"5 de marzo de 2024", "date:2024-03-05", answer.Date},
		{`5'10"`, "qty:889/500:m", answer.Quantity},
		{"5′10″", "qty:889/500:m", answer.Quantity},
		{"the 1960s", "date:1960s", answer.Date},
		{"19th century", "date:19th century", answer.Date},
		{"120万平方公里", "qty:1200000000000:m^2", answer.Quantity},
	} {
		k, err := answer.Normalize(c.raw, c.typ, answer.Options{})
		if err != nil || k.Key != c.want {
			t.Errorf("%s %q: %q (%v), want %q", c.typ, c.raw, k.Key, err, c.want)
			continue
		}
		if again, err := answer.Normalize(k.Canonical(), c.typ, answer.Options{}); err != nil || again.Key != k.Key {
			t.Errorf("%s %q: its canonical form %q is %q (%v)", c.typ, c.raw, k.Canonical(), again.Key, err)
		}
	}
}
