package value_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/value"
)

// Whatever the bytes: spans lie inside the text, in order; a text that is one value as
// Find sees it is the same value as Parse reads it.
func FuzzFind(f *testing.F) {
	for _, s := range []string{"", "4 July 1776", "$1.2M", "5'10\"", "½ km²", "2024年3月5日", "about 5–7 %", "\xff1,23", `\frac{1}{2}`, "one hundred and five m/s",
		"44 B.C.", "1939-45", "10^999", "-5 °C", "2π √2 5x", "5 lakh crore dollars"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		found := value.Find(s, 1000)
		at := 0
		for _, v := range found {
			if v.Start < at || v.End <= v.Start || v.End > len(s) {
				t.Fatalf("%q: span %v after %d", s, v.Span, at)
			}
			at = v.End
			if v.Numeric() && v.Low.Rat == nil || v.Kind == value.None {
				t.Fatalf("%q: %+v", s, v)
			}
		}
		for _, as := range []value.As{value.Any, value.AsNumber, value.AsMoney, value.AsQuantity, value.AsDate} {
			v, err := value.Parse(s, as)
			if err == nil && v.Kind == value.None {
				t.Fatalf("%q as %d: no kind and no error", s, as)
			}
		}
		if len(found) != 1 || found[0].Doubt || found[0].Kind == value.Figures || strings.TrimSpace(s) != found[0].Of(s) || strings.ContainsAny(s, "\n\v\f\r\u0085\u2028\u2029") {
			return
		}
		whole, err := value.Parse(s, value.Any)
		if err == nil && !whole.Doubt && !agree(whole, found[0]) {
			t.Fatalf("%q: Find reads %+v, Parse %+v", s, found[0], whole)
		}
	})
}

// agree compares two readings of one text, an open currency being that of its first code.
func agree(a, b value.Value) bool {
	if codes := a.Currency.Codes; len(codes) > 1 {
		a, b = a.Settle(codes[0], false), b.Settle(codes[0], false)
	}
	return value.Same(a, b)
}

func TestParseAgreesWithFind(t *testing.T) {
	for _, s := range []string{"5 km", "1,234.5 m/s", "$12.50", "EUR 3 million", "12 %", "3 percentage points", "twenty-one", "3/4", "6 ft 2 in",
		"20 July 1969", "July 1969", "44 BC", "the 1880s", "2024年3月5日", "120万平方公里", "-40 °C", "1e5", "half a million", "5'10\"", "2½"} {
		whole, err := value.Parse(strings.TrimPrefix(s, "the "), value.Any)
		found := value.Find(s, 10)
		if err != nil || len(found) != 1 || !agree(whole, found[0]) {
			t.Errorf("%q: Parse %+v (%v), Find %+v", s, whole, err, found)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		as   value.As
		want string // the number, empty for an error, ? for a doubt
	}{
		{"2π", value.AsNumber, ""}, {"5x", value.AsNumber, ""}, {"5 x", value.AsNumber, ""}, {"4i", value.AsNumber, ""}, {"5!", value.AsNumber, ""},
		{"pi/2", value.AsNumber, ""}, {"2 pi", value.AsNumber, ""}, {"3√2", value.AsNumber, ""}, {"5 apples", value.AsNumber, "5"}, {"42个", value.AsNumber, "42"},
		{"3 hours", value.AsNumber, "3"}, {"$18", value.AsNumber, "18"}, {"42 (forty-two)", value.AsNumber, "42"}, {"42 [doc_1]", value.AsNumber, "42"},
		{"42 (43)", value.AsNumber, ""}, {"x = 5", value.AsNumber, "5"}, {"total = 5", value.AsNumber, "5"}, {"x == 5", value.AsNumber, ""},
		{"5k", value.AsNumber, "?"}, {"5m", value.AsNumber, "?"}, {"1e5", value.AsNumber, "100000"}, {"+5", value.AsNumber, "5"}, {"−5", value.AsNumber, "-5"},
		{"3 dozen", value.AsNumber, "36"}, {"twenty-one", value.AsNumber, "21"}, {"twenty-first", value.AsNumber, "21"}, {"3rd", value.AsNumber, "3"},
		{`\frac{3}{4}`, value.AsNumber, "3/4"}, {`\dfrac{3}{4}`, value.AsNumber, "3/4"}, {"1{,}234", value.AsNumber, "1234"}, {`1\,234`, value.AsNumber, "1234"},
		{"二十一", value.AsNumber, "21"}, {"三百〇五", value.AsNumber, "305"}, {"两万", value.AsNumber, "20000"}, {"1,23", value.AsNumber, "123/100"}, {"1990,1991", value.AsNumber, "?"},
		{"$1.2M", value.AsMoney, "1200000"}, {"5 m", value.AsQuantity, "5"}, {"5'10\"", value.AsQuantity, "70"}, {"5 apples", value.AsQuantity, ""},
		{"50 percent", value.AsNumber, "50"}, {"1960s", value.AsNumber, "?"}, {"", value.Any, ""}, {"NaN", value.AsNumber, ""},
	} {
		v, err := value.Parse(c.text, c.as)
		got := ""
		switch {
		case err != nil:
		case v.Doubt:
			got = "?"
		default:
			got = v.Low.Rat.RatString()
		}
		if got != c.want {
			t.Errorf("Parse(%q, %d) = %q (%v), want %q", c.text, c.as, got, err, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	read := func(s string) value.Value {
		v, err := value.Parse(s, value.Any)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		return v
	}
	for _, c := range []struct {
		a, b                   string
		same, rounded, differs bool
	}{
		{"3 km", "3000 m", true, true, false},
		{"3.14", "3.1416", false, true, false},
		{"3", "3.1", false, false, false},
		{"50", "50%", false, false, false},
		{"50%", "50 percent", true, true, false},
		{"20 °C", "68 °F", true, true, false},
		{"1969", "1970", false, false, true},
		{"July 1969", "20 July 1969", false, false, false},
		{"July 1969", "20 August 1969", false, false, true},
		{"$5", "€5", false, false, true},
		{"5 EUR", "5 euros", true, true, false},
		{"5 kg", "5 m", false, false, true},
	} {
		a, b := read(c.a), read(c.b)
		if value.Same(a, b) != c.same || value.SameRounded(a, b) != c.rounded || value.Differ(a, b) != c.differs {
			t.Errorf("%q, %q: same %v, rounded %v, differ %v", c.a, c.b, value.Same(a, b), value.SameRounded(a, b), value.Differ(a, b))
		}
		if value.Same(b, a) != c.same || value.Differ(b, a) != c.differs {
			t.Errorf("%q, %q: the comparison is not symmetric", c.a, c.b)
		}
	}
	if value.RoundsTo(value.Number{Rat: big.NewRat(106, 1)}, value.Number{Rat: big.NewRat(107, 1)}) {
		t.Error("106 does not round to 107")
	}
}
