package answer_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"pgregory.net/rapid"
)

// answerLike draws answers of all the shapes that the grammars know, and noise.
func answerLike() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"1", "23", "456", "0", "7890", ".", ",", "-", "−", "+", "/", "%", " ", "\u00a0", "e", "^", "(", ")", "[", "]",
		"{", "}", "**", "*", "_", "`", "$", "€", "½", "²", "₂", "①", "৴", "~", "<", "≥", "±", "..", "to", "about ", "km",
		"million", "July", "1969", "BC", "th", "yes", "no", "but", "not", "the ", "a ", "l'", "U.", "S", "İ", "ß", "ς",
		"USD", "¥", "cents", "k", "ft", "in", "m/s", "°C", "MB", "twenty", "-one", "hundred", "and", "a dozen", "half", ";", "\n- ", "、",
		"A", "(B)", "option ", "|", "\\",
		"```", "~~~", "\n", "http://", "HTTPS://", "Ex.org", ":80", "@", "#", "?", "utm_a=b", "&c=D",
		"\u200b", "\u0301", "\u0345", "ｆ", "５", "٣", "東", "ᄀ", "ᅡ", `\boxed{`, "'", `"`, ":", "\u034f", "#", "&", "pp",
	})
	pieces := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
	})
	return rapid.OneOf(pieces, rapid.String())
}

func anyType() *rapid.Generator[answer.Type] { return rapid.SampledFrom(answer.Types()) }

func anyOptions() *rapid.Generator[answer.Options] {
	return rapid.Custom(func(t *rapid.T) answer.Options {
		return answer.Options{
			BarePercent:  rapid.Bool().Draw(t, "bare"),
			PrefixDate:   rapid.Bool().Draw(t, "prefix"),
			Currency:     rapid.SampledFrom([]string{"", "USD", "JPY"}).Draw(t, "currency"),
			UnitOptional: rapid.Bool().Draw(t, "optional"),
			Ordered:      rapid.Bool().Draw(t, "ordered"),
		}
	})
}

func TestNormalizeIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw, typ, o := answerLike().Draw(t, "raw"), anyType().Draw(t, "type"), anyOptions().Draw(t, "options")
		checkIdempotent(t, raw, typ, o)
	})
}

func checkIdempotent(t interface {
	Helper()
	Fatalf(string, ...any)
}, raw string, typ answer.Type, o answer.Options) {
	t.Helper()
	first, err := answer.Normalize(raw, typ, o)
	if err != nil {
		return
	}
	again, err := answer.Normalize(first.Canonical(), typ, o)
	if err != nil {
		t.Fatalf("%q gives %q, which does not normalise: %v", raw, first.Key, err)
	}
	if again.Key != first.Key || again.Confidence != first.Confidence {
		t.Fatalf("%q gives %q, then %q", raw, first.Key, again.Key)
	}
}

func TestRationalsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Int64().Draw(t, "p")
		q := rapid.Int64Range(1, 1<<40).Draw(t, "q")
		r := big.NewRat(p, q)
		want := "num:" + r.RatString()
		if r.IsInt() {
			want = "int:" + r.RatString()
		}
		if got := key(r.RatString(), answer.Decimal); got != want {
			t.Fatalf("%s gives %s", r, got)
		}
		digits := rapid.IntRange(0, 12).Draw(t, "digits")
		written := r.FloatString(digits)
		exact, _ := new(big.Rat).SetString(written)
		if got := key(written, answer.Decimal); strings.TrimLeft(got, "intum:") != exact.RatString() {
			t.Fatalf("%s gives %s", written, got)
		}
	})
}

