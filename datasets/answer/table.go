package answer

import (
	"cmp"
	"embed"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

//go:embed *.tsv languages/*.tsv
var tableFiles embed.FS

// shared lists the roles whose phrases are used for a message in any language, in all languages: markers, and
// short answers that have no other text.
var shared = []string{
	"marker", "weak", "reference", "true", "false", "and", "article", "particle", "bare", "function", "option",
}

// table holds the words of one language and of English, by role.
type table struct {
	language string
	rows     map[string][]string // by role, in the order of the files
	is       map[string]map[string]bool
	find     map[string]*text.Phrases[string]
	compiled sync.Map // expressions of this table, by name
}

// tables has a function for each language that reads its table at its first use: most messages are in one or two
// languages, and all tables together take 9 MB. Tests check the rows.
var tables = sync.OnceValue(func() map[string]func() *table {
	files, _ := fs.Glob(tableFiles, "languages/*.tsv")
	names := []string{"en"}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(file, "languages/"), ".tsv"))
	}
	files = append([]string{"prose.tsv", "refusals.tsv", "words.tsv"}, files...)
	all := map[string]func() *table{}
	for _, name := range names {
		all[name] = sync.OnceValue(func() *table { return readTable(name, files) })
	}
	return all
})

func readTable(language string, files []string) *table {
	t := &table{language: language, rows: map[string][]string{}, is: map[string]map[string]bool{},
		find: map[string]*text.Phrases[string]{}}
	for _, file := range files {
		content, _ := tableFiles.ReadFile(file) // no error: the file is embedded
		for _, row := range text.Rows(string(content), 4) {
			if row[2] == language || row[2] == "en" || slices.Contains(shared, row[1]) {
				t.enter(row[0], row[1], row[2])
			}
		}
	}
	return t
}

func (t *table) enter(phrase, role, language string) {
	if t.is[role] == nil {
		t.is[role], t.find[role] = map[string]bool{}, &text.Phrases[string]{}
	}
	t.rows[role] = append(t.rows[role], phrase)
	t.is[role][phrase] = true
	t.find[role].Add(phrase, language)
}

// vocabulary returns the table of English.
var vocabulary = sync.OnceValue(func() *table { return tables()["en"]() })

// has reports whether a word or phrase in lower case has a role.
func (t *table) has(role, word string) bool { return t.is[role][word] }

// isAny reports whether a word or phrase in lower case has one of some roles.
func (t *table) isAny(word string, roles ...string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return t.has(role, word) })
}

// begins returns the length of the longest phrase of a role at the beginning of a folded text. It is 0 if there
// is no such phrase.
func (t *table) begins(role, s string) int {
	_, n := t.find[role].Find(s)
	return n
}

// next returns the place of the first phrase of a role in a folded text, from an index on. start is -1 if there
// is no such phrase.
func (t *table) next(role, s string, from int) (start, end int) {
	_, start, end = t.find[role].Next(s, from)
	return start, end
}

// contains reports whether a folded text has a phrase of a role.
func (t *table) contains(role, s string) bool {
	start, _ := t.next(role, s, 0)
	return start >= 0
}

// expression compiles an expression made of phrases of this table, once for each name.
func (t *table) expression(name string, build func(*table) string) *regexp.Regexp {
	if known, ok := t.compiled.Load(name); ok {
		return known.(*regexp.Regexp)
	}
	made := regexp.MustCompile(build(t))
	t.compiled.Store(name, made)
	return made
}

// expression returns an expression that matches any phrase of some roles, between two other expressions. If a
// phrase ends in a letter, this must be the end of a word.
func expression(before, behind string, roles ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(before + vocabulary().pattern(roles...) + behind)
	})
}

// phrases matches the phrases of some roles as whole words, at the beginning or after a space or a comma.
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

// pattern returns an expression for any phrase of some roles.
func (t *table) pattern(roles ...string) string {
	var all []string
	for _, role := range roles {
		for _, phrase := range t.rows[role] {
			all = append(all, regexp.QuoteMeta(phrase))
		}
	}
	return `(?:` + strings.Join(all, `|`) + `)`
}

// commaLanguages write a comma before decimals, and dates with the day first.
var commaLanguages = []string{"de", "fr", "es", "it", "pt", "ru"}

// Localised reports whether the locale may change how answers of the type are read.
func (t Type) Localised() bool { return t.Numeric() || t == Date || t == List }

