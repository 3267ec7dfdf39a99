package answer

import (
	"embed"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed *.tsv languages/*.tsv
var tableFiles embed.FS

// shared are the roles whose words are read in every language, whatever the message is written in: markers and whole
// short answers.
var shared = []string{
	"marker", "weak", "reference", "true", "false", "and", "article", "particle", "bare", "function", "option",
}

// table holds the words of one language with those of English, by what they do.
type table struct {
	language string
	rows     map[string][]string // by role, in the order of the files
	is       map[string]map[string]bool
	find     map[string]*text.Phrases[string]
	compiled sync.Map // expressions of this table by their name
}

// tables reads the tables once, one for each language; the tests of this package check the rows.
var tables = sync.OnceValue(func() map[string]*table {
	files, _ := fs.Glob(tableFiles, "languages/*.tsv")
	all := map[string]*table{"en": {language: "en"}}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "languages/"), ".tsv")
		all[name] = &table{language: name}
	}
	files = append([]string{"prose.tsv", "refusals.tsv", "words.tsv"}, files...)
	for _, t := range all {
		t.rows, t.is, t.find = map[string][]string{}, map[string]map[string]bool{}, map[string]*text.Phrases[string]{}
		for _, file := range files {
			content, _ := tableFiles.ReadFile(file) // it is there
			for _, row := range text.Rows(string(content), 4) {
				if row[2] == t.language || row[2] == "en" || slices.Contains(shared, row[1]) {
					t.enter(row[0], row[1], row[2])
				}
			}
		}
	}
	return all
})

func (t *table) enter(phrase, role, language string) {
	if t.is[role] == nil {
		t.is[role], t.find[role] = map[string]bool{}, &text.Phrases[string]{}
	}
	t.rows[role] = append(t.rows[role], phrase)
	t.is[role][phrase] = true
	t.find[role].Add(phrase, language)
}

// vocabulary is the table of English.
var vocabulary = sync.OnceValue(func() *table { return tables()["en"] })

// has reports whether a word or phrase in small letters has a role.
func (t *table) has(role, word string) bool { return t.is[role][word] }

// isAny reports whether a word or phrase in small letters has one of some roles.
func (t *table) isAny(word string, roles ...string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return t.has(role, word) })
}

// begins returns the length of the longest phrase of a role at the start of a folded text, 0 without one.
func (t *table) begins(role, s string) int {
	_, n := t.find[role].Find(s)
	return n
}

// next returns the place of the first phrase of a role in a folded text at or behind from; start is -1 without one.
func (t *table) next(role, s string, from int) (start, end int) {
	_, start, end = t.find[role].Next(s, from)
	return start, end
}

// contains reports whether a folded text has a phrase of a role.
func (t *table) contains(role, s string) bool {
	start, _ := t.next(role, s, 0)
	return start >= 0
}

// expression compiles an expression that is built of the phrases of this table, once.
func (t *table) expression(name string, build func(*table) string) *regexp.Regexp {
	if known, ok := t.compiled.Load(name); ok {
		return known.(*regexp.Regexp)
	}
	made := regexp.MustCompile(build(t))
	t.compiled.Store(name, made)
	return made
}

// expression looks for any phrase of some roles between two other expressions. One that ends
// in a letter counts only as a word of its own.
func expression(before, behind string, roles ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(before + vocabulary().pattern(roles...) + behind)
	})
}

// phrases finds the phrases of some roles as words of their own, behind a space or a comma or at the start.
func phrases(roles ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		var all []string
		for _, role := range roles {
			for _, phrase := range vocabulary().rows[role] {
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
func (t *table) pattern(roles ...string) string {
	var all []string
	for _, role := range roles {
		for _, phrase := range t.rows[role] {
			all = append(all, regexp.QuoteMeta(phrase))
		}
	}
	return `(?:` + strings.Join(all, `|`) + `)`
}
