package cite

import (
	"math"
	"strings"
	"unicode"
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
		for t := range s.tokens {
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
		for _, s := range sources {
			if s.tokens[t] {
				found += weight
				break
			}
		}
	}
	if total == 0 {
		return 0, false
	}
	return found / total, true
}

// content lists the stems of a claim's content words, each once: no numbers, which have
// their own check, and no stop words.
func content(f folded) []string {
	var out []string
	seen := map[string]bool{}
	for _, token := range f.tokens {
		t := stem(token)
		if seen[t] || isStopWord(token) || strings.IndexFunc(token, unicode.IsDigit) >= 0 {
			continue
		}
		if len(token) == 1 {
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
	if len(token) > 3 {
		token = strings.TrimSuffix(token, "'s")
	}
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

func isStopWord(token string) bool {
	switch token {
	case "a", "an", "the", "this", "that", "these", "those", "it", "its", "he", "she", "they", "his", "her", "their", "them", "we", "our", "i", "you",
		"is", "are", "was", "were", "be", "been", "being", "am", "has", "have", "had", "do", "does", "did", "can", "could", "will", "would", "may",
		"might", "must", "shall", "should", "of", "in", "on", "at", "by", "for", "from", "to", "with", "as", "into", "than", "then", "and", "or", "but",
		"not", "no", "nor", "so", "if", "while", "when", "where", "which", "who", "whom", "whose", "what", "how", "why", "there", "here", "both",
		"each", "all", "any", "some", "also", "about", "over", "under", "between", "after", "before", "during", "since", "until", "only", "more", "most",
		"less", "such", "same", "other", "according", "therefore", "thus", "hence", "however", "because", "per", "document", "source", "answer",
		"的", "了", "是", "在", "和", "与", "有", "为", "于", "之", "の", "は", "が", "を", "に", "で", "と", "た", "す", "る", "し", "て",
		"der", "die", "das", "und", "ist", "war", "le", "les", "et", "est", "el", "los", "y", "es", "de", "la", "un", "une", "ein", "eine":
		return true
	}
	return false
}
