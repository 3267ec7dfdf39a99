package score

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/trace"
)

// typed reads answers as values of a type. It has a cache, because answers are repeated and reading one takes
// microseconds.
type typed struct {
	ballots memo.Memo[string, consensus.Ballot]
	matches memo.Memo[[2]string, bool] // by an answer and its golds
}

func (m *typed) ballot(text string, t answer.Type) consensus.Ballot {
	return m.ballots.Get(text, func() consensus.Ballot {
		return consensus.NewBallot(trace.Trace{Outcome: trace.Answered, Answer: text}, t, answer.Options{})
	})
}

// match reports whether an answer with the ballot b is right. Currencies are read in another way with a gold
// than without; for all other types, equal keys mean equal values.
func (m *typed) match(b consensus.Ballot, text string, golds []string, t answer.Type) bool {
	if gold := m.ballot(golds[0], t); t != answer.Currency && gold.Key == b.Key && !b.Unparsed() &&
		!b.Ambiguous && !gold.Ambiguous {
		return true
	}
	return m.matches.Get([2]string{text, strings.Join(golds, "\x00")}, func() bool {
		right, _ := answer.Match(text, golds[0], t, golds[1:], answer.Tolerance{}, answer.Options{})
		return right
	})
}

// squad normalises a text as the evaluation of SQuAD 1.1 does: lower case, no ASCII punctuation, no words a, an
// and the, single spaces. Published figures of many question sets use it. It makes 3.14 equal to 314, -5 to 5
// and C++ to C: use answer.Normalize for everything else (docs/method.md §2.1).
func squad(s string) string {
	out := make([]byte, 0, len(s)+1)
	word := 0 // start of the current word
	end := func() {
		switch string(out[word:]) {
		case "a", "an", "the":
			out = append(out[:word], ' ')
		}
	}
	for _, r := range strings.ToLower(s) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)):
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			out = utf8.AppendRune(out, r)
		default:
			end()
			out = utf8.AppendRune(out, r)
			word = len(out)
		}
	}
	end()
	return strings.Join(strings.Fields(string(out)), " ")
}
