package premise

import (
	"cmp"
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed languages/*.tsv
var files embed.FS

// Roles of a phrase in languages/*.tsv, where they are explained.
const (
	plain      = "plain"
	assumes    = "assumes"
	rejects    = "rejects"
	contrast   = "contrast"
	affirms    = "affirms"
	denial     = "denial"
	nominal    = "nominal"
	behind     = "behind"
	verbal     = "verbal"
	final      = "final"
	other      = "other"
	reported   = "reported"
	concession = "concession"
	pronoun    = "pronoun"
	small      = "small"
)

// table holds the phrases of one language by their roles.
type table struct {
	phrases map[string]*text.Phrases[bool]
	small   map[string]bool
}

// tables reads the phrases of each language once; the tests of this package check the rows.
var tables = sync.OnceValue(func() map[string]table {
	all := map[string]table{}
	names, _ := fs.Glob(files, "languages/*.tsv")
	for _, name := range names {
		t := table{phrases: map[string]*text.Phrases[bool]{}, small: map[string]bool{}}
		content, _ := files.ReadFile(name) // embedded
		for _, row := range text.Rows(string(content), 4) {
			phrase, role := text.Fold(row[0]), row[1]
			if t.phrases[role] == nil {
				t.phrases[role] = &text.Phrases[bool]{}
			}
			t.phrases[role].Add(phrase, true)
			t.small[phrase] = t.small[phrase] || role == small
		}
		all[strings.TrimSuffix(path.Base(name), ".tsv")] = t
	}
	return all
})

// next returns the place of the first phrase of a role in a folded text at or after from; start is -1 without one.
func (t table) next(role, s string, from int) (start, end int) {
	_, start, end = t.phrases[role].Next(s, from)
	return start, end
}

// contains reports whether a folded text has a phrase of a role.
func (t table) contains(role, s string) bool {
	start, _ := t.next(role, s, 0)
	return start >= 0
}

// begins reports whether a folded text begins with a phrase of a role.
func (t table) begins(role, s string) bool {
	_, n := t.phrases[role].Find(s)
	return n > 0
}

// says reports whether a folded word says something of what is asked. Hiragana joins other words.
func (t table) says(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return !t.small[word] && !unicode.Is(unicode.Hiragana, r)
}

// scripts maps the languages that have a script of their own to it. Japanese comes before Chinese, because it has the
// characters of both.
var scripts = []struct {
	language string
	of       []*unicode.RangeTable
}{
	{"ja", []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}}, {"ko", []*unicode.RangeTable{unicode.Hangul}},
	{"zh", []*unicode.RangeTable{unicode.Han}}, {"ru", []*unicode.RangeTable{unicode.Cyrillic}},
	{"ar", []*unicode.RangeTable{unicode.Arabic}},
}

// latin lists the languages in Latin letters. If a text may be of several, the first of them counts.
var latin = []string{"en", "de", "fr", "es", "it", "pt"}

// tableOf returns the table of the language in which a message is written: by its script, or by the small words of the
// message and, if two languages have the same number of them, of its question.
func tableOf(message, question string) table {
	for _, script := range scripts {
		if strings.ContainsFunc(message, func(r rune) bool { return unicode.In(r, script.of...) }) {
			return tables()[script.language]
		}
	}
	said, asked := text.Tokens(message, 0), text.Tokens(question, 0)
	return tables()[slices.MaxFunc(latin, func(a, b string) int {
		x, y := tables()[a], tables()[b]
		return cmp.Or(x.count(said)-y.count(said), x.count(asked)-y.count(asked))
	})]
}

// count counts the small words of the language.
func (t table) count(tokens []text.Token) (n int) {
	for _, token := range tokens {
		if t.small[token.Folded] {
			n++
		}
	}
	return n
}
