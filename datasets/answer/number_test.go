package answer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// key normalises and returns the key string, or "error".
func key(raw string, t answer.Type) string {
	k, err := answer.Normalize(raw, t, answer.Options{})
	if err != nil {
		return "error"
	}
	return k.Key
}

func TestDecimalKeys(t *testing.T) {
	for raw, want := range decimalKeys() {
		if got := key(raw, answer.Decimal); got != want {
			t.Errorf("decimal %q: %s, want %s", raw, got, want)
		}
	}
}

func decimalKeys() map[string]string {
	return map[string]string{
		"12193254061881":               "int:12193254061881",
		"12,193,254,061,881":           "int:12193254061881",
		"12,193,254,061,881 metres":    "int:12193254061881",
		"12\u202f193\u202f254":         "int:12193254",
		"12 193 254":                   "int:12193254",
		"1_000":                        "int:1000",
		"1'234'567":                    "int:1234567",
		"12,34,567":                    "int:1234567",
		"5.0":                          "int:5",
		"-0":                           "int:0",
		"+7":                           "int:7",
		"−5":                           "int:-5",
		"３．１４":                         "num:157/50",
		"٣٫١٤":                         "num:157/50",
		"٥":                            "int:5",
		".5":                           "num:1/2",
		"3.14":                         "num:157/50",
		"1,234":                        "int:1234",
		"1.234":                        "num:617/500",
		"1.234,56":                     "num:30864/25",
		"1,234.56":                     "num:30864/25",
		"1.234.567":                    "int:1234567",
		"1 234,5":                      "num:2469/2",
		"1,23":                         "num:123/100",
		"0,123":                        "num:123/1000",
		"1 234":                        "ambiguous:1 234",
		"1e3":                          "int:1000",
		"1.2×10^5":                     "int:120000",
		"1.2 x 10⁵":                    "int:120000",
		"10⁵":                          "int:100000",
		"10⁻²":                         "num:1/100",
		"2³":                           "int:8",
		"2^10":                         "int:1024",
		"½":                            "num:1/2",
		"2½":                           "num:5/2",
		"−2½":                          "num:-5/2",
		"2 ½":                          "num:5/2",
		"2 1/2":                        "num:5/2",
		"1⁄4":                          "num:1/4",
		"22/7":                         "num:22/7",
		"6/3":                          "int:2",
		"**42**":                       "int:42",
		"**42** km":                    "int:42",
		`\boxed{42}`:                   "int:42",
		"$42$":                         "int:42",
		`\(42\)`:                       "int:42",
		"`42`":                         "int:42",
		"(42).":                        "int:42",
		"x = 5":                        "int:5",
		"$29.00":                       "int:29",
		"US$ 29":                       "int:29",
		"-€5":                          "int:-5",
		"5 €":                          "int:5",
		"EUR 5":                        "int:5",
		"$1.2M":                        "int:1200000",
		"5 million people":             "int:5000000",
		"5m":                           "ambiguous:5m",
		"5k":                           "ambiguous:5k",
		"5 m":                          "int:5",
		"72 °F":                        "int:72",
		"9.8 m/s²":                     "num:49/5",
		"5㎡":                           "int:5",
		"42 (forty-two)":               "int:42",
		"about 42 km":                  "approx:~42",
		"~5":                           "approx:~5",
		"≈ 3.5":                        "approx:~7/2",
		"42 approximately":             "approx:~42",
		"<5":                           "lt:<5",
		"less than 5":                  "lt:<5",
		"≤5":                           "le:≤5",
		"> 5":                          "gt:>5",
		">=5":                          "ge:≥5",
		"5+":                           "ge:≥5",
		"5 or more":                    "ge:≥5",
		"5±0.1":                        "range:49/10..51/10",
		"5 to 7":                       "range:5..7",
		"between 5 and 7 km":           "range:5..7",
		"5-7":                          "ambiguous:5-7",
		"- 5":                          "ambiguous:- 5",
		"1960s":                        "ambiguous:1960s",
		"50%":                          "pct:1/2",
		"50 % points":                  "pp:50",
		"5 percentage points":          "pp:5",
		"1/0":                          "error",
		"1e999999999":                  "error",
		"1e99999999999999999999999999": "error",
		"9^9999":                       "error",
		"999999^999":                   "error",
		"10:30":                        "error",
		"1.2.3":                        "error",
		"1,2,3":                        "error",
		"NaN":                          "error",
		"inf":                          "error",
		"five":                         "int:5",
		"":                             "error",
		"...":                          "error",
		"5万":                           "int:50000",
		"5 Millionen":                  "int:5000000",
		"5 and a half":                 "num:11/2",
		"4x4":                          "error",
		"5 or 6":                       "error",
		"42, I think":                  "error",
		"7 to 5":                       "error",
		"5②":                           "error",
		"101₂":                         "error",
		"42 is the number of things that we have found": "error",
	}
}

