package answer_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

func TestExtractAmountsChoicesAndLists(t *testing.T) {
	nothing := outcome(trace.NoAnswer, answer.FromNowhere)
	for _, c := range []struct {
		typ     answer.Type
		message string
		want    answer.Final
	}{
		{answer.Currency, "In 2020 it cost $1.2 million, after 3 years.", guessed("$1.2 million")},
		{answer.Currency, "They paid USD 5,000 [corpus_1] in 12 parts", guessed("USD 5,000")},
		{answer.Currency, "First €5, then 7 euros in 2020.", nothing},
		{answer.Currency, "It was 1,200 in all", guessed("1,200")},
		{answer.Currency, "It was free", nothing},
		{answer.Quantity, "The course is 42.195 km long, run 12 times.", guessed("42.195 km")},
		{answer.Quantity, "It makes 5 MW [corpus_7] since 1999", guessed("5 MW")},
		{answer.Quantity, "It is 5 km in 2020", guessed("5 km")},
		{answer.Quantity, "so 12 in all", guessed("12")},
		{answer.Quantity, "It takes 1 h 30 min.", guessed("1 h 30 min")},

		{answer.Choice, "B) Paris", guessed("B) Paris")},
		{answer.Choice, "Option A is wrong. The answer is (C).", answered("(C)")},
		{answer.Choice, "It follows that option B fits best.", guessed("B")},
		{answer.Choice, "The answers are A and C.", answered("A and C")},
		{answer.Choice, "The answer is a dog.", nothing},
		{answer.Choice, "I like a dog. It barks", nothing},

		{answer.List, "Paris, Rome and Oslo", guessed("Paris, Rome and Oslo")},
		{answer.List, "Three fit:\n- Paris, France [corpus_1]\n- Rome\n\n- Oslo\nThat is all.", guessed("Paris, France; Rome; Oslo")},
		{answer.List, "1. Paris\n2. Rome", guessed("Paris; Rome")},
		{answer.List, "Answer: Paris; Rome", answered("Paris; Rome")},
		{answer.List, "Answer:\n- Paris\n- Rome [corpus_1]\n\nReferences:\n[corpus_1] x", answered("Paris; Rome")},
		{answer.List, "Answer:\nParis, Rome", answered("Paris, Rome")},
		{answer.List, "Answer:\n- Paris", answered("Paris")},
		{answer.List, "Answer: [ABSTAIN]", outcome(trace.Abstained, answer.FromLine)},
		{answer.List, "Paris is one. Rome is another. It is so", nothing},
	} {
		if got := extract(c.message, "", c.typ); got != c.want {
			t.Errorf("Extract(%q, %s) = %+v, want %+v", c.message, c.typ, got, c.want)
		}
	}
}

// What must stay apart in the types with units, codes and letters.
func TestTypedCollisions(t *testing.T) {
	for typ, pairs := range map[answer.Type][][2]string{
		answer.Currency: {{"USD 5", "EUR 5"}, {"$5", "USD 5"}, {"€5m", "€5"}, {"€5bn", "€5m"}, {"€-5", "€5"}, {"€5", "5"}, {"about €5", "€5"}, {"50 pence", "£50"}},
		answer.Quantity: {{"8 kB", "8 KiB"}, {"8 Mb", "8 MB"}, {"5 mW", "5 MW"}, {"5 m", "5 min"}, {"5 km", "5 kg"}, {"5 m", "5"}, {"5 °C", "5 °F"}, {"5 K", "5 km"}, {"5 m^2", "5 m"}, {"5 m", "5 mi"}, {"1 year", "365 days"}, {"5 km/h", "5 km"}},
		answer.Choice:   {{"A", "The"}, {"A", "A, B"}, {"B", "(C)"}, {"NOT_ATTEMPTED", "A"}},
		answer.List:     {{"a, b", "ab"}, {"a|b", "a, b"}, {"a, b", "a; b; c"}, {"C++, C", "C#, C"}, {"a; b, c", "a; b; c"}, {`a\|b`, "a|b"}},
		answer.Integer:  {{"one", "first of all"}, {"twenty-one", "20"}, {"a dozen", "a"}, {"five million", "five"}},
		answer.Decimal:  {{"three point five", "35"}, {"two and a half", "2"}, {"half", "1"}, {"two thirds", "2"}},
	} {
		for _, pair := range pairs {
			if a, b := key(pair[0], typ), key(pair[1], typ); a == b && a != "error" {
				t.Errorf("%s: %q and %q share the key %s", typ, pair[0], pair[1], a)
			}
		}
	}
}

// Keys of the types of norm/v1 that the later types must not move.
func TestEarlierKeysHold(t *testing.T) {
	for _, c := range []struct {
		raw, want string
		typ       answer.Type
	}{
		{"$1.2M", "int:1200000", answer.Decimal},
		{"5 km", "int:5", answer.Integer},
		{"5k", "ambiguous:5k", answer.Integer},
		{"50%", "pct:1/2", answer.Decimal},
		{"A", "entity:a", answer.Entity},
		{"Paris, Rome", "entity:paris, rome", answer.Entity},
	} {
		if got := key(c.raw, c.typ); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.typ, c.raw, got, c.want)
		}
	}
}

// A reason names the values between which nothing decides, and says why marked text is no value.
func TestReasons(t *testing.T) {
	for message, want := range map[string]string{
		"It has 3 floors and 12 rooms.":  `"3" and "12" are both possible`,
		"Either 27 or 31 boats.":         `"27" and "31" are offered as alternatives`,
		"Answer: 36 or 37":               `"36" and "37" are offered as alternatives`,
		"Answer: before the fair":        "not an integer",
		"I looked everywhere for it":     "no part of the message is marked as the answer or can be read as one",
		"36\n\nThere are lamps.\n\n37":   `the lines "36" and "37" are both possible`,
		"Answer: 36\n\nWait, no, sorry.": `withdraws its answer "36"`,
	} {
		if got := answer.Extract(message, "", answer.Integer); !strings.Contains(got.Reason, want) {
			t.Errorf("Extract(%q) = %+v, want the reason %q", message, got, want)
		}
	}
}

// Plain figures are a citation where a document of the trace has that id.
func TestDocumentsOfTheTrace(t *testing.T) {
	for _, c := range []struct {
		typ       answer.Type
		message   string
		documents []string
		want      string
	}{
		{answer.Text, "Answer: x in [4, 9]", nil, "x in [4, 9]"},
		{answer.Text, "Answer: the well [4, 9]", []string{"4", "9"}, "the well"},
		{answer.Text, "Answer: the well [4, 9]", []string{"4"}, "the well [4, 9]"},
		{answer.Entity, "Answer: Lima [1]", nil, "Lima [1]"},
		{answer.Entity, "Answer: Lima [1]", []string{"1"}, "Lima"},
		{answer.Entity, "Answer: Lima [corpus_1]", nil, "Lima"},
		{answer.Code, "Answer: a[1]", []string{"1"}, "a[1]"},
		{answer.List, "Answer: [4, 9]", []string{"4", "9"}, "[4, 9]"},
		{answer.Integer, "Answer: 42 [1]", nil, "42"},
	} {
		if got := (answer.Message{Text: c.message, Documents: c.documents}).Extract(c.typ); got.Short != c.want {
			t.Errorf("%s %q with %q: %+v, want %q", c.typ, c.message, c.documents, got, c.want)
		}
	}
}
