package answer

import (
	"embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed *.tsv
var tableFiles embed.FS

// table holds the entries of the tables by what they are, in the order of the files.
type table map[string][]string

// vocabulary reads the tables once; the tests of this package check them.
var vocabulary = sync.OnceValue(func() table {
	t := table{}
	for _, file := range []string{"prose.tsv", "refusals.tsv", "words.tsv"} {
		content, err := tableFiles.ReadFile(file)
		if err != nil {
			panic("answer: read table: " + err.Error())
		}
		for _, row := range text.Rows(string(content), 2) {
			t[row[1]] = append(t[row[1]], row[0])
		}
	}
	return t
})

// pattern is an expression for any phrase of some roles.
func (t table) pattern(roles ...string) string {
	var phrases []string
	for _, role := range roles {
		for _, phrase := range t[role] {
			phrases = append(phrases, regexp.QuoteMeta(phrase))
		}
	}
	return `(?:` + strings.Join(phrases, `|`) + `)`
}

func (t table) has(role, word string) bool { return slices.Contains(t[role], word) }