func TestIntegerRefusesFractions(t *testing.T) {
	for raw, want := range map[string]string{
		"5": "int:5", "5.0": "int:5", "10/2": "int:5", "1.2e1": "int:12", "50%": "pct:1/2",
		"5.5": "error", "1/2": "error", "~5.5": "error", "5±0.5": "error", "1e-1": "error",
	} {
		if got := key(raw, answer.Integer); got != want {
			t.Errorf("integer %q: %s, want %s", raw, got, want)
		}
	}
	_, err := answer.Normalize("5.5", answer.Integer, answer.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "not an integer: ") {
		t.Errorf("error is %v", err)
	}
}

func TestPercentKeys(t *testing.T) {
	strict, bare := answer.Options{}, answer.Options{BarePercent: true}
	for _, c := range []struct {
		raw, strict, bare string
	}{
		{"50%", "pct:1/2", "pct:1/2"},
		{"50 percent", "pct:1/2", "pct:1/2"},
		{"50 pct", "pct:1/2", "pct:1/2"},
		{"50 per cent of the vote", "pct:1/2", "pct:1/2"},
		{"５０％", "pct:1/2", "pct:1/2"},
		{`50\%`, "pct:1/2", "pct:1/2"},
		{"5‰", "pct:1/200", "pct:1/200"},
		{"0.5", "pct:1/2", "pct:1/2"},
		{"50", "int:50", "pct:1/2"},
		{"1", "int:1", "pct:1/100"},
		{"50 pp", "pp:50", "pp:50"},
		{"~50%", "approx:~50%", "approx:~50%"},
		{"<0.5%", "lt:<1/2%", "lt:<1/2%"},
		{"5 to 7%", "range:5%..7%", "range:5%..7%"},
		{"5% to 7", "error", "error"},
		{"50 km", "error", "error"},
		{"fifty km", "error", "error"},
		{"half", "pct:1/2", "pct:1/2"},
		{"fifty percent", "pct:1/2", "pct:1/2"},
		{"fifty", "int:50", "pct:1/2"},
	} {
		for _, o := range []answer.Options{strict, bare} {
			want := c.strict
			if o.BarePercent {
				want = c.bare
			}
			k, err := answer.Normalize(c.raw, answer.Percent, o)
			if got := k.Key; got != want && (err == nil || want != "error") {
				t.Errorf("percent %q with %+v: %q (%v), want %q", c.raw, o, got, err, want)
			}
		}
	}
}

func TestFlagsAndConfidence(t *testing.T) {
	for _, c := range []struct {
		raw        string
		typ        answer.Type
		flags      []string
		confidence answer.Confidence
	}{
		{"42", answer.Integer, nil, answer.Exact},
		{"42 km", answer.Integer, []string{answer.FlagUnit}, answer.Exact},
		{"$42 in cash", answer.Integer, []string{answer.FlagCurrency, answer.FlagUnit}, answer.Exact},
		{"five kilometres", answer.Integer, []string{answer.FlagUnit, answer.FlagWords}, answer.Exact},
		{"5", answer.Quantity, []string{answer.FlagBare}, answer.Exact},
		{"5", answer.Currency, []string{answer.FlagBare}, answer.Exact},
		{"€5 in total", answer.Currency, []string{answer.FlagUnit}, answer.Exact},
		{"4\u200b2", answer.Integer, []string{answer.FlagInvisible}, answer.Exact},
		{"0.5", answer.Percent, []string{answer.FlagBare}, answer.Exact},
		{"5k", answer.Decimal, nil, answer.Ambiguous},
		{"03/04/2024", answer.Date, nil, answer.Ambiguous},
	} {
		k, err := answer.Normalize(c.raw, c.typ, answer.Options{})
		if err != nil || !slices.Equal(k.Flags, c.flags) || k.Confidence != c.confidence || k.Type != c.typ {
			t.Errorf("%q: %+v, %v; want flags %v and confidence %s", c.raw, k, err, c.flags, c.confidence)
		}
	}
}

func TestLengthCap(t *testing.T) {
	for _, raw := range []string{
		strings.Repeat("9", answer.MaxBytes+1),
		strings.Repeat("\U0001D160", answer.MaxBytes/8), // grows three times under NFC and NFKC
	} {
		for _, typ := range answer.Types() {
			if _, err := answer.Normalize(raw, typ, answer.Options{}); err == nil {
				t.Errorf("%s: %d bytes accepted", typ, len(raw))
			}
		}
	}
	if _, err := answer.Normalize(strings.Repeat("9", 5000), answer.Integer, answer.Options{}); err == nil {
		t.Error("a number of 5000 digits was accepted")
	}
}
