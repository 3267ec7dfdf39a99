package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"pgregory.net/rapid"
)

func TestSameRounded(t *testing.T) {
	for _, c := range []struct {
		a, b string
		typ  answer.Type
		want bool
	}{
		{"3.14", "3.1416", answer.Decimal, true},
		{"3.14", "3.15", answer.Decimal, false},
		{"3.15", "3.1416", answer.Decimal, false},
		{"3.12", "3.125", answer.Decimal, true}, // half to even
		{"3.13", "3.125", answer.Decimal, false},
		{"-3.14", "-3.1416", answer.Decimal, true},
		{"-3.14", "3.1416", answer.Decimal, false},
		{"12", "12.4", answer.Decimal, true},
		{"3", "3.1", answer.Decimal, false},    // one significant digit
		{"0.3", "0.33", answer.Decimal, false}, // the same
		{"0.05", "0.051", answer.Decimal, false},
		{"0", "0.001", answer.Decimal, false},
		{"0.33", "1/3", answer.Decimal, false}, // never written in decimals
		{"1/3", "2/6", answer.Decimal, true},   // equal
		{"3.0", "3", answer.Decimal, true},
		{"1,200", "1,234", answer.Decimal, false}, // zeros of a whole number are digits
		{"about 3.14", "3.1416", answer.Decimal, false},
		{"1,23", "1.23", answer.Decimal, true},
		{"x", "x", answer.Decimal, false},
		{"42", "43", answer.Integer, false},
		{"42", "42 km", answer.Integer, true},
		{"33%", "33.3%", answer.Percent, true},
		{"33.3%", "0.3333", answer.Percent, true},
		{"33 pp", "33%", answer.Percent, false},
		{"EUR 1.25", "€1.249", answer.Currency, true},
		{"EUR 1.25", "$1.249", answer.Currency, false},
		{"42.195 km", "42195.3 m", answer.Quantity, true},
		{"42.195 km", "42.2 km", answer.Quantity, true},
		{"26.2 miles", "42.195 km", answer.Quantity, false}, // the units are no power of ten apart
		{"25 °C", "298 K", answer.Quantity, true},
		{"42.2 km", "42.195 kg", answer.Quantity, false},
		{"twenty-one", "21.4", answer.Decimal, true},
		{"1969", "1969", answer.Date, false},
		{"Paris", "Paris", answer.Entity, false},
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			a, errA := answer.Normalize(pair[0], c.typ, answer.Options{})
			b, errB := answer.Normalize(pair[1], c.typ, answer.Options{})
			if got := errA == nil && errB == nil && answer.SameRounded(a, b); got != c.want {
				t.Errorf("%s: SameRounded(%q, %q) = %v", c.typ, pair[0], pair[1], got)
			}
		}
	}
}

func TestRoundingNeverContradictsTheVeto(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := anyType().Draw(t, "type")
		a, b := answerLike().Draw(t, "a"), answerLike().Draw(t, "b")
		ka, errA := answer.Normalize(a, typ, answer.Options{})
		kb, errB := answer.Normalize(b, typ, answer.Options{})
		if errA != nil || errB != nil {
			return
		}
		if answer.Differ(ka, kb) != answer.Differ(kb, ka) {
			t.Fatalf("the veto over %s and %s depends on their order", ka.Key, kb.Key)
		}
		if answer.Differ(ka, kb) && answer.SameRounded(ka, kb) {
			t.Fatalf("%q and %q are the same when rounded and certainly differ", a, b)
		}
		if ka.Key == kb.Key && answer.Differ(ka, kb) {
			t.Fatalf("the key %s differs from itself", ka.Key)
		}
	})
}
