package propose_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/propose"
)

const options = "Which one?\n(A) Rome\n(B) Oslo"

func TestPropose(t *testing.T) {
	for _, c := range []struct{ raw, question, want string }{
		{"42", "", "integer 42"}, {"-5", "", "integer -5"}, {"1,234", "", "integer 1,234"}, {"12 apples", "", "integer 12 apples"},
		{"3rd", "", "integer 3rd"}, {"twelve", "", "integer twelve"}, {"1969", "", "integer 1969"}, {"2.5 apples", "", "decimal 2.5 apples"},
		{"3.14", "", "decimal 3.14"}, {"106.0", "", "decimal 106.0"}, {"1/2", "", "decimal 1/2"}, {"1e-5", "", "decimal 1e-5"},
		{"27.3%", "", "percent 27.3%"}, {"27.3 percent", "", "percent 27.3 percent"}, {"3 pp", "", "percent 3 pp"},
		{"5 €", "", "currency 5 €"}, {"USD 1.2M", "", "currency USD 1.2M"}, {"$5.00", "", "currency USD 5.00!"}, {"£1,200", "", "currency GBP 1,200!"},
		{"-$3", "", "currency -USD 3!"}, {"¥5", "", "entity ¥5¤"}, {"5 dollars", "", "entity 5 dollars¤"}, {"5 cents", "", "entity 5 cents¤"},
		{"3 km", "", "quantity 3 km"}, {"90 min", "", "quantity 90 min"}, {"20 °C", "", "quantity 20 °C"},
		{"20 July 1969", "", "date 20 July 1969"}, {"1969-07-20", "", "date 1969-07-20"}, {"2024-01-02 00:00:00", "", "date 2024-01-02"},
		{"03.04.2024", "", "entity 03.04.2024?"}, {"25/12/2023", "", "date 25/12/2023"}, {"03/04/2024", "", "entity 03/04/2024?"}, {"1,23", "", "decimal 1,23"},
		{"yes", "", "boolean yes"}, {"No", "", "boolean No"}, {"WAHR", "", "boolean true"}, {"FAUX", "", "boolean false"}, {"faux", "", "boolean faux"},
		{"B", options, "choice B"}, {"(A)", options, "choice (A)"}, {"B", "", "entity B"}, {"Oslo", options, "entity Oslo"},
		{"Rome, Oslo and Paris", "", "list Rome, Oslo and Paris"}, {"a; b", "", "list a; b"}, {"1, 6", "", "list 1, 6"}, {"[1,2]", "", "list [1,2]"},
		{"Rome\nOslo", "", "list Rome\nOslo"}, {"Paris, France", "", "entity Paris, France"}, {"Simon and Garfunkel", "", "entity Simon and Garfunkel"},
		{"007", "", "entity 007"}, {`="007"`, "", "entity 007"}, {"10 Downing Street", "", "entity 10 Downing Street"}, {"CVE-2020-1234", "", "entity CVE-2020-1234"},
		{"+1 555 123 4567", "", "entity +1 555 123 4567"}, {"10:30", "", "entity 10:30"}, {"4 July", "", "entity 4 July"}, {"about 5", "", "entity about 5"},
		{"First", "", "entity First"}, {"...", "", "text ..."}, {"William Shakespeare", "", "entity William Shakespeare"},
		{"one two three four five six seven", "", "text one two three four five six seven~"},
		{"It was built in 1887, by Eiffel, for the fair.", "", "text It was built in 1887, by Eiffel, for the fair.~"},
	} {
		p, err := propose.Propose(c.raw, c.question, nil)
		got := fmt.Sprintf("%s %s%s", p.Type, p.Answer, map[propose.Note]string{propose.TwoWays: "?", propose.NoCode: "¤", propose.SeveralCurrencies: "!", propose.Long: "~"}[p.Note])
		if err != nil || got != c.want {
			t.Errorf("%q: %q, error %v; want %q", c.raw, got, err, c.want)
		}
	}
}

func TestProposeAliases(t *testing.T) {
	for alias, want := range map[string]answer.Type{"12.0": answer.Integer, "dozens": answer.Entity, "1,2": answer.Entity} {
		if p, err := propose.Propose("12", "", []string{alias}); err != nil || p.Type != want {
			t.Errorf("12 or %s: %s, error %v; want %s", alias, p.Type, err, want)
		}
	}
}

func TestProposeSpreadsheetCells(t *testing.T) {
	for cell, want := range map[string]string{
		"=SUM(A1:A3)": "is a formula, not its value", "=B2*2": "is a formula", "=$C$4": "is a formula", "+SUMME(A1)": "is a formula",
		"#REF!": "is an error of a spreadsheet", "#NV": "is an error of a spreadsheet", "#VALEUR!": "is an error of a spreadsheet",
	} {
		if _, err := propose.Propose(cell, "", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", cell, err, want)
		}
	}
	for _, cell := range []string{"= 5", "=>", "#hashtag", "+5", "@home"} {
		if _, err := propose.Propose(cell, "", nil); err != nil {
			t.Errorf("%s: %v", cell, err)
		}
	}
}

// What is proposed is read: the answer has an exact key of the type, unless it is text that has no key at all.
func FuzzPropose(f *testing.F) {
	for _, seed := range []string{"42", "$5", "1,23", "a, b, c", "yes", "=A1", "20 July 1969", "-$ 3k"} {
		f.Add(seed, options)
	}
	f.Fuzz(func(t *testing.T, raw, question string) {
		p, err := propose.Propose(raw, question, nil)
		if err != nil || p.Type == answer.Text {
			return
		}
		key, err := answer.Normalize(p.Answer, p.Type, answer.Options{})
		if err != nil || key.Confidence != answer.Exact {
			t.Errorf("%q is proposed as %s %q, which reads as %v, error %v", raw, p.Type, p.Answer, key, err)
		}
		again, err := propose.Propose(p.Answer, question, nil)
		if err != nil || again.Type != p.Type {
			t.Errorf("%q is proposed as %s %q, and that as %s, error %v", raw, p.Type, p.Answer, again.Type, err)
		}
	})
}

func ExamplePropose() {
	p, _ := propose.Propose("20 July 1969", "When did people first walk on the Moon?", nil)
	fmt.Println(p.Type)
	// Output: date
}

func BenchmarkPropose(b *testing.B) {
	answers := []string{"42", "3.14", "$5.00", "20 July 1969", "yes", "William Shakespeare", "Rome, Oslo and Paris", "3 km"}
	start := time.Now()
	for i := range b.N {
		propose.Propose(answers[i%len(answers)], "Which?", nil)
	}
	b.ReportMetric(time.Since(start).Seconds()/float64(b.N)*100_000, "s/100,000")
}
