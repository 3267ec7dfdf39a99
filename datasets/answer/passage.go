package answer

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// final is a final message that is read for an answer of a type.
type final struct {
	passage
	as        Type
	documents []string
	placed    bool // what is read is in the place of the answer
	question  func() *repeatable
	words     func() *table // of the message's language
}

// passage is the part of a message that is read. It is folded and divided when first asked, and once.
type passage struct {
	text      string
	whole     *text.Folded
	split     []sentence
	isSplit   bool
	parts     map[string]text.Folded  // parts of the message, folded
	divided   map[string][]text.Token // and divided into their words
	undenied  map[string]string       // and without what they deny
	lineTexts []string
	lineAt    []int
}

// sentence is a sentence of a message, by its place there.
type sentence struct {
	text.Span
	whole *text.Folded // the message
}

// folded is the sentence, folded.
func (s sentence) folded() text.Folded { return s.whole.Part(s.Span) }

// read makes a text the one that is read.
func (m *final) read(s string) {
	if m.text == s && m.parts != nil {
		return
	}
	m.passage = passage{text: s, parts: m.parts, divided: m.divided, undenied: m.undenied}
	if m.parts == nil {
		m.parts, m.divided, m.undenied = map[string]text.Folded{}, map[string][]text.Token{}, map[string]string{}
	}
}

// folded is the text that is read, folded as a whole.
func (m *final) folded() text.Folded {
	if m.whole == nil {
		whole := text.Map(m.text, 0)
		m.whole = &whole
	}
	return *m.whole
}

// fold folds a part of the message, and remembers it.
func (m *final) fold(s string) text.Folded {
	if s == m.text {
		return m.folded()
	}
	folded, known := m.parts[s]
	if !known {
		folded = text.Map(s, 0)
		m.parts[s] = folded
	}
	return folded
}

// foldLines folds a part of the message, and keeps its line breaks.
func (m *final) foldLines(s string) text.Folded {
	if text.HasAny(s, text.LineBreaks) {
		return text.Map(s, text.KeepLines)
	}
	return m.fold(s)
}

// tokens divides a part of the message into its words without diacritics, and remembers them.
func (m *final) tokens(s string) []text.Token {
	tokens, known := m.divided[s]
	if !known {
		if text.IsASCII(s) {
			tokens = m.fold(s).Tokens() // which has no diacritics
		} else {
			tokens = text.Tokens(s, text.DropMarks)
		}
		m.divided[s] = tokens
	}
	return tokens
}

// sentences divides the text that is read.
func (m *final) sentences() []sentence {
	if !m.isSplit {
		spans := text.Sentences(m.text)
		m.split, m.isSplit = make([]sentence, len(spans)), true
		whole := m.folded()
		for i, at := range spans {
			m.split[i] = sentence{at, &whole}
		}
	}
	return m.split
}

// lines returns the lines of the text that is read, and where they begin.
func (m *final) lines() (lines []string, at []int) {
	if m.lineTexts == nil {
		m.lineTexts = text.Lines(m.text)
		m.lineAt = make([]int, len(m.lineTexts))
		from := 0
		for i, line := range m.lineTexts {
			m.lineAt[i] = from
			from += len(line)
			if from < len(m.text) {
				from += breakLength(m.text[from])
			}
		}
	}
	return m.lineTexts, m.lineAt
}

// breakLength is the length of the line break that begins with a byte.
func breakLength(c byte) int {
	switch {
	case c < 0x80:
		return 1
	case c < 0xE0:
		return 2
	}
	return 3
}

// mentions reports whether the text that is read has a phrase of a role.
func (m *final) mentions(role string) bool { return m.words().contains(role, m.folded().String) }

// blank writes spaces over what a function finds in the sentences, so that all else keeps its place.
func (m *final) blank(part func(sentence, string) text.Span) {
	var out []byte
	for _, s := range m.sentences() {
		span := part(s, s.Of(m.text))
		if span.End > span.Start && out == nil {
			out = []byte(m.text)
		}
		cover(out, span)
	}
	if out != nil {
		m.read(string(out))
	}
}

// cover writes spaces over a part of a text.
func cover(s []byte, part text.Span) {
	for i := part.Start; i < part.End; i++ {
		s[i] = ' '
	}
}

// maxRead is how much of a message without a marker is read, and maxHead how much of that is its beginning.
const (
	maxRead = 24 << 10
	maxHead = 4 << 10
)

// shorten leaves out the middle of a text that is too long to be read as prose.
func (m *final) shorten() {
	if len(m.text) <= maxRead {
		return
	}
	tail := strings.ToValidUTF8(m.text[len(m.text)-maxRead+maxHead:], "")
	if at := strings.IndexAny(tail, ".!?\n。！？"); at >= 0 && at < maxHead {
		tail = tail[at+1:] // what is left of a sentence says nothing
	}
	m.read(text.Head(m.text, maxHead) + "\n\n" + strings.ToValidUTF8(tail, ""))
}

// cutReferences leaves out a list of references at the end of the text.
func (m *final) cutReferences() {
	lines, at := m.lines()
	for i := len(lines) - 1; i > 0; i-- {
		if isReferenceHeading(lines[i]) {
			m.read(m.text[:at[i]])
			return
		}
	}
}
