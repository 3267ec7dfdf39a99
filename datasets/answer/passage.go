package answer

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// final is the state of reading a final message for an answer of one type.
type final struct {
	passage
	as        Type
	documents []string
	placed    bool // the text is at the place of the answer
	question  func() *repeatable
	words     func() *table // of the message's language
}

// passage is the part of a message that is being read. It is folded and split only when needed, and only once.
type passage struct {
	text      string
	whole     *text.Folded
	split     []sentence
	isSplit   bool
	parts     map[string]text.Folded  // folded parts of the message
	divided   map[string][]text.Token // the words of each part
	undenied  map[string]string       // each part without its denied parts
	lineTexts []string
	lineAt    []int
}

// sentence is a sentence of a message, with its place in the message.
type sentence struct {
	text.Span
	whole *text.Folded // the message
}

// folded returns the folded sentence.
func (s sentence) folded() text.Folded { return s.whole.Part(s.Span) }

// read sets the text that is being read.
func (m *final) read(s string) {
	if m.text == s && m.parts != nil {
		return
	}
	m.passage = passage{text: s, parts: m.parts, divided: m.divided, undenied: m.undenied}
	if m.parts == nil {
		m.parts, m.divided, m.undenied = map[string]text.Folded{}, map[string][]text.Token{}, map[string]string{}
	}
}

// folded returns the text that is being read, folded.
func (m *final) folded() text.Folded {
	if m.whole == nil {
		whole := text.Map(m.text, 0)
		m.whole = &whole
	}
	return *m.whole
}

// fold folds a part of the message, with a cache.
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

// foldLines folds a part of the message but keeps its line breaks.
func (m *final) foldLines(s string) text.Folded {
	if text.HasAny(s, text.LineBreaks) {
		return text.Map(s, text.KeepLines)
	}
	return m.fold(s)
}

// tokens splits a part of the message into its words without diacritics. The results are kept in a cache.
func (m *final) tokens(s string) []text.Token {
	tokens, known := m.divided[s]
	if !known {
		if text.IsASCII(s) {
			tokens = m.fold(s).Tokens() // a folded text has no diacritics
		} else {
			tokens = text.Tokens(s, text.DropMarks)
		}
		m.divided[s] = tokens
	}
	return tokens
}

// sentences returns the sentences of the text that is being read.
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

// lines returns the lines of the text that is being read, and where they begin.
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

// breakLength returns the length of the line break that begins with the byte c.
func breakLength(c byte) int {
	switch {
	case c < 0x80:
		return 1
	case c < 0xE0:
		return 2
	}
	return 3
}

// mentions reports whether the text that is being read has a phrase of a role.
func (m *final) mentions(role string) bool { return m.words().contains(role, m.folded().String) }

// blank calls a function for each sentence, and replaces the part that the function returns with spaces, so
// that places in the text stay the same.
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

// cover replaces a part of a text with spaces.
func cover(s []byte, part text.Span) {
	for i := part.Start; i < part.End; i++ {
		s[i] = ' '
	}
}

// maxRead is the maximum number of bytes that are read from a message without a marker. maxHead of these bytes
// are taken from its beginning, the others from its end.
const (
	maxRead = 24 << 10
	maxHead = 4 << 10
)

// shorten removes the middle of a text that is too long to be read as prose.
func (m *final) shorten() {
	if len(m.text) <= maxRead {
		return
	}
	tail := strings.ToValidUTF8(m.text[len(m.text)-maxRead+maxHead:], "")
	if at := strings.IndexAny(tail, ".!?\n。！？"); at >= 0 && at < maxHead {
		tail = tail[at+1:] // the remainder of a cut sentence has no meaning
	}
	m.read(text.Head(m.text, maxHead) + "\n\n" + strings.ToValidUTF8(tail, ""))
}

// cutReferences removes a list of references at the end of the text.
func (m *final) cutReferences() {
	lines, at := m.lines()
	for i := len(lines) - 1; i > 0; i-- {
		if isReferenceHeading(lines[i]) {
			m.read(m.text[:at[i]])
			return
		}
	}
}
