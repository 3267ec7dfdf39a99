package answer

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed *.tsv
var tableFiles embed.FS

// table holds the entries of the tables by what they are, in the order of the files.
type table map[string][]string

// vocabulary reads the tables once. One that cannot be read is a mistake of the build, found by
// the tests of this package.
var vocabulary = sync.OnceValue(func() table {
	t := table{}
	for _, file := range []string{"prose.tsv", "refusals.tsv", "words.tsv"} {
		content, err := tableFiles.ReadFile(file)
		if err == nil {
			err = t.read(file, string(content))
		}
		if err != nil {
			panic("answer: read table: " + err.Error())
		}
	}
	return t
})

func (t table) has(role, word string) bool { return slices.Contains(t[role], word) }

// read adds a file. It refuses a line that is not a word, a tab and what it is, and a second
// entry that is the same.
func (t table) read(file, content string) error {
	number := 0
	for line := range strings.Lines(content) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, role, _ := strings.Cut(line, "\t")
		switch {
		case word == "" || role == "" || strings.Contains(role, "\t"):
			return fmt.Errorf("%s:%d: want a word, a tab and what it is", file, number)
		case t.has(role, word):
			return fmt.Errorf("%s:%d: %q is there already", file, number, line)
		}
		t[role] = append(t[role], word)
	}
	return nil
}
