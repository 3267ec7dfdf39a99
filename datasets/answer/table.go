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
		content, _ := tableFiles.ReadFile(file) // it is there
		for _, row := range text.Rows(string(content), 2) {
			t[row[1]] = append(t[row[1]], row[0])
		}
	}
	return t
})

// expression looks for any phrase of some roles between two other expressions. One that ends
// in a letter counts only as a word of its own.
func expression(before, behind string, roles ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(before + vocabulary().pattern(roles...) + behind) })
}

// phrases finds the phrases of some roles as words of their own, behind a space or a comma or at the start.
func phrases(roles ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		var all []string
		for _, role := range roles {
			for _, phrase := range vocabulary()[role] {
				find := regexp.QuoteMeta(phrase)
				if phrase[0] != ',' {
					find = `(?:^|[ ,])` + find
				}
				if phrase != "(" {
					find += `\b`
				}
				all = append(all, find)
			}
		}
		return regexp.MustCompile(strings.Join(all, `|`))
	})
}

// pattern is an expression for any phrase of some roles.
func (t table) pattern(roles ...string) string {
	var all []string
	for _, role := range roles {
		for _, phrase := range t[role] {
			all = append(all, regexp.QuoteMeta(phrase))
		}
	}
	return `(?:` + strings.Join(all, `|`) + `)`
}

func (t table) has(role, word string) bool { return slices.Contains(t[role], word) }
