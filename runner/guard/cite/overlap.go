package cite

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// enoughOverlap is the share of a claim's content words that a source must have to bear
// it out (methods.md §8).
const enoughOverlap = 0.5

// weights is the idf of content words over the documents of a trace.
type weights struct {
	documents int
	frequency map[string]int
}

func newWeights(e *evidence) weights {
	w := weights{documents: len(e.order), frequency: map[string]int{}}
	for _, s := range e.order {
		for t := range s.stems {
			w.frequency[t]++
		}
	}
	return w
}

// of is the weight of a word: the rarer, the more. One that no document uses is the
// writer's own way to put it and weighs least.
func (w weights) of(token string) float64 {
	n := w.frequency[token]
	if n == 0 {
		n = w.documents
	}
	return math.Log1p(float64(w.documents) / float64(1+n))
}

// overlap is the share, by idf weight, of content words that stand in one of the sources.
// ok is false where there is no content word.
func (w weights) overlap(words []string, sources []*source) (share float64, ok bool) {
	total, found := 0.0, 0.0
	for _, t := range words {
		weight := w.of(t)
		total += weight
		if slices.ContainsFunc(sources, func(s *source) bool { return s.stems[t] }) {
			found += weight
		}
	}
	if total == 0 {
		return 0, false
	}
	return found / total, true
}

// content lists the stems of a claim's content words, each once: no numbers, which have
// their own check, and no stop words.
func content(w words) []string {
	var out []string
	seen := map[string]bool{}
	for _, token := range w.tokens {
		t := stem(token)
		if seen[t] || len(token) == 1 || isStopWord(token) || hasDigit(token) || !text.StartsWord(token) {
			continue
		}
		seen[t] = true
		out = append(out, t)
	}
	return out
}

// stem cuts the commonest English endings, so that a paraphrase in another tense or
// number still meets its source.
func stem(token string) string {
	if len(token) > 5 {
		for _, ending := range []string{"ing", "ies", "ied", "ed", "es"} {
			if cut, ok := strings.CutSuffix(token, ending); ok {
				return strings.TrimSuffix(cut, "e")
			}
		}
	}
	if len(token) > 3 && strings.HasSuffix(token, "s") && !strings.HasSuffix(token, "ss") {
		token = token[:len(token)-1]
	}
	if len(token) > 4 {
		token = strings.TrimRight(token, "ey")
	}
	return token
}
