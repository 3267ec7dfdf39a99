package playbook

import (
	"fmt"
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
		} else if y := after.Bullets[i]; x.Line() != y.Line() || x.Section != y.Section || x.State != y.State {
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
	}
	return s
}

// sameText is the similarity from which two texts with the same sequence of tools count as one bullet.
// ace-playbook uses the same number, with embeddings.
const sameText = 0.8

// counts has the frequencies of a text's words.
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
	for w, n := range c.words {
		dot += n * d.words[w]
	}
	return float64(dot) / (c.length * d.length)
}
