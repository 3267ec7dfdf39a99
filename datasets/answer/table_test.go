package answer

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/text"
)

func TestTables(t *testing.T) {
	entries, err := tableFiles.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		content, err := tableFiles.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		w, err := readTable(e.Name(), string(content))
		if err != nil {
			t.Error(err)
		}
		for role, words := range w {
			for _, word := range words {
				if folded := text.Fold(word); folded != word {
					t.Errorf("%s: %q (%s) is found in no folded text: write %q", e.Name(), word, role, folded)
				}
			}
		}
	}
	for content, want := range map[string]string{
		"# a comment\n\na\tx\nb\tx\na\tx\n": `t.tsv:5: "a\tx" stands in line 3 too`,
		"a\n":                               "t.tsv:1: want a word",
		"a\tx\ty\n":                         "t.tsv:1: want a word",
	} {
		if _, err := readTable("t.tsv", content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
}