func TestOuterDressIsInvisible(t *testing.T) {
	// wide holds for answers with a comma or a semicolon too: (0,1) is not [0,1].
	wide := []func(string) string{
		func(s string) string { return "  " + s + "\n" },
		func(s string) string { return "**" + s + "**" },
		func(s string) string { return "*" + s + "*" },
		func(s string) string { return "***" + s + "***" },
		func(s string) string { return "`" + s + "`" },
		func(s string) string { return `"` + s + `"` },
		func(s string) string { return "'" + s + "'" },
		func(s string) string { return "“" + s + "”" },
		func(s string) string { return `\boxed{` + s + `}` },
		func(s string) string { return `\(` + s + `\)` },
		fullWidth,
	}
	dress := append(slices.Clone(wide),
		func(s string) string { return "(" + s + ")" },
		func(s string) string { return "[" + s + "]" },
	)
	plain := map[answer.Type][]string{
		answer.Integer:  {"42", "-5", "1,234", "1e3", "~5", "<5", "5 km", "$5", "2 1/2 km"},
		answer.Decimal:  {"3.14", "22/7", "1.234,5", "5 to 7", "50%", "1,23"},
		answer.Percent:  {"50%", "0.5", "12.5 percent", "3 pp"},
		answer.Currency: {"$1.2M", "EUR 5", "5 CAD", "½ dollar", "five million euros"},
		answer.Quantity: {"3 km", "-5 °C", "9.8 m/s^2", "5 MB", "6 ft 2 in", "twenty miles"},
		answer.Choice:   {"B", "A and C", "Option D"},
		answer.List:     {"Paris, Rome and Oslo", "a; b; c", "one"},
		answer.Date:     {"1969-07-20", "July 20, 1969", "44 BC", "03/04/2024"},
		answer.Boolean:  {"yes", "no, it is not"},
		answer.Entity:   {"Paris", "U.S. Grant", "C++", "C#", "AT&T", "the United States", "f(x) of y"},
		answer.Text:     {"Hello, world", "A", "(a) and (b)"},
	}
	for typ, answers := range plain {
		for _, raw := range answers {
			want := key(raw, typ)
			around := dress
			if strings.ContainsAny(raw, ",;") && typ != answer.List {
				around = wide
			}
			if typ != answer.Choice {
				around = append(slices.Clone(around), func(s string) string { return `"` + s + `".` })
			}
			for i, wrap := range around {
				if got := key(wrap(raw), typ); got != want && want != "error" {
					t.Errorf("%s %q as %q (dress %d): %s, want %s", typ, raw, wrap(raw), i, got, want)
				}
			}
		}
	}
}

// fullWidth writes ASCII in the full-width forms of East Asian text.
func fullWidth(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '\u3000'
		case r > ' ' && r < 0x7f:
			return r - '!' + '！'
		}
		return r
	}, s)
}

func TestMatchAgreesWithKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ, o := anyType().Draw(t, "type"), anyOptions().Draw(t, "options")
		a, b := answerLike().Draw(t, "a"), answerLike().Draw(t, "b")
		ka, errA := answer.Normalize(a, typ, o)
		kb, errB := answer.Normalize(b, typ, o)
		ok, reason := answer.Match(a, b, typ, nil, answer.Tolerance{}, o)
		if reason == "" {
			t.Fatalf("no reason for %q against %q", a, b)
		}
		readable := errA == nil && errB == nil && ka.Confidence == answer.Exact && kb.Confidence == answer.Exact
		if readable && ka.Key == kb.Key && !ok {
			t.Fatalf("%q and %q share the key %q and do not match: %s", a, b, ka.Key, reason)
		}
		if !readable && ok {
			t.Fatalf("%q matches %q without two exact keys: %s", a, b, reason)
		}
		if self, reason := answer.Match(a, a, typ, nil, answer.Tolerance{}, o); errA == nil && self != (ka.Confidence == answer.Exact) {
			t.Fatalf("%q against itself: %v, %s", a, self, reason)
		}
	})
}

func TestLastMarkerWins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		noise := rapid.StringMatching(`(?:[a-z .:\[\]*]{0,20}\n){0,4}`)
		short := rapid.StringMatching(`[a-z]{3,8}`)
		injected, real := short.Draw(t, "injected"), short.Draw(t, "real")
		message := noise.Draw(t, "before") + "Answer: " + injected + "\n" + noise.Draw(t, "between") +
			"\nAnswer: " + real + "\n"
		got := answer.Extract(message, "", answer.Text)
		if got.Short != real || got.Extract != answer.FromLine {
			t.Fatalf("Extract(%q) = %+v, want %q", message, got, real)
		}
	})
}
