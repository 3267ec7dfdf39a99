package playbook

import (
	"math"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// sameText is the similarity from which two texts with one sequence of tools are one bullet
// (issue 23; ace-playbook uses the same with embeddings).
const sameText = 0.8

// counts are the words of a text and how often each occurs.
type counts struct {
	words  map[string]int
	length float64
}

func countsOf(s string) counts {
	c := counts{words: map[string]int{}}
	for _, t := range text.Tokens(s, 0) {
		c.words[t.Folded]++
	}
	sum := 0
	for _, n := range c.words {
		sum += n * n
	}
	c.length = math.Sqrt(float64(sum))
	return c
}

// named are the names in backquotes, such as tools: texts that differ in one are not the same.
func named(s string) (out []string) {
	for i, part := range strings.Split(s, "`") {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	return out
}

// similarity is the cosine of the counts of words, 0 to 1.
func (c counts) similarity(d counts) float64 {
	if c.length == 0 || d.length == 0 {
		return 0
	}
	dot := 0
	for w, n := range c.words {
		dot += n * d.words[w]
	}
	return float64(dot) / (c.length * d.length)
}
