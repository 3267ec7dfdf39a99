package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func TestNumberWords(t *testing.T) {
	for raw, want := range map[string]string{
		"zero":                     "int:0",
		"Seven.":                   "int:7",
		"twenty-one":               "int:21",
		"Twenty One":               "int:21",
		"twenty‑one":               "int:21", // no-break hyphen
		"ninety-nine":              "int:99",
		"a hundred":                "int:100",
		"one hundred and five":     "int:105",
		"one hundred five":         "int:105",
		"nine hundred ninety-nine": "int:999",
		"twelve hundred":           "int:1200",
		"one thousand and one":     "int:1001",
		"one thousand, two hundred and thirty-four": "int:1234",
		"two million three hundred thousand":        "int:2300000",
		"one quadrillion":                           "int:1000000000000000",
		"two quadrillion":                           "error",
		"two crore five lakh":                       "int:20500000",
		"a dozen":                                   "int:12",
		"two dozen":                                 "int:24",
		"half a dozen":                              "int:6",
		"half a million":                            "int:500000",
		"half":                                      "num:1/2",
		"a half":                                    "num:1/2",
		"one third":                                 "num:1/3",
		"two-thirds":                                "num:2/3",
		"three quarters":                            "num:3/4",
		"two and a half":                            "num:5/2",
		"three point five":                          "num:7/2",
		"three point one four":                      "num:157/50",
		"one point two million":                     "int:1200000",
		"minus five":                                "int:-5",
		"negative twenty-one":                       "int:-21",
		"about twenty-one":                          "approx:~21",
		"more than one hundred":                     "gt:>100",
		"five to seven":                             "range:5..7",
		"between five and seven":                    "range:5..7",
		"fifty percent":                             "pct:1/2",
		"five kilometres":                           "int:5",
		"five dollars":                              "int:5",
		"ｆｉｖｅ":                                      "int:5",

		// Only when the whole answer parses.
		"one world trade center":   "error",
		"one of them":              "error",
		"no one":                   "error",
		"seven samurai":            "error",
		"five or six":              "error",
		"twenty one two":           "error",
		"nineteen sixty-nine":      "error",
		"hundred and":              "error",
		"five hundred and":         "error",
		"thousand million":         "error",
		"three point":              "error",
		"one thousand two million": "error",
		"twenty-eleven":            "error",
		"thirty-second":            "error", "fivefold": "error",
		"second": "error",
		"first":  "error", // an ordinal is no decimal
		"a":      "error",
		"five万":  "error",
	} {
		if got := key(raw, answer.Decimal); got != want {
			t.Errorf("decimal %q: %s, want %s", raw, got, want)
		}
	}
}

func TestOrdinals(t *testing.T) {
	for raw, want := range map[string]string{
		"first": "int:1", "the second": "int:2", "Third": "int:3", "twelfth": "int:12", "twentieth": "int:20",
		"twenty-first": "int:21", "twenty first": "int:21", "thirty-second": "int:32", "hundredth": "int:100",
		"one hundred and second": "int:102", "two thousandth": "int:2000", "eighth": "int:8", "ninth": "int:9",
		"one third": "error", "first man": "error", "twenty second": "int:20", "one-half": "error", "the": "error", "firstly": "error",
		"youth": "error", "twenty-twentieth": "error",
	} {
		if got := key(raw, answer.Integer); got != want {
			t.Errorf("integer %q: %s, want %s", raw, got, want)
		}
	}
}

func TestNumberWordsLeaveNamesAlone(t *testing.T) {
	for raw, want := range map[string]string{"One": "one", "Twenty-One Pilots": "twenty-one pilots", "a dozen": "a dozen"} {
		if got := key(raw, answer.Entity); got != "entity:"+want {
			t.Errorf("entity %q: %s", raw, got)
		}
		if got := key(raw, answer.Text); got != "text:"+want {
			t.Errorf("text %q: %s", raw, got)
		}
	}
	k, err := answer.Normalize("twenty-one", answer.Integer, answer.Options{})
	if err != nil || len(k.Flags) != 1 || k.Flags[0] != answer.FlagWords {
		t.Errorf("twenty-one gives %+v, %v", k, err)
	}
}

// Digits of any script are digits, in every type that reads them.
func TestFullWidthDigits(t *testing.T) {
	for _, c := range []struct {
		raw  string
		typ  answer.Type
		want string
	}{
		{"１２，１９３", answer.Integer, "int:12193"},
		{"−３．１４", answer.Decimal, "num:-157/50"},
		{"１　１／２", answer.Decimal, "num:3/2"},
		{"５０％", answer.Percent, "pct:1/2"},
		{"＄１．２Ｍ", answer.Currency, "ambiguous:$ 1200000"},
		{"ＵＳＤ　５", answer.Currency, "cur:USD:5"},
		{"￥５００", answer.Currency, "ambiguous:¥ 500"},
		{"３ｋｍ", answer.Quantity, "qty:3000:m"},
		{"３㎞", answer.Quantity, "qty:3000:m"},
		{"７２℉", answer.Quantity, key("72 °F", answer.Quantity)},
		{"１９６９－０７－２０", answer.Date, "date:1969-07-20"},
		{"２０ Ｊｕｌｙ １９６９", answer.Date, "date:1969-07-20"},
		{"（Ｂ）", answer.Choice, "choice:B"},
		{"Ａ、Ｃ", answer.Choice, "choice:A,C"},
		{"Ａｐｏｌｌｏ １１", answer.Entity, "entity:apollo 11"},
		{"１、２", answer.List, "list:{int:1|int:2}"},
		{"１１", answer.Text, "text:11"},
	} {
		if got := key(c.raw, c.typ); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.typ, c.raw, got, c.want)
		}
	}
	for message, want := range map[string]string{
		"答案：４２ ［１］":        "４２",
		"合計は４２です。\n１． 理由":  "４２",
		"合計は４２です［１］。":      "４２",
		"４２ km ［corpus_1］": "４２ km",
	} {
		if got := answer.Extract(message, "", answer.Integer); got.Short != want {
			t.Errorf("Extract(%q) = %+v, want %q", message, got, want)
		}
	}
}
