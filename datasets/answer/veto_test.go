package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		typ  answer.Type
		want bool
	}{
		{"42", "43", answer.Integer, true},
		{"42", "-42", answer.Integer, true},
		{"42", "42 km", answer.Integer, false},
		{"12193254061881", "12193254061880", answer.Integer, true},
		{"3", "3.14", answer.Decimal, false}, // may be a rounding of it
		{"3", "3.6", answer.Decimal, true},
		{"3.14", "3.1416", answer.Decimal, false},
		{"3.13", "3.125", answer.Decimal, false}, // however ties are rounded
		{"3.14", "3.15", answer.Decimal, true},
		{"1/3", "0.33", answer.Decimal, false},
		{"1/3", "0.34", answer.Decimal, true},
		{"1/3", "2/3", answer.Decimal, true},
		{"~5", "500", answer.Decimal, false},
		{"<5", "7", answer.Decimal, false},
		{"5k", "7", answer.Decimal, false},
		{"33%", "33.3%", answer.Percent, false},
		{"33%", "34%", answer.Percent, true},
		{"50", "50%", answer.Percent, false},
		{"5 pp", "5%", answer.Percent, false},
		{"5 pp", "6 pp", answer.Percent, true},
		{"1969", "1969-07-20", answer.Date, false},
		{"1969-07", "July 20, 1969", answer.Date, false},
		{"1969-08", "July 20, 1969", answer.Date, true},
		{"1969", "1970", answer.Date, true},
		{"44 BC", "AD 44", answer.Date, true},
		{"1969", "about 1970", answer.Date, false},
		{"EUR 5", "€6", answer.Currency, true},
		{"EUR 5", "USD 5", answer.Currency, true},
		{"EUR 5", "€5.40", answer.Currency, false},
		{"EUR 5", "6", answer.Currency, false},
		{"$5", "$6", answer.Currency, true}, // of one country or of two
		{"$5", "USD 6", answer.Currency, true},
		{"$5", "USD 5", answer.Currency, false},
		{"$1.2M", "1,200,000 US dollars", answer.Currency, false},
		{"¥500", "600 yen", answer.Currency, true},
		{"$5", "€5", answer.Currency, true},
		{"50 cents", "$0.50", answer.Currency, false},
		{"50 cents", "$5", answer.Currency, false}, // not read that closely
		{"about $5", "$500", answer.Currency, false},
		{"3 km", "4 km", answer.Quantity, true},
		{"3 km", "3 kg", answer.Quantity, true},
		{"26.2 miles", "42.195 km", answer.Quantity, false},
		{"8 kB", "8 KiB", answer.Quantity, false},
		{"3 km", "3", answer.Quantity, false},
		{"3", "4", answer.Quantity, true},
		{"180°", "3.14 rad", answer.Quantity, false},
		{"1 year", "365 days", answer.Quantity, false},
		{"1 year", "5 km", answer.Quantity, true},
		{"-270 °C", "-270.4 °C", answer.Quantity, false},
		{"-270 °C", "-268 °C", answer.Quantity, true},
		{"A", "B", answer.Choice, true},
		{"A, B", "B, A", answer.Choice, false},
		{"a; b", "c", answer.List, false},
		{"yes", "no", answer.Boolean, true},
		{"yes", "true", answer.Boolean, false},
		{"Paris", "Lyon", answer.Entity, false},
		{"5", "6", answer.Text, false},
	} {
		a, errA := answer.Normalize(c.a, c.typ, answer.Options{})
		b, errB := answer.Normalize(c.b, c.typ, answer.Options{})
		if errA != nil || errB != nil {
			t.Errorf("%q, %q: %v, %v", c.a, c.b, errA, errB)
			continue
		}
		if answer.Differ(a, b) != c.want || answer.Differ(b, a) != c.want {
			t.Errorf("%s: Differ(%s, %s) = %v", c.typ, a.Key, b.Key, !c.want)
		}
	}
}

func TestDifferNeedsOneType(t *testing.T) {
	integer, _ := answer.Normalize("42", answer.Integer, answer.Options{})
	decimal, _ := answer.Normalize("43", answer.Decimal, answer.Options{})
	if answer.Differ(integer, decimal) {
		t.Error("keys of two types are certain to differ")
	}
	forged := answer.Key{Key: "num:1e999999999", Type: answer.Decimal}
	if answer.Differ(forged, decimal) {
		t.Error("a key that no answer has is certain to differ")
	}
}
