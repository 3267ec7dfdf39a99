package answer

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// commaLanguages write a comma before decimals, and the day of a date first.
var commaLanguages = []string{"de", "fr", "es", "it", "pt", "ru"}

// Localised reports whether a locale may decide how answers of the type are read.
func (t Type) Localised() bool { return t.Numeric() || t == Date || t == List }

// localised writes what an answer leaves open as its locale has it.
func localised(raw string, t Type, o Options) (string, error) {
	if o.Locale == "" || !t.Localised() {
		return raw, nil
	}
	locale, err := value.LocaleOf(o.Locale)
	return locale.Plain(raw), err
}

// Settle writes what figures of a short answer leave open, such as 1.234 or 03/04/2024, as a gold with the locale
// [Message.Read] reads it. The locale of the writer decides what is meant: [Message.Locale], else that of the gold,
// else the language of question and message where both are in one that writes decimals behind a comma.
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

// language tells the language of a message and the question that it answers.
func language(message, question string) string {
	start := max(0, len(message)-languageBytes)
	return languageOf(small(text.Head(question, languageBytes/2)) + " " + small(strings.ToValidUTF8(message[start:], " ")))
}

// small folds a text, or only writes plain text in small letters, which is faster.
func small(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return text.Fold(s)
	}
	return strings.ToLower(s)
}

// languageBytes is how much of a text is looked at to tell its language.
const languageBytes = 400

// languageOf returns the code of the language of a folded text: by its script, or else by the words that only
// hold its sentences together. It is en where that leaves a doubt.
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
	for letters, i := range tellingLetters {
		if hasAny(folded, letters) {
			count[i]++
		}
	}
	for word := range strings.FieldsFuncSeq(folded, func(r rune) bool { return !text.IsWord(r) && r != '\'' }) {
		words++
		for _, i := range latin()[word] {
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

// tellingLetters are letters and marks that one of the languages in Latin letters has, by its place among them.
var tellingLetters = map[string]int{"ßäöü": 1, "êàœ": 2, "¿¡ñ": 3, "ì": 4, "ãõ": 5}

// fewWords are too few to tell a language by one of them.
const fewWords = 4

func isKana(r rune) bool { return r >= 0x3040 && r <= 0x30FF }

// scriptOf gives the language that a letter tells, "" for none.
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

// latinLanguages are the languages in Latin letters; where a text could be of several, the first of them.
var latinLanguages = [...]string{"en", "de", "fr", "es", "it", "pt"}

// latin maps a word that tells languages in Latin letters apart to those that have it.
var latin = sync.OnceValue(func() map[string][]int {
	words := map[string][]int{}
	for i, language := range latinLanguages {
		file := "languages/" + language + ".tsv"
		if i == 0 {
			file = "words.tsv"
		}
		content, _ := tableFiles.ReadFile(file) // it is there
		for _, row := range text.Rows(string(content), 4) {
			if (row[1] == "function" || i > 0 && row[1] == "marker") && row[2] == language {
				words[row[0]] = append(words[row[0]], i)
			}
		}
	}
	return words
})
