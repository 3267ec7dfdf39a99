package score

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Answers repeat, and reading one as a value takes microseconds. Only short texts are
// remembered, and not more than maxMemo of them.
const (
	maxMemo = 1 << 14
	maxText = 64
)

// memo remembers what the norm typed finds.
type memo struct {
	mu      sync.Mutex
	keys    map[string]consensus.Ballot
	matches map[[2]string]bool // answer, golds
}

// typed is the vote of an answer of the type.
func (m *memo) typed(text string, t answer.Type) consensus.Ballot {
	return remember(m, &m.keys, text, len(text), func() consensus.Ballot {
		return consensus.NewBallot(trace.Trace{Outcome: trace.Answered, Answer: text}, t, answer.Options{})
	})
}

// match reports whether an answer of the type is equal to one of the golds.
func (m *memo) match(text string, golds []string, t answer.Type) bool {
	key := [2]string{text, strings.Join(golds, "\x00")}
	return remember(m, &m.matches, key, len(key[0])+len(key[1]), func() bool {
		right, _ := answer.Match(text, golds[0], t, golds[1:], answer.Tolerance{}, answer.Options{})
		return right
	})
}

func remember[K comparable, V any](m *memo, known *map[K]V, key K, size int, find func() V) V {
	m.mu.Lock()
	v, ok := (*known)[key]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = find()
	if size > maxText {
		return v
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if *known == nil || len(*known) >= maxMemo {
		*known = map[K]V{}
	}
	(*known)[key] = v
	return v
}

// squad normalises as the evaluation of SQuAD 1.1 does: lower case, without ASCII punctuation, without the
// words a, an and the, white space squeezed. Published figures of many question sets rest on it. It makes
// 3.14 equal to 314, -5 to 5 and C++ to C: use answer.Normalize for anything else (methods.md §2.1).
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
