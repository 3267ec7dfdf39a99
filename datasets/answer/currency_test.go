package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func TestCurrencyKeys(t *testing.T) {
	for raw, want := range map[string]string{
		"USD 1,200,000":          "cur:USD:1200000",
		"US$1.2M":                "cur:USD:1200000",
		"US$ 1.2 million":        "cur:USD:1200000",
		"$1.2M USD":              "cur:USD:1200000",
		"USD $1.2m":              "cur:USD:1200000",
		"1.2 million US dollars": "cur:USD:1200000",
		"1.2mn usd":              "cur:USD:1200000",
		"1200k USD":              "cur:USD:1200000",
		"one million euros":      "cur:EUR:1000000",
		"€2.5bn":                 "cur:EUR:2500000000",
		"2.5b €":                 "cur:EUR:2500000000",
		"€3t":                    "cur:EUR:3000000000000",
		"₹5 lakh":                "cur:INR:500000",
		"INR 2 crore":            "cur:INR:20000000",
		"5 Indian rupees":        "cur:INR:5",
		"CA$5":                   "cur:CAD:5",
		"$5 CAD":                 "cur:CAD:5",
		"R$ 5":                   "cur:BRL:5",
		"-€5":                    "cur:EUR:-5",
		"€-5":                    "cur:EUR:-5",
		"EUR 0.1":                "cur:EUR:1/10",
		"100 yen":                "cur:JPY:100",
		"100円":                   "cur:JPY:100",
		"5 pounds sterling":      "cur:GBP:5",
		"£5 GBP":                 "cur:GBP:5",
		"50 pence":               "cur:GBP:1/2",
		"50 US cents":            "cur:USD:1/2",
		"CHF 5":                  "cur:CHF:5",
		"TRY 5":                  "cur:TRY:5",
		"about €5":               "approx:~EUR 5",
		"less than 5 EUR":        "lt:<EUR 5",
		"€5 to €7":               "range:EUR 5..EUR 7",
		"5 to 7 euros":           "range:EUR 5..EUR 7",
		"€5 in total":            "cur:EUR:5",
		"1200000":                "int:1200000", // no currency is a plain number
		"1.5k":                   "int:1500",
		"try 5":                  "error", // a word

		// Signs and words of several currencies.
		"$1.2M":      "ambiguous:$ 1200000",
		"$1,200,000": "ambiguous:$ 1200000",
		"5 dollars":  "ambiguous:$ 5",
		"¥500":       "ambiguous:¥ 500",
		"£5":         "ambiguous:£ 5",
		"5 kr":       "ambiguous:kr 5",
		"Rs. 5":      "ambiguous:rs 5",
		"50 cents":   "ambiguous:cents 50",
		"~$5":        "ambiguous:~$ 5",
		"$1,23":      "ambiguous:$ 123/100",
		"€5-7":       "ambiguous:€5-7",

		"€5 USD":        "error",
		"50 cents USD":  "error",
		"5%":            "error",
		"€5%":           "error",
		"5 km":          "error",
		"€5 per hour":   "error",
		"€5 or so much": "error",
		"€":             "error",
		"free":          "error",
	} {
		if got := key(raw, answer.Currency); got != want {
			t.Errorf("currency %q: %s, want %s", raw, got, want)
		}
	}
}

func TestCurrencyOption(t *testing.T) {
	for _, c := range []struct {
		raw  string
		o    answer.Options
		want string
	}{
		{"$5", answer.Options{Currency: "USD"}, "cur:USD:5"},
		{"$5", answer.Options{Currency: "AUD"}, "cur:AUD:5"},
		{"50 cents", answer.Options{Currency: "EUR"}, "cur:EUR:1/2"},
		{"¥5", answer.Options{Currency: "CNY"}, "cur:CNY:5"},
		{"¥5", answer.Options{Currency: "USD"}, "ambiguous:¥ 5"},
		{"€5", answer.Options{Currency: "USD"}, "cur:EUR:5"},
		{"5", answer.Options{Currency: "USD"}, "int:5"},
		{"5", answer.Options{Currency: "USD", UnitOptional: true}, "cur:USD:5"},
		{"5", answer.Options{UnitOptional: true}, "int:5"},
		{"$5", answer.Options{Currency: "dollars"}, ""},
	} {
		k, err := answer.Normalize(c.raw, answer.Currency, c.o)
		if k.Key != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q with %+v: %q, %v; want %q", c.raw, c.o, k.Key, err, c.want)
		}
	}
}

func TestMatchCurrency(t *testing.T) {
	checkMatches(t, answer.Currency, []matchCase{
		{"$1.2M", "USD 1,200,000", "", answer.Options{}, true, "equal amounts"},
		{"$1.2M", "AUD 1,200,000", "", answer.Options{}, true, ""},
		{"$1.2M", "$1,200,000", "", answer.Options{}, false, `ambiguous: "$1.2M" can be read in several ways`},
		{"US$5", "A$5", "", answer.Options{}, false, "USD 5 and AUD 5 are in different currencies"},
		{"£5", "USD 5", "", answer.Options{}, false, ""},
		{"€5.004", "EUR 5.00", "", answer.Options{}, true, "EUR 5.004 rounds to EUR 5"},
		{"€5.5", "EUR 5", "0.5", answer.Options{}, true, "EUR 5.5 is within EUR 5 ± 0.5"},
		{"€102", "EUR 100", "1%", answer.Options{}, false, "EUR 102 is outside EUR 100 ± 1%"},
		{"about €102", "EUR 100", "2%", answer.Options{}, true, ""},
		{"50 cents", "USD 0.50", "", answer.Options{}, true, ""},
		{"5", "EUR 5", "", answer.Options{}, false, "5 and EUR 5 are different kinds of numbers"},
		{"5", "EUR 5", "", answer.Options{UnitOptional: true}, true, ""},
	})
}
