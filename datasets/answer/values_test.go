package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func TestDateKeys(t *testing.T) {
	for raw, want := range map[string]string{
		"1969-07-20":            "date:1969-07-20",
		"1969/7/20":             "date:1969-07-20",
		"20 July 1969":          "date:1969-07-20",
		"July 20, 1969":         "date:1969-07-20",
		"July 20th 1969":        "date:1969-07-20",
		"20th of July, 1969":    "date:1969-07-20",
		"the 20th of July 1969": "date:1969-07-20",
		"Sunday, July 20, 1969": "date:1969-07-20",
		"on 20 July 1969":       "date:1969-07-20",
		"20-Jul-1969":           "date:1969-07-20",
		"1969 July 20":          "date:1969-07-20",
		"**July 20, 1969**.":    "date:1969-07-20",
		"1969–07–20":            "date:1969-07-20",
		"July 1969":             "date:1969-07",
		"July, 1969":            "date:1969-07",
		"1969-07":               "date:1969-07",
		"07/1969":               "date:1969-07",
		"1969":                  "date:1969",
		"in 1969":               "date:1969",
		"AD 69":                 "date:0069",
		"476":                   "date:0476",
		"44 BC":                 "date:-0043",
		"15 March 44 B.C.":      "date:-0043-03-15",
		"March 44 BC":           "date:-0043-03",
		"1 BC":                  "date:0000",
		"-0043":                 "date:-0043",
		"c. 1969":               "approx:~1969",
		"around July 1969":      "approx:~1969-07",
		"25/12/2024":            "date:2024-12-25",
		"12/25/2024":            "date:2024-12-25",
		"03/03/2024":            "date:2024-03-03",
		"03/04/2024":            "ambiguous:03/04/2024",
		"3.4.2024":              "ambiguous:3.4.2024",
		"2024-02-29":            "date:2024-02-29",
		"2023-02-29":            "error",
		"2023-13-01":            "error",
		"2023-00-01":            "error",
		"31 June 2020":          "error",
		"03/04/24":              "error",
		"July 20, 69":           "error",
		"July 69":               "error",
		"69":                    "error",
		"-44":                   "error",
		"20 July":               "error",
		"May":                   "error",
		"0 BC":                  "error",
		"yesterday":             "error",
		"1960s":                 "date:1960s",
		"12345":                 "error",
		"1969-1970":             "error", "1969-007-20": "error", "1-1969-1": "error",
		"20th":                       "error",
		"1969-07-20T20:17:00Z":       "date:1969-07-20",
		"1969-07-20T20:17":           "date:1969-07-20",
		"19690720":                   "date:1969-07-20",
		"19691320":                   "error",
		"196907201":                  "error",
		"1 2 3 4 5 6 7 8 9 10 11 12": "error",
	} {
		if got := key(raw, answer.Date); got != want {
			t.Errorf("date %q: %s, want %s", raw, got, want)
		}
	}
}

func TestBooleanKeys(t *testing.T) {
	for raw, want := range map[string]string{
		"Yes": "bool:true", "yes.": "bool:true", "Y": "bool:true", "TRUE": "bool:true", "correct": "bool:true",
		"是": "bool:true", "对": "bool:true", "はい": "bool:true", "예": "bool:true", "да": "bool:true",
		"Sí": "bool:true", "oui": "bool:true", "ja": "bool:true",
		"No": "bool:false", "n": "bool:false", "False!": "bool:false", "incorrect": "bool:false",
		"不是": "bool:false", "いいえ": "bool:false", "нет": "bool:false", "nein": "bool:false",
		"**Yes**, it does":                  "bool:true",
		"yes it is":                         "bool:true",
		"Yes, because 3 > 2":                "bool:true",
		"No, it is not":                     "bool:false",
		"No, it isn’t":                      "bool:false",
		"no it does not":                    "bool:false",
		"No, that is not correct":           "bool:false",
		"No - the river is in Asia":         "bool:false",
		"not true":                          "error",
		"isn't":                             "error",
		"no, it is":                         "error",
		"no, it is true":                    "error",
		"yes, but actually no":              "error",
		"yes, it is not":                    "error",
		"yes and no":                        "error",
		"true or false":                     "error",
		"yes/no":                            "error",
		"no one knows":                      "error",
		"no-one":                            "error",
		"no idea":                           "error",
		"true north":                        "error",
		"n/a":                               "error",
		"it is true":                        "error",
		"1":                                 "error",
		"maybe":                             "error",
		"Yes, although some would disagree": "error",
	} {
		if got := key(raw, answer.Boolean); got != want {
			t.Errorf("boolean %q: %s, want %s", raw, got, want)
		}
	}
}

