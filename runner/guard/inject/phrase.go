package inject

import (
	"strconv"
	"strings"
)

// Phrases are written in a small language over regular expressions:
//
//	{name}   one of the words of a class, which may itself hold classes
//	<n>      up to n words of any kind
//	a space  a gap between words: spaces and light punctuation, never the end
//	         of a sentence
//
// Everything else is RE2 syntax on normalised text: lower case, plain letters,
// single spaces.
const (
	gap  = `[ ,:;"'()\[\]*_#\x60-]{1,4}`
	word = `[\w'-]+`
)

// classes maps the name of a word class to its alternatives.
type classes map[string]string

// lexicon compiles the phrases of one family.
type lexicon struct {
	words   classes
	phrases []string
}

// compile returns a pattern for each phrase, at word boundaries.
func (l lexicon) compile() []pattern {
	patterns := make([]pattern, len(l.phrases))
	for i, phrase := range l.phrases {
		patterns[i] = newPattern(`(?:\b|^)(?:` + expand(phrase, l.words, gap) + `)(?:\b|$)`)
	}
	return patterns
}

// compileSquashed returns the patterns for text without separators, in which a
// gap is nothing.
func (l lexicon) compileSquashed() []pattern {
	patterns := make([]pattern, len(l.phrases))
	for i, phrase := range l.phrases {
		patterns[i] = newPattern(strings.ReplaceAll(expand(phrase, l.words, ""), "'", ""))
	}
	return patterns
}

// expand writes one phrase in RE2 syntax.
func expand(phrase string, words classes, gap string) string {
	var out strings.Builder
	for i := 0; i < len(phrase); i++ {
		closing := 0
		switch phrase[i] {
		case ' ':
			out.WriteString(gap)
			continue
		case '{':
			closing = strings.IndexByte(phrase[i:], '}')
		case '<':
			closing = strings.IndexByte(phrase[i:], '>')
		}
		if closing <= 1 {
			out.WriteByte(phrase[i])
			continue
		}
		name := phrase[i+1 : i+closing]
		if class, ok := words[name]; ok {
			out.WriteString("(?:" + expand(class, words, gap) + ")")
			i += closing
		} else if _, err := strconv.Atoi(name); err == nil && phrase[i] == '<' {
			// The gap before the first word stands in the phrase; each word
			// brings the gap after it.
			out.WriteString("(?:" + word + gap + "){0," + name + "}")
			i += closing + len(" ")
		} else {
			out.WriteByte(phrase[i])
		}
	}
	return out.String()
}
