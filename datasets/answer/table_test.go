package answer

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/text"
)

// row is a word or phrase, what it is, its language and the source of the row.
var row = regexp.MustCompile(`^[^\t]+\t[a-z ]+\t[a-z]{2}\t[^\t]+$`)

// check returns the first mistake of a table with its line. A file of one language has rows of it alone.
func check(file, content string) error {
	number, seen := 0, map[string]bool{}
	for line := range strings.Lines(content) {
		number++
		line = strings.TrimRight(line, "\n")
		cells := append(strings.Split(line, "\t"), "", "", "")
		word, key := cells[0], strings.Join(cells[:3], "\t")
		switch {
		case line == "" || line[0] == '#':
			continue
		case !row.MatchString(line):
			return fmt.Errorf("%s:%d: want a word, what it is, a language and a source, with tabs between them", file, number)
		case seen[key]:
			return fmt.Errorf("%s:%d: %q is there already", file, number, key)
		case text.Fold(word) != word && cells[1] != "tag" && cells[1] != "control":
			return fmt.Errorf("%s:%d: %q is found in no folded text: write %q", file, number, word, text.Fold(word))
		case strings.HasPrefix(file, "languages/") && file != "languages/"+cells[2]+".tsv":
			return fmt.Errorf("%s:%d: a row of the language %s", file, number, cells[2])
		}
		seen[key] = true
	}
	return nil
}

func TestTables(t *testing.T) {
	files, err := fs.Glob(tableFiles, "*/*.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 10 {
		t.Errorf("%d languages beside English, want 10", len(files))
	}
	content, err := tableFiles.ReadFile("sources.tsv")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]bool{}
	for _, row := range text.Rows(string(content), 2) {
		sources[row[0]] = true
	}
	code := ""
	for _, file := range glob(t, "*.go") {
		if !strings.HasSuffix(file, "_test.go") {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			code += string(content)
		}
	}
	for _, file := range append(files, "prose.tsv", "refusals.tsv", "words.tsv") {
		content, err := tableFiles.ReadFile(file)
		if err == nil {
			err = check(file, string(content))
		}
		if err != nil {
			t.Error(err)
		}
		for _, row := range text.Rows(string(content), 4) {
			if !sources[row[3]] {
				t.Errorf("%s: %q has the source %q, which sources.tsv does not name", file, row[0], row[3])
			}
			if !strings.Contains(code, `"`+row[1]+`"`) {
				t.Errorf("%s: no code asks for the role %q of %q", file, row[1], row[0])
			}
		}
	}
	for content, want := range map[string]string{
		"# a comment\n\na\tx\ten\ts\nb\tx\ten\ts\na\tx\ten\tr\n": `t.tsv:5: "a\tx\ten" is there already`,
		"a\n":           "t.tsv:1: want a word",
		"a\tx\ty\n":     "t.tsv:1: want a word",
		"A\tx\ten\ts\n": `t.tsv:1: "A" is found in no folded text`,
	} {
		if err := check("t.tsv", content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
	if err := check("languages/de.tsv", "a\tx\tfr\ts\n"); err == nil {
		t.Error("a French row is accepted among German ones")
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return files
}
