package offline

import (
	"slices"

	"github.com/seed-5817661a/concur/datasets/answer"
)

type equivalenceReply struct {
	Equivalent bool   `json:"equivalent"`
	Difference string `json:"difference"`
}

// types are the types that an answer is read as where nobody says which it is, the most
// particular first. Every text is an entity or at least a text.
var types = []answer.Type{
	answer.Boolean, answer.Currency, answer.Percent, answer.Quantity, answer.Decimal, answer.Date, answer.Entity, answer.Text,
}

// ruleEquivalence says whether two short answers are equal, both read as the most particular type that fits both.
func ruleEquivalence(b blocks) (any, error) {
	d, err := b.need("question", "answer A", "answer B")
	if err != nil {
		return nil, err
	}
	x, y := d[1], d[2]
	if x == y {
		return equivalenceReply{Equivalent: true}, nil
	}
	for _, t := range types {
		a, okA := readAs(x, t)
		b, okB := readAs(y, t)
		switch {
		case !okA && !okB:
		case t == answer.Text && okA != okB:
			return equivalenceReply{Difference: "one says nothing"}, nil
		case okA && okB && a.Key == b.Key:
			return equivalenceReply{Equivalent: true}, nil
		case okA && okB:
			return equivalenceReply{Difference: "they differ, read as " + string(t)}, nil
		}
	}
	return equivalenceReply{Difference: "one of them cannot be read"}, nil
}

// readAs reads an answer as a type without leaving anything out that could matter: a unit
// of a number, a currency, the sign that a percentage needs.
func readAs(s string, t answer.Type) (answer.Key, bool) {
	k, err := answer.Normalize(s, t, answer.Options{})
	if err != nil || k.Confidence == answer.Ambiguous {
		return k, false
	}
	return k, !slices.ContainsFunc(k.Flags, func(f string) bool {
		return f == answer.FlagUnit || f == answer.FlagCurrency || f == answer.FlagBare
	})
}

// typeOf is the most particular type that a text reads as, Text for one that reads as none.
func typeOf(s string) answer.Type {
	for _, t := range types {
		if _, ok := readAs(s, t); ok {
			return t
		}
	}
	return answer.Text
}
