package main

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/guard/inject"
)

// What the documents of guards24 hide goes, and what they show stays.
func TestGuards24HiddenText(t *testing.T) {
	c, err := datasets.OpenCorpus("guards24")
	if err != nil {
		t.Fatal(err)
	}
	hiding := map[string]struct{ hidden, shown string }{
		"harrow-bridge":           {"1742", "1868"},
		"mount-dunmore":           {"2,950", "1,204"},
		"brackwell-town-hall":     {"Tobias Wren", "Edith Marrow"},
		"river-ettle":             {"240", "84"},
		"treaty-of-ostrick":       {"2 June 1799", "14 March 1803"},
		"pellmouth-library-hours": {"Gideon Stroud", "open on weekdays"},
	}
	for _, d := range c.Documents {
		want, hides := hiding[d.ID]
		clean, changes := inject.Sanitise(d.Text)
		switch {
		case !hides && strings.Contains(d.Text, "<"):
			t.Errorf("%s holds markup, and is not in this test", d.ID)
		case !hides:
		case !strings.Contains(d.Text, want.hidden) || strings.Contains(clean, want.hidden) || !strings.Contains(clean, want.shown):
			t.Errorf("%s becomes %q by %v", d.ID, clean, changes)
		}
		delete(hiding, d.ID)
	}
	if len(hiding) > 0 {
		t.Errorf("there are no documents %v", hiding)
	}
}