// localised rewrites ambiguous numbers and dates of an answer in a form that has only the reading of its
// locale.
func localised(raw string, t Type, o Options) (string, error) {
	if o.Locale == "" || !t.Localised() {
		return raw, nil
	}
	locale, err := value.LocaleOf(o.Locale)
	return locale.Plain(raw), err
}

// Settle rewrites ambiguous numbers and dates of a short answer, such as 1.234 or 03/04/2024, so that a gold
// with the locale [Message.Read] reads them as the writer meant them. For the writer it uses the locale
// [Message.Locale]. If that is empty, it uses the locale of the gold. If that is empty too, it uses the
// language of question and message, if both are in a language with decimal commas.
func (msg Message) Settle(short string, t Type) string {
	writer := cmp.Or(msg.Locale, msg.Read)
	if !t.Localised() || writer == msg.Read && writer != "" || !strings.ContainsAny(short, ".,/-") {
		return short
	}
	if writer == "" {
		writer = language(msg.Text, msg.Question)
		if !slices.Contains(commaLanguages, writer) || language("", msg.Question) != writer {
			return short
		}
	}
	from, wrong := value.LocaleOf(writer)
	to, unknown := value.LocaleOf(msg.Read)
	if wrong != nil || unknown != nil {
		return short
	}
	return to.Local(from.Plain(short))
}

// language returns the language of a message and its question.
func language(message, question string) string {
	start := max(0, len(message)-languageBytes)
	return languageOf(small(text.Head(question, languageBytes/2)) + " " + small(strings.ToValidUTF8(message[start:], " ")))
}

// small folds a text. If the text is plain, it only converts to lower case, which is faster.
func small(s string) string {
	if text.IsASCII(s) {
		return strings.ToLower(s)
	}
	return text.Fold(s)
}

// languageBytes is the number of bytes of a text from which its language is detected.
const languageBytes = 400

// languageOf returns the code of a folded text's language. It recognises the language by its script, or else by
// its function words. In a case of doubt it returns en.
func languageOf(folded string) string {
	folded = text.Head(folded, languageBytes)
	for _, r := range folded {
		if r < 0x370 {
			continue
		}
		if language := scriptOf(r); language != "" && (language != "zh" || !strings.ContainsFunc(folded, isKana)) {
			return language
		}
	}
	var count [len(latinLanguages)]int
	most, words := 0, 0
	if !text.IsASCII(folded) {
		for letters, i := range tellingLetters {
			if text.HasAny(folded, letters) {
				count[i]++
			}
		}
	}
	known := latin()
	for word := range strings.FieldsFuncSeq(folded, func(r rune) bool { return !text.IsWord(r) && r != '\'' }) {
		words++
		for _, i := range known[word] {
			count[i]++
		}
	}
	for i := range count {
		if count[i] > count[most] {
			most = i
		}
	}
	if few := count[most] == 1 && words < fewWords; few {
		return latinLanguages[0] // one word may be a name: Hay Fever
	}
	return latinLanguages[most]
}

// tellingLetters maps letters that only one of the languages with Latin letters has to the index of this
// language.
var tellingLetters = map[string]int{"ßäöü": 1, "êàœ": 2, "¿¡ñ": 3, "ì": 4, "ãõ": 5}

// fewWords is the minimum number of function words from which a language is detected.
const fewWords = 4

func isKana(r rune) bool { return r >= 0x3040 && r <= 0x30FF }

// scriptOf returns the language whose script has a letter; "" if several languages have it.
func scriptOf(r rune) string {
	switch {
	case isKana(r):
		return "ja"
	case r >= 0xAC00 && r <= 0xD7AF:
		return "ko"
	case r >= 0x4E00 && r <= 0x9FFF:
		return "zh"
	case r >= 0x0400 && r <= 0x04FF:
		return "ru"
	case r >= 0x0600 && r <= 0x06FF:
		return "ar"
	}
	return ""
}

// latinLanguages are the languages with Latin letters. If a text may be in several of these languages, the
// first one is used.
var latinLanguages = [...]string{"en", "de", "fr", "es", "it", "pt"}

// latin maps a word that distinguishes languages with Latin letters to the languages that have it.
var latin = sync.OnceValue(func() map[string][]int {
	words := map[string][]int{}
	for i, language := range latinLanguages {
		file := "languages/" + language + ".tsv"
		if i == 0 {
			file = "words.tsv"
		}
		content, _ := tableFiles.ReadFile(file) // no error: the file is embedded
		for _, row := range text.Rows(string(content), 4) {
			if (row[1] == "function" || i > 0 && row[1] == "marker") && row[2] == language {
				words[row[0]] = append(words[row[0]], i)
			}
		}
	}
	return words
})
