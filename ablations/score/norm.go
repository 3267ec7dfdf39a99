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

// typed reads answers as values of a type, with a cache: answers repeat, and reading one takes microseconds.
type typed struct {
	ballots memo.Memo[string, consensus.Ballot]
	matches memo.Memo[[2]string, bool] // by an answer and its golds
}

func (m *typed) ballot(text string, t answer.Type) consensus.Ballot {
	return m.ballots.Get(text, func() consensus.Ballot {
		return consensus.NewBallot(trace.Trace{Outcome: trace.Answered, Answer: text}, t, answer.Options{})
	})
}

// match reports whether an answer, whose ballot is b, is right. Only currencies are read otherwise with a gold than
// without: of any other type, equal keys are equal values.
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

// squad normalises as the evaluation of SQuAD 1.1 does: lower case, without ASCII punctuation, without the
// words a, an and the, with white space squeezed. Published figures of many question sets use it. It makes 3.14
// equal to 314, -5 to 5 and C++ to C, so use answer.Normalize for anything else (docs/method.md §2.1).
func squad(s string) string {
	out := make([]byte, 0, len(s)+1)
	word := 0 // where the current word begins
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
