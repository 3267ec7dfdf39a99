package playbook

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// Diff lists the differences between the bullets of two playbooks, one per line: + for a bullet that only the second
// has, - for a bullet that only the first has, and both for a changed bullet.
func Diff(before, after *Book) (out []string) {
	for _, x := range before.Bullets {
		i := after.find(x.ID)
		if i < 0 {
			out = append(out, "- "+x.Line())
		} else if y := after.Bullets[i]; x.Line() != y.Line() || x.Section != y.Section || x.State != y.State ||
			x.Stage != y.Stage {
			out = append(out, "- "+x.Line(), "+ "+y.Line())
		}
	}
	for _, y := range after.Bullets {
		if before.find(y.ID) < 0 {
			out = append(out, "+ "+y.Line())
		}
	}
	if !slices.Equal(before.Sections, after.Sections) {
		out = append(out, fmt.Sprintf("sections: %v, now %v", before.Sections, after.Sections))
	}
	return out
}

// Stats counts the contents of a book.
type Stats struct {
	Bullets, Quarantined, WithTools int
	Drafts                          int
	Helpful, Harmful                int
	Tokens                          int // estimate, four bytes per token
	BySection                       map[string]int
}

// Stats counts the contents of the book.
func (b *Book) Stats() Stats {
	s := Stats{Bullets: len(b.Bullets), BySection: map[string]int{}}
	for _, x := range b.Bullets {
		s.BySection[x.Section]++
		s.Helpful += x.Helpful
		s.Harmful += x.Harmful
		s.Tokens += x.Tokens()
		if x.Quarantine() {
			s.Quarantined++
		}
		if len(x.Tools) > 0 {
			s.WithTools++
		}
		if x.Stage == Draft {
			s.Drafts++
		}
	}
	return s
}

// sameText is the minimum similarity of two texts with the same sequence of tools that count as one bullet.
// ace-playbook uses the same number, with embeddings.
const sameText = 0.8

// counts has the frequencies of a text's words.
type counts struct {
	words  []wordCount // in the order of the hashes
	length float64
}

// wordCount is a word, by its hash of 64 bits, since whole playbooks are compared.
type wordCount struct {
	hash uint64
	n    int
}

var hashSeed = maphash.MakeSeed()

func countsOf(s string) counts {
	var words []uint64
	for _, t := range text.Tokens(s, 0) {
		words = append(words, maphash.String(hashSeed, t.Folded))
	}
	slices.Sort(words)
	c, sum := counts{}, 0
	for len(words) > 0 {
		n := 1
		for n < len(words) && words[n] == words[0] {
			n++
		}
		c.words, sum, words = append(c.words, wordCount{words[0], n}), sum+n*n, words[n:]
	}
	c.length = math.Sqrt(float64(sum))
	return c
}

// named returns the names in backquotes, such as names of tools. Texts with different names are different.
func named(s string) (out []string) {
	for i, part := range strings.Split(s, "`") {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	return out
}

// similarity returns the cosine of the word counts, 0 to 1.
func (c counts) similarity(d counts) float64 {
	if c.length == 0 || d.length == 0 {
		return 0
	}
	dot := 0
	for a, b := c.words, d.words; len(a) > 0 && len(b) > 0; {
		switch {
		case a[0].hash < b[0].hash:
			a = a[1:]
		case a[0].hash > b[0].hash:
			b = b[1:]
		default:
			dot += a[0].n * b[0].n
			a, b = a[1:], b[1:]
		}
	}
	return float64(dot) / (c.length * d.length)
}

// Central returns the index of the text that is most similar to the others on average. This is the text with
// the most usual words. If several are equal, it is the first; without texts it is -1. Texts that have
// different names in backquotes count as not similar.
func Central(texts []string) int {
	lessons := make([]lesson, len(texts))
	for i, s := range texts {
		lessons[i] = newLesson("", "", s, nil)
	}
	best, most := -1, -1.0
	for i, l := range lessons {
		sum := 0.0
		for _, m := range lessons {
			sum += l.similarity(m)
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return best
}
