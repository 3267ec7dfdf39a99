package answer

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/text"
)

func TestTables(t *testing.T) {
	for role, entries := range vocabulary() {
		for _, word := range entries {
			if folded := text.Fold(word); folded != word {
				t.Errorf("%q (%s) is found in no folded text: write %q", word, role, folded)
			}
		}
	}
	for content, want := range map[string]string{
		"# a comment\n\na\tx\nb\tx\na\tx\n": `t.tsv:5: "a\tx" is there already`,
		"a\n":                               "t.tsv:1: want a word",
		"a\tx\ty\n":                         "t.tsv:1: want a word",
	} {
		if err := (table{}).read("t.tsv", content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
}
