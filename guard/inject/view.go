package inject

import (
	_ "embed"
	"html"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/seed-5817661a/concur/internal/text"
)

// mode selects how the readings of a view are matched.
type mode int

const (
	plain     mode = iota // words separated by spaces, for all families
	disguised             // the same, but only for families that allow guessing
	squashed              // no separators at all
	modes
)

// view is one way to read a text. Most views undo one disguise. If a view does not change the text, it gives no
// reading.
type view struct {
	name string
	mode mode
	read func(*source) []reading
}

// reading is a text in the form of a view.
type reading struct {
	words  string             // with single spaces
	lines  string             // with line ends, if the view keeps them
	scopes map[scope][]string // its parts by scope; a cache of the method in
}

const viewDecoded = "decoded"

// views returns the views of docs/method.md §9.2. The plain view is the first.
func views() []view {
	return []view{
		{"norm", plain, func(s *source) []reading { return []reading{{words: s.norm, lines: s.folded}} }},
		{"escapes", plain, refolded(unescapeBackslash)},
		{"despace", plain, func(s *source) []reading { return changed(inSentences(s.folded), despace, squeezed) }},
		{"dejoin", plain, ofSentences(dejoin)},
		{"desep", plain, ofSentences(desep)},
		{"url", plain, refolded(unescapeURL)},
		{viewDecoded, plain, decoded},
		{"squash", squashed, func(s *source) []reading { return []reading{{words: squash(s.norm)}} }},
		{"leet", disguised, ofSentences(unleet)},
		{"rot13", disguised, func(s *source) []reading { return []reading{{words: rot13(s.norm)}} }},
		{"reversed", disguised, func(s *source) []reading { return []reading{{words: reverse(s.norm)}} }},
		{"typo", disguised, ofSentences(correct)},
	}
}

func ofSentences(transform func(string) string) func(*source) []reading {
	return func(s *source) []reading { return changed(s.sentences, transform, squeezed) }
}

// refolded returns a view that transforms the original text and then normalises it.
func refolded(transform func(string) string) func(*source) []reading {
	return func(s *source) []reading { return changed(inSentences(s.raw), transform, newReading) }
}

// changed reads only the sentences that a transformation changes, because the other sentences are read by the
// plain view. A phrase or a disguise never continues in the next sentence. In the text that is read, ". " takes
// the place of sentences that are left out, so that the next sentence does not begin a line.
func changed(sentences []string, transform func(string) string, read func(string) reading) []reading {
	var out []byte
	follows := true
	for _, sentence := range sentences {
		// If a transformation does not change a sentence, it returns the same string. The comparison below then
		// compares only pointers.
		text := transform(sentence)
		if text != sentence && !follows {
			out = append(out, ". "...)
		}
		if follows = text != sentence; follows {
			out = append(out, text...)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return []reading{read(string(out))}
}

// inSentences cuts a text into sentences. A sentence ends with a full stop, question mark or exclamation mark,
// and the space after it.
func inSentences(text string) []string {
	sentences := make([]string, 0, len(text)/64+1)
	start := 0
	for i := 0; i+1 < len(text); i++ {
		if b := text[i]; (b == '.' || b == '!' || b == '?') && isASCIISpace(text[i+1]) {
			sentences = append(sentences, text[start:i+2])
			start = i + 2
		}
	}
	return append(sentences, text[start:])
}

// source has the forms of a text with which the views start.
type source struct {
	raw       string   // the original text
	folded    string   // normalised, with the original spaces and line ends
	norm      string   // normalised, with single spaces
	sentences []string // sentences of norm
	invisible int      // number of invisible characters that were removed
}

func newSource(text string) source {
	text = withoutWarnings(text)
	folded, invisible := normalise(text)
	words := squeeze(folded)
	return source{raw: text, folded: folded, norm: words, sentences: inSentences(words), invisible: invisible}
}

func squeezed(text string) reading { return reading{words: squeeze(text)} }

func newReading(text string) reading {
	folded, _ := normalise(text)
	return reading{words: squeeze(folded), lines: folded}
}

// fold returns the form norm of a text.
func fold(text string) string { return newReading(text).words }

// normalise converts a text to the letters that a reader sees:
//
//  1. It decodes HTML entities.
//  2. It removes invisible characters, and counts them in invisible. Text that is hidden in Unicode tags is
//     appended in plain letters.
//  3. It replaces compatibility forms, and letters that look like plain letters, by plain letters.
//  4. It drops accents and folds case.
func normalise(text string) (folded string, invisible int) {
	text = html.UnescapeString(strings.ToValidUTF8(text, "\uFFFD"))
	visible, hidden, invisible := stripInvisible(text)
	if hidden != "" {
		visible += "\n" + hidden
	}
	return norm.NFC.String(cases.Fold().String(strings.Map(plainLetter, norm.NFKD.String(visible)))), invisible
}

//go:embed confusables.tsv
var confusableTable string

// lookAlikes maps each character that imitates a plain character to that character.
var lookAlikes = sync.OnceValue(func() map[rune]rune {
	table := map[rune]rune{'\u2028': '\n', '\u2029': '\n', '\u0085': '\n'}
	for _, row := range text.Rows(confusableTable, 2) {
		plain := []rune(row[1])
		for i, r := range []rune(row[0]) {
			table[r] = plain[i]
		}
	}
	return table
})

// plainLetter drops combining marks and replaces look-alikes.
func plainLetter(r rune) rune {
	switch {
	case r < unicode.MaxASCII:
		return r
	case unicode.Is(unicode.Mn, r):
		return -1
	}
	if plain, ok := lookAlikes()[r]; ok {
		return plain
	}
	return r
}

// squeeze replaces every run of white space by one space, and removes white space at both ends.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func isASCIISpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }
