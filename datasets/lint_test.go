package datasets_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

// lint returns what is found in one query, without its place.
func lint(t *testing.T, query, gold, more string) []datasets.Finding {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.yaml")
	text := "- id: a\n  category: one\n  query: \"" + query + "\"\n  gold: " + gold + "\n" + more
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, found, err := datasets.Lint(file)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return found
}

const computed = "  source: computed\n"

// TestLintRules has for every rule gold that it finds, and gold like it that it
// leaves alone.
func TestLintRules(t *testing.T) {
	for _, c := range []struct {
		rule        datasets.Rule
		query, gold string
		want        []string // a part of each message; nil: nothing is found
	}{
		{datasets.AnyAnswer, "How many?", `{all_of: ["4"]}`, []string{`almost any message contains the keyword "4"`}},
		{datasets.AnyAnswer, "How many?", `{all_of: ["42"]}`, []string{`"42"`}},
		{datasets.AnyAnswer, "How many?", `{all_of: ["420", "4.5", "4%", "-4", "$4"]}`, nil},
		{datasets.AnyAnswer, "Which element?", `{all_of: [W]}`, []string{`"W"`}},
		{datasets.AnyAnswer, "Which element?", `{all_of: ["(He)."]}`, []string{`"(He)."`}},
		{datasets.AnyAnswer, "Which element?", `{all_of: [[tungsten, W], [metal, an]]}`, []string{`"W"`, `"an"`}},
		{datasets.AnyAnswer, "Which language?", `{all_of: ["C++", "C#"]}`, nil},
		{datasets.AnyAnswer, "Which city?", `{all_of: [東京]}`, nil},
		{datasets.AnyAnswer, "What?", `{all_of: [The Answer]}`, []string{`"The Answer"`}},
		{datasets.AnyAnswer, "What?", `{all_of: [The Hague]}`, nil},
		{datasets.AnyAnswer, "What?", `{none_of: [Paris]}`, []string{"any message without the words of none_of"}},
		{datasets.AnyAnswer, "What?", `{none_of: [Paris], condition: names a town}`, nil},
		{datasets.AnyAnswer, "What?", `{none_of: [Paris], outcome: refused}`, nil},
		{datasets.AnyAnswer, "How many?", `{type: integer, answer: "4"}`, nil},

		{datasets.AndList, "Who?", `{all_of: [Dostoevsky, Dostoyevsky]}`, []string{`write [["Dostoevsky", "Dostoyevsky"]]`}},
		{datasets.AndList, "Who?", `{all_of: [[Dostoevsky, Dostoyevsky]]}`, nil},
		{datasets.AndList, "Who?", `{all_of: [Jørn, Jorn]}`, []string{"two spellings"}},
		{datasets.AndList, "Who?", `{all_of: [NASA, nasa]}`, []string{"the same"}},
		{datasets.AndList, "Who?", `{all_of: [Grant, Ulysses S. Grant]}`, []string{"contains the other"}},
		{datasets.AndList, "How many?", `{all_of: ["1,000", "1000.0"]}`, []string{"the same value"}},
		{datasets.AndList, "When?", `{all_of: ["20 July 1969", "1969-07-20"]}`, []string{"the same value"}},
		{datasets.AndList, "Who?", `{all_of: [[Tolstoy, Tolstoj], [Leo, Lev], Tolstoi]}`, []string{`"Tolstoy" and "Tolstoi"`}},
		{datasets.AndList, "Where?", `{all_of: [Zambia, Gambia, Austria, Australia, Iran, Iraq, Slovakia, Slovenia, Oslo]}`, nil},
		{datasets.AndList, "When?", `{all_of: ["1914", "1918", "15.1", "151"]}`, nil},
		{datasets.AndList, "How far?", `{all_of: ["42 km", "42 years"]}`, nil},
		{datasets.AndList, "Which?", `{all_of: [C++, C#]}`, nil},

		{datasets.KeywordInQuery, "On which river does Paris lie?", `{all_of: [River, Seine]}`, []string{`"River" is in the query`}},
		{datasets.KeywordInQuery, "On which rivers do they lie?", `{all_of: [River, Seine]}`, nil},

		{datasets.AnswerInQuery, "Which planet, Mercury included, is the smallest?", `{type: entity, answer: Mercury}`, []string{`"Mercury"`}},
		{datasets.AnswerInQuery, "Who is Grant?", `{type: entity, answer: Ulysses S. Grant, aliases: [Grant]}`, []string{`"Grant"`}},
		{datasets.AnswerInQuery, "Which is longer, the Nile or the Amazon?", `{type: entity, answer: Nile}`, nil},
		{datasets.AnswerInQuery, "The Nile is long. Which one, this or that?", `{type: entity, answer: Nile}`, []string{`"Nile"`}},
		{datasets.AnswerInQuery, "Which one? A) Nile B) Amazon", `{type: choice, answer: B}`, nil},
		{datasets.AnswerInQuery, "Yes?", `{type: boolean, answer: "yes"}`, nil},
		{datasets.AnswerInQuery, "What is 14 times 1?", `{type: integer, answer: "4"}`, nil},

		{datasets.NotGivenBack, "What does the parrot say?", `{type: text, answer: I do not know}`, []string{`the line "Answer: I do not know" is read as an answer that is abstained`}},
		{datasets.NotGivenBack, "What is the last word?", `{type: text, answer: "[REFUSE]"}`, []string{"is read as an answer that is refused"}},
		{datasets.NotGivenBack, "Who?", `{type: entity, answer: Jane Austen, aliases: [I do not know]}`, nil},
		{datasets.NotGivenBack, "Which?", "{type: list, answer: \"- red\\n- green\"}", nil},
		{datasets.NotGivenBack, "When?", `{type: date, answer: 5 March 2024}`, nil},

		{datasets.Canonical, "Who?", "{type: entity, answer: \"Ni\\u200Ble\"}", []string{"invisible characters"}},
		{datasets.Canonical, "Who?", `{type: entity, answer: U.S. Grant, aliases: ["The Nile", "C++"]}`, nil},

		{datasets.AmbiguousAnswer, "When?", `{type: text, answer: 03/04/2024}`, []string{"two ways"}},
		{datasets.AmbiguousAnswer, "When?", `{type: text, answer: "12", aliases: ["03/04/2024"]}`, []string{`"03/04/2024"`}},
		{datasets.AmbiguousAnswer, "When?", `{type: text, answer: 2024-04-03, aliases: ["1.23", "1960s", "5k", "2-1"]}`, nil},
		{datasets.AmbiguousAnswer, "When?", `{type: code, answer: 03/04/2024, aliases: ["1,23"]}`, nil},

		{datasets.Contradiction, "Who?", `{all_of: [[Leo Tolstoy, Lev]], none_of: [Leo]}`, []string{`"Leo", but all_of requires "Leo Tolstoy"`}},
		{datasets.Contradiction, "Who?", `{type: entity, answer: Grant, aliases: [Ulysses Grant], none_of: [grant]}`, []string{`"Grant"`, `"Ulysses Grant"`}},
		{datasets.Contradiction, "How many?", `{type: integer, answer: "1,000", none_of: ["1000"]}`, []string{`"1000"`}},
		{datasets.Contradiction, "What?", `{type: text, answer: x, none_of: [the]}`, []string{"almost any message"}},
		{datasets.Contradiction, "How many?", `{type: integer, answer: "1000", none_of: ["100", "10000"]}`, nil},
		{datasets.Contradiction, "Who?", `{all_of: [Tolstoy], none_of: [Leo Tolstoy]}`, nil},

		{datasets.UselessAlias, "Which?", `{type: entity, answer: River Nile, aliases: [The River Nile, Nile]}`, []string{`"The River Nile"`}},
		{datasets.UselessAlias, "How many?", `{type: integer, answer: "1000", aliases: ["1,000", "+1000"]}`, []string{`"1,000"`, `"+1000"`}},
		{datasets.UselessAlias, "Which?", `{type: text, answer: The River Nile, aliases: [River Nile]}`, nil},

		{datasets.WideTolerance, "How many?", `{type: integer, answer: "50", tolerance: 50}`, []string{"covers 0"}},
		{datasets.WideTolerance, "How many?", `{type: integer, answer: "-50", tolerance: 100%}`, []string{"covers 0"}},
		{datasets.WideTolerance, "How many?", `{type: decimal, answer: "-50", tolerance: 15}`, []string{"30 %"}},
		{datasets.WideTolerance, "How many?", `{type: percent, answer: "50%", tolerance: 10.5}`, []string{"21 %"}},
		{datasets.WideTolerance, "How many?", `{type: integer, answer: "50", tolerance: 21%}`, []string{"21 %"}},
		{datasets.WideTolerance, "How many?", `{type: integer, answer: "50", tolerance: 10}`, nil},
		{datasets.WideTolerance, "How many?", `{type: percent, answer: "50%", tolerance: 20%}`, nil},
		{datasets.WideTolerance, "How many?", `{type: integer, answer: "0", tolerance: 1}`, nil},
		{datasets.WideTolerance, "How far?", `{type: quantity, answer: "3 km", tolerance: 1}`, []string{"33 %"}},
		{datasets.WideTolerance, "How far?", `{type: quantity, answer: "3 km", tolerance: 0.5}`, nil},
		{datasets.WideTolerance, "How much?", `{type: currency, answer: "EUR 2,000", tolerance: 500}`, []string{"25 %"}},
		{datasets.WideTolerance, "How much?", `{type: currency, answer: "EUR 2,000", tolerance: 50}`, nil},

		{datasets.WholeDecimal, "How many?", `{type: decimal, answer: "106"}`, []string{`"106" is whole`}},
		{datasets.WholeDecimal, "How many?", `{type: decimal, answer: "1,060"}`, []string{`"1,060" is whole`}},
		{datasets.WholeDecimal, "How many?", `{type: decimal, answer: "106", tolerance: 0.5}`, nil},
		{datasets.WholeDecimal, "How many?", `{type: decimal, answer: "106.0", aliases: ["107"]}`, nil},
		{datasets.WholeDecimal, "How many?", `{type: decimal, answer: "1/3"}`, nil},
		{datasets.WholeDecimal, "How many?", `{type: integer, answer: "106"}`, nil},

		{datasets.BareNumber, "What share?", `{type: percent, answer: "27.3"}`, []string{"no percent sign"}},
		{datasets.BareNumber, "What share?", `{type: percent, answer: "27.3", bare_percent: true}`, nil},
		{datasets.BareNumber, "What share?", `{type: percent, answer: "0.273"}`, nil},
		{datasets.BareNumber, "What share?", `{type: percent, answer: "27.3%"}`, nil},
		{datasets.BareNumber, "How far?", `{type: quantity, answer: "3"}`, []string{"has no unit"}},
		{datasets.BareNumber, "How far?", `{type: quantity, answer: "3 km", aliases: ["2"], unit_optional: true}`, nil},
		{datasets.BareNumber, "How much?", `{type: currency, answer: "18"}`, []string{"has no unit or currency"}},
		{datasets.BareNumber, "How much?", `{type: currency, answer: "USD 18"}`, nil},

		{datasets.Unordered, "Which?", `{type: list, answer: "[0, 0, 1]"}`, []string{`contains "0" twice`}},
		{datasets.Unordered, "Which?", `{type: list, answer: "Oslo, Rome, OSLO"}`, []string{`contains "oslo" twice`}},
		{datasets.Unordered, "Which?", `{type: list, answer: "[1, 6.0]"}`, []string{"only numbers"}},
		{datasets.Unordered, "Which?", `{type: list, answer: "[0, 0, 1]", ordered: true}`, nil},
		{datasets.Unordered, "Which?", `{type: list, answer: "1, Oslo"}`, nil},
		{datasets.Unordered, "Which?", `{type: list, answer: "42"}`, nil},
	} {
		t.Run(string(c.rule)+" "+c.gold, func(t *testing.T) {
			var got []string
			for _, f := range lint(t, c.query, c.gold, computed) {
				if f.Rule == c.rule {
					got = append(got, f.Message)
				}
			}
			if len(got) != len(c.want) {
				t.Fatalf("found %q, want %q", got, c.want)
			}
			for i, part := range c.want {
				if !strings.Contains(got[i], part) {
					t.Errorf("found %q, want %q", got[i], part)
				}
			}
		})
	}
}

func TestLintNoSource(t *testing.T) {
	if found := lint(t, "What?", `{outcome: refused}`, ""); len(found) != 1 || found[0].Rule != datasets.NoSource {
		t.Errorf("found %v, want that the source is missing", found)
	}
	if found := lint(t, "What?", `{outcome: refused}`, computed); len(found) != 0 {
		t.Errorf("found %v, want nothing", found)
	}
}

// Findings tell their place in any form of file.
func TestLintPlaces(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"f.yaml": {
			"- id: a\n  category: one\n  query: What?\n  gold:\n    all_of:\n      - Nile\n      - [Neil, \"7\"]\n  source: computed\n",
			":7:16: a: ",
		},
		"f.jsonl": {
			`{"id":"a","category":"é","query":"What?","source":"computed","gold":{"all_of":["Nile",["Amazon","7"]]}}` + "\n",
			":1:97: a: ",
		},
		"f.csv": {
			"id,category,query,source,all_of\na,é,\"Über\nwas?\",computed,Nile;Amazon|7\n",
			":3:16: a: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, found, err := datasets.Lint(file)
			if err != nil {
				t.Fatal(err)
			}
			want := file + c.want + `almost any message contains the keyword "7"; give a longer one, or an answer with a type, which is compared with the short answer only [gold/any-answer]`
			if len(found) != 1 || found[0].String() != want {
				t.Errorf("found %v\nwant  %s", found, want)
			}
		})
	}
}

func TestLintOrder(t *testing.T) {
	found := lint(t, "Which river is the Nile?", `{type: entity, answer: Nile, aliases: [nile], none_of: [Nile], all_of: [river, river]}`, "")
	var got []datasets.Rule
	for _, f := range found {
		got = append(got, f.Rule)
	}
	want := []datasets.Rule{
		datasets.NoSource, datasets.AnswerInQuery, datasets.UselessAlias, datasets.Contradiction, datasets.Contradiction,
		datasets.KeywordInQuery, datasets.KeywordInQuery, datasets.AndList,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules in the order of their places (-want +got):\n%s", diff)
	}
}

func TestLintBuiltin(t *testing.T) {
	for _, name := range datasets.Builtin() {
		d, found, err := datasets.Lint(name)
		if err != nil {
			t.Fatal(err)
		}
		if d.Name != name || d.Hash != open(t, name).Hash {
			t.Errorf("linting %s gives %s with hash %s", name, d.Name, d.Hash)
		}
		for _, f := range found { // the paraphrases are held out: no texts
			t.Errorf("%s: %s: %s", name, f.Query, f.Rule)
		}
	}
}

func TestLintBrokenFile(t *testing.T) {
	_, want := datasets.Load("testdata/broken/gold.yaml")
	d, found, err := datasets.Lint("testdata/broken/gold.yaml")
	if d != nil || found != nil || err == nil || err.Error() != want.Error() {
		t.Errorf("dataset %v, findings %v, error %v", d, found, err)
	}
}

// Every rule is documented, and stands in a test above.
func TestRulesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/datasets.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range datasets.Rules() {
		if !strings.Contains(string(doc), "`"+string(rule)+"`") {
			t.Errorf("docs/datasets.md does not name the rule %s", rule)
		}
	}
}

// TestTwoGolds: one question with two golds is found in any case; the same gold in other words is not, nor is
// the question of another person.
func TestTwoGolds(t *testing.T) {
	const first = "- {id: a, category: one, query: \"How many days?\", source: computed, gold: {type: quantity, answer: 30 days}}\n"
	for _, c := range []struct{ name, second, want string }{
		{"another answer", `query: "how many  days?", gold: {type: quantity, answer: 28 days}`, `it asks the same as a on line 1 but expects "28 days", not "30 days"`},
		{"another outcome", `query: "How many days?", gold: {outcome: abstained}`, `expects "[abstained]", not "30 days"`},
		{"the same value", `query: "How many days?", gold: {type: quantity, answer: 720 hours}`, ""},
		{"one has it as an alias", `query: "How many days?", gold: {type: text, answer: a month, aliases: [30 days]}`, ""},
		{"another person", `query: "How many days?", owner: bob, gold: {type: quantity, answer: 28 days}`, ""},
		{"only checks", `query: "How many days?", checks: [{contains: days}]`, ""},
		{"another question", `query: "How many hours?", gold: {type: quantity, answer: 28 days}`, ""},
	} {
		file := filepath.Join(t.TempDir(), "f.yaml")
		if err := os.WriteFile(file, []byte(first+"- {id: b, category: one, source: computed, "+c.second+"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, found, err := datasets.Lint(file)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var got []string
		for _, f := range found {
			if f.Rule == datasets.TwoGolds {
				got = append(got, f.String())
			}
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want) || !strings.Contains(got[0], ":2:")) {
			t.Errorf("%s: found %q", c.name, got)
		}
	}
}
