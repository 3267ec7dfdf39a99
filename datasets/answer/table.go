package answer

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed *.tsv
var tableFiles embed.FS

// The tables of words: a word or phrase in small letters, a tab, and what it is. A line
// that starts with # is a comment.
var (
	markerWords    = table("markers.tsv")
	referenceWords = table("references.tsv")
	proseWords     = table("prose.tsv")
	refusalWords   = table("refusals.tsv")
)

// wordTable holds the entries of a table by what they are, in the order of the file.
type wordTable map[string][]string

func (w wordTable) has(role, word string) bool {
	for _, one := range w[role] {
		if one == word {
			return true
		}
	}
	return false
}

// table returns a reader that reads the file once. A file that cannot be read is a mistake
// of the build, found by the tests of this package.
func table(file string) func() wordTable {
	return sync.OnceValue(func() wordTable {
		content, err := tableFiles.ReadFile(file)
		if err == nil {
			var w wordTable
			if w, err = readTable(file, string(content)); err == nil {
				return w
			}
		}
		panic("answer: read table: " + err.Error())
	})
}

// readTable refuses a line without two cells and a second entry that is the same.
func readTable(file, content string) (wordTable, error) {
	w, seen, number := wordTable{}, map[string]int{}, 0
	for line := range strings.Lines(content) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, role, ok := strings.Cut(line, "\t")
		if !ok || word == "" || role == "" || strings.Contains(role, "\t") {
			return nil, fmt.Errorf("%s:%d: want a word, a tab and what it is", file, number)
		}
		if before := seen[line]; before > 0 {
			return nil, fmt.Errorf("%s:%d: %q stands in line %d too", file, number, line, before)
		}
		seen[line] = number
		w[role] = append(w[role], word)
	}
	return w, nil
}
