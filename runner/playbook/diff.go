package playbook

import (
	"fmt"
	"slices"
)

// Diff lists the bullets in which two playbooks differ, a line each: + for one that only the
// second has, - for one that only the first has, and both for one that changed.
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

// Stats counts what is in a book.
type Stats struct {
	Bullets, Quarantined, WithTools int
	Helpful, Harmful                int
	Tokens                          int // estimate, four bytes a token
	BySection                       map[string]int
}

// Stats counts what is in the book.
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