func TestEntityKeys(t *testing.T) {
	for raw, want := range map[string]string{
		"Paris":                 "entity:paris",
		" “Paris”. ":            "entity:paris",
		"U.S.":                  "entity:us",
		"U. S.":                 "entity:us",
		"U.S. Grant":            "entity:us grant",
		"Ulysses S. Grant":      "entity:ulysses s grant",
		"J. R. R. Tolkien":      "entity:jrr tolkien",
		"J.R.R. Tolkien":        "entity:jrr tolkien",
		"A. A. Milne":           "entity:aa milne",
		"Washington, D.C., USA": "entity:washington, dc, usa",
		"the United States":     "entity:united states",
		"The Hague":             "entity:the hague",
		"The Who":               "entity:the who",
		"Vitamin A":             "entity:vitamin a",
		"A":                     "entity:a",
		"The":                   "entity:the",
		"La La Land":            "entity:la la land",
		"l'Arc de Triomphe":     "entity:arc de triomphe",
		"L'Oréal":               "entity:l'oréal",
		"C":                     "entity:c",
		"C++":                   "entity:c++",
		"C#":                    "entity:c#",
		"AT&T":                  "entity:at&t",
		"node.js":               "entity:node.js",
		"AC/DC":                 "entity:ac/dc",
		"Jean-Paul":             "entity:jean-paul",
		"Mercury (planet)":      "entity:mercury (planet)",
		"(Paris)":               "entity:paris",
		"straße":                "entity:strasse",
		"Nai\u0308ve":           "entity:naïve",
		"naive":                 "entity:naive",
		"...":                   "error",
	} {
		if got := key(raw, answer.Entity); got != want {
			t.Errorf("entity %q: %s, want %s", raw, got, want)
		}
	}
}

func TestTextKeys(t *testing.T) {
	for raw, want := range map[string]string{
		"  Hello,\n  World! ": "text:hello, world",
		"x₂":                  "text:x2",
		"x²":                  "text:x2",
		"①":                   "text:1",
		"㎡":                   "text:m2",
		"x¹⁰":                 "text:x10",
		"x²3":                 "text:x2 3",
		"f(x)":                "text:f(x)",
		"the A":               "text:the a",
	} {
		if got := key(raw, answer.Text); got != want {
			t.Errorf("text %q: %s, want %s", raw, got, want)
		}
	}
}

// The pairs that a SQuAD-style normaliser confuses, and what NFKC does to numbers.
func TestCollisionsAreKeptApart(t *testing.T) {
	for _, pair := range [][2]string{
		{"-5", "5"}, {"3.14", "314"}, {"1.5", "15"}, {"1/2", "12"}, {"10:30", "1030"}, {"C++", "C"},
		{"C#", "C"}, {"C++", "C#"}, {"50%", "50"}, {"A", "The"}, {"<5", "5"}, {"~5", "5"},
		{"Vitamin A", "vitamin"}, {"10⁵", "105"}, {"2³", "23"}, {"2½", "21/2"}, {"101₂", "1012"},
		{"INCORRECT", "CORRECT"}, {"NOT_ATTEMPTED", "A"}, {"Because it matches, A", "B"},
		{"123456", "123457"}, {"2024", "2024.04"},
	} {
		for _, typ := range answer.Types() {
			a, b := key(pair[0], typ), key(pair[1], typ)
			if a == b && a != "error" {
				t.Errorf("%s: %q and %q share the key %s", typ, pair[0], pair[1], a)
			}
		}
	}
}
