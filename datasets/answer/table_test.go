package answer

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/text"
)

// row is a word or phrase, a tab and what it is.
var row = regexp.MustCompile(`^[^\t]+\t[a-z]+$`)

// check returns the first mistake of a table with its line.
func check(file, content string) error {
	number, seen := 0, map[string]bool{}
	for line := range strings.Lines(content) {
		number++
		line = strings.TrimRight(line, "\n")
		word, _, _ := strings.Cut(line, "\t")
		switch {
		case line == "" || line[0] == '#':
		case !row.MatchString(line):
			return fmt.Errorf("%s:%d: want a word, a tab and what it is", file, number)
		case seen[line]:
			return fmt.Errorf("%s:%d: %q is there already", file, number, line)
		case text.Fold(word) != word:
			return fmt.Errorf("%s:%d: %q is found in no folded text: write %q", file, number, word, text.Fold(word))
		}
		seen[line] = true
	}
	return nil
}

func TestTables(t *testing.T) {
	files, err := tableFiles.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := tableFiles.ReadFile(file.Name())
		if err == nil {
			err = check(file.Name(), string(content))
		}
		if err != nil {
			t.Error(err)
		}
	}
	for content, want := range map[string]string{
		"# a comment\n\na\tx\nb\tx\na\tx\n": `t.tsv:5: "a\tx" is there already`,
		"a\n":                               "t.tsv:1: want a word",
		"a\tx\ty\n":                         "t.tsv:1: want a word",
		"A\tx\n":                            `t.tsv:1: "A" is found in no folded text`,
	} {
		if err := check("t.tsv", content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
}
