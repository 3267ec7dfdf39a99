package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func TestMatch(t *testing.T) {
	bare, prefix := answer.Options{BarePercent: true}, answer.Options{PrefixDate: true}
	for _, c := range []struct {
		pred, gold string
		typ        answer.Type
		aliases    []string
		tol        string
		o          answer.Options
		want       bool
		reason     string // not compared when empty
	}{
		{"12,193,254,061,881", "12193254061881", answer.Integer, nil, "", answer.Options{}, true, "equal integers"},
		{"42 km", "42", answer.Integer, nil, "", answer.Options{}, true, "equal integers"},
		{"43", "42", answer.Integer, nil, "", answer.Options{}, false, "43 is not 42"},
		{"42.5", "42", answer.Integer, nil, "", answer.Options{}, false, `not an integer: "42.5" has a fraction`},
		{"43", "42", answer.Integer, nil, "1", answer.Options{}, true, "43 is within 42 ± 1"},
		{"123457", "123456", answer.Integer, nil, "", answer.Options{}, false, ""},
		{"1000", "1 000", answer.Integer, nil, "", answer.Options{}, false, `gold answer is ambiguous: "1 000"`},
		{"12", "13", answer.Integer, []string{"two or so cats", "a dozen"}, "", answer.Options{}, true, `equal to alias "a dozen"`},

		{"3.1416", "3.14", answer.Decimal, nil, "", answer.Options{}, true, "3.1416 rounds to 3.14"},
		{"3.1", "3.14", answer.Decimal, nil, "", answer.Options{}, false, "3.1 is not 3.14"},
		{"3.15", "3.14", answer.Decimal, nil, "0.005", answer.Options{}, false, "3.15 is outside 3.14 ± 0.005"},
		{"3.15", "3.14", answer.Decimal, nil, "0.01", answer.Options{}, true, "3.15 is within 3.14 ± 0.01"},
		{"99", "100", answer.Decimal, nil, "1%", answer.Options{}, true, "99 is within 100 ± 1%"},
		{"98.9", "100", answer.Decimal, nil, "1%", answer.Options{}, false, "98.9 is outside 100 ± 1%"},
		{"-99", "-100", answer.Decimal, nil, "1%", answer.Options{}, true, ""},
		{"3.125", "3.12", answer.Decimal, nil, "", answer.Options{}, true, ""}, // half to even
		{"3.135", "3.14", answer.Decimal, nil, "", answer.Options{}, true, ""},
		{"3.125", "3.13", answer.Decimal, nil, "", answer.Options{}, false, ""},
		{"-3.125", "-3.12", answer.Decimal, nil, "", answer.Options{}, true, ""},
		{"-2.7", "-3", answer.Decimal, nil, "", answer.Options{}, false, ""}, // a whole gold is met by equality
		{"106.12", "106", answer.Decimal, nil, "", answer.Options{}, false, "106.12 is not 106"},
		{"3.14e0", "3.14", answer.Decimal, nil, "", answer.Options{}, true, "equal decimals"},
		{"1/3", "0.33", answer.Decimal, nil, "", answer.Options{}, false, ""}, // no decimals written
		{"0.3333", "0.33", answer.Decimal, nil, "", answer.Options{}, true, ""},
		{"1.2 million", "1.2e6", answer.Decimal, nil, "", answer.Options{}, true, ""},
		{"5k", "5000", answer.Decimal, nil, "", answer.Options{}, false, `ambiguous: "5k" can be read in several ways`},
		{"1,2", "1.2", answer.Decimal, nil, "", answer.Options{}, true, ""},
		{"<5", "5", answer.Decimal, nil, "1", answer.Options{}, false, "<5 is not 5"},
		{"~5", "5", answer.Decimal, nil, "", answer.Options{}, true, "~5 is equal to 5"},
		{"about 5.2", "5.24", answer.Decimal, nil, "", answer.Options{}, false, "~5.2 is not 5.24"},
		{"about 5.24", "5.2", answer.Decimal, nil, "", answer.Options{}, true, "~5.24 rounds to 5.2"},
		{"Lima (Peru)", "Lima", answer.Entity, nil, "", answer.Options{}, true, "equal apart from the answer's addition in brackets"},
		{"Lima", "Lima (Peru)", answer.Entity, nil, "", answer.Options{}, false, ""},
		{"Mercury (metal)", "Mercury (planet)", answer.Entity, nil, "", answer.Options{}, false, ""},
		{"about 5.2", "5", answer.Decimal, nil, "0.5", answer.Options{}, true, "~5.2 is within 5 ± 0.5"},
		{"~5", "~5", answer.Decimal, nil, "", answer.Options{}, true, ""},
		{"5 to 7", "5..7", answer.Decimal, nil, "", answer.Options{}, true, ""},
		{"50%", "0.5", answer.Decimal, nil, "", answer.Options{}, false, "50% and 0.5 are different kinds of numbers"},

		{"0.5", "50%", answer.Percent, nil, "", answer.Options{}, true, "equal percentages"},
		{"50", "50%", answer.Percent, nil, "", answer.Options{}, false, ""},
		{"50", "50%", answer.Percent, nil, "", bare, true, ""},
		{"33.33%", "33.3%", answer.Percent, nil, "", answer.Options{}, true, "33.33% rounds to 33.3%"},
		{"33%", "33.3%", answer.Percent, nil, "", answer.Options{}, false, ""},
		{"0.3333", "33.3%", answer.Percent, nil, "", answer.Options{}, true, ""},
		{"50.5%", "50.0%", answer.Percent, nil, "0.4", answer.Options{}, false, "50.5% is outside 50% ± 0.4"},
		{"50.04%", "50.0%", answer.Percent, nil, "", answer.Options{}, true, "50.04% rounds to 50%"},
		{"50.6%", "50.0%", answer.Percent, nil, "0.5", answer.Options{}, false, "50.6% is outside 50% ± 0.5"},
		{"50 pp", "50%", answer.Percent, nil, "", answer.Options{}, false, ""},

		{"July 20, 1969", "1969-07-20", answer.Date, nil, "", answer.Options{}, true, "equal dates"},
		{"July 20, 1969", "1969", answer.Date, nil, "", answer.Options{}, false, `"1969-07-20" is not "1969"`},
		{"July 20, 1969", "1969", answer.Date, nil, "", prefix, true, "1969-07-20 lies in 1969"},
		{"1969", "1969-07-20", answer.Date, nil, "", prefix, false, ""},
		{"03/04/2024", "2024-04-03", answer.Date, nil, "", answer.Options{}, false, ""},

		{"Yes, it is", "true", answer.Boolean, nil, "", answer.Options{}, true, "equal booleans"},
		{"U.S. Grant", "Ulysses S. Grant", answer.Entity, []string{"U.S. Grant"}, "", answer.Options{}, true, `equal to alias "U.S. Grant"`},
		{"Lyon", "Paris", answer.Entity, nil, "", answer.Options{}, false, `"lyon" is not "paris"`},
		{"Hello", "hello.", answer.Text, nil, "", answer.Options{}, true, "equal texts"},
		{"", "Paris", answer.Entity, nil, "", answer.Options{}, false, "not an entity: empty answer"},
	} {
		tol, err := answer.ParseTolerance(c.tol)
		if err != nil {
			t.Fatal(err)
		}
		ok, reason := answer.Match(c.pred, c.gold, c.typ, c.aliases, tol, c.o)
		if ok != c.want || c.reason != "" && reason != c.reason || reason == "" {
			t.Errorf("%s %q against %q ± %s: %v %q, want %v %q", c.typ, c.pred, c.gold, c.tol, ok, reason, c.want, c.reason)
		}
	}
}

func TestParseTolerance(t *testing.T) {
	for in, want := range map[string]string{
		"": "0", "0": "0", "0%": "0", "0.5": "0.5", "1%": "1%", "0.5 %": "0.5%", "1e-6": "0.000001", "1/3": "1/3", "2": "2",
	} {
		tol, err := answer.ParseTolerance(in)
		if err != nil || tol.String() != want || tol.IsZero() != (want == "0") {
			t.Errorf("ParseTolerance(%q) = %s, %v; want %s", in, tol, err, want)
			continue
		}
		again, err := answer.ParseTolerance(tol.String())
		if err != nil || !again.Equal(tol) {
			t.Errorf("%q does not survive printing: %s, %v", in, again, err)
		}
	}
	for _, in := range []string{"-1", "abc", "~5", "5k", "5 km", "5 pp", "1e9999", "$5"} {
		if tol, err := answer.ParseTolerance(in); err == nil {
			t.Errorf("ParseTolerance(%q) = %s, want an error", in, tol)
		}
	}
	one, _ := answer.ParseTolerance("1")
	share, _ := answer.ParseTolerance("100%")
	if one.Equal(share) || one.Equal(answer.Tolerance{}) {
		t.Error("different tolerances are equal")
	}
}
