package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// Message is a final message that is read for its short answer.
type Message struct {
	Text     string
	Question string // that it answers; may be empty
	// Documents are the ids of the documents of the trace. Plain figures in brackets, such as [1], are a citation only
	// where a document has that id.
	Documents []string
	// Locale is that of the writer, such as de or en-GB, and Read that of the gold ([Options.Locale]); both may be
	// empty: see [Message.Settle].
	Locale, Read string
}

// Extract finds the short answer of type t in a final message, without the documents of its trace: see
// [Message.Extract].
func Extract(message, question string, t Type) Final {
	return Message{Text: message, Question: question}.Extract(t)
}

// Extract finds the short answer of type t in the message. What is found is spelled as the model wrote it.
//
// The last marker decides: "Answer: 42" in one of several languages, at the start of a line or behind a sentence; a
// heading, such as "## Final answer", with the answer below it; <answer>…</answer>; a JSON object with the field
// answer; a last line "#### 42". Without any of them the last \boxed{…} does, then a line such as "Result: 42", then
// the last sentence that says "the answer is …". The first marker never decides: reasoning comes before the answer, and
// so does injected text. A marker with nothing behind it counts as none.
//
// Text behind a marker is read as prose is: of a number, an amount or a date its one value, of a name what is left
// without the words that announce or explain it, never what it denies. Text that holds no value of the type, or
// several, is given as written, with the [Final.Reason]. "[ABSTAIN]" and "[REFUSE]" in place of the answer give their
// kind, and so do "unknown", "N/A" and the like.
//
// Without any marker, a line that is only a value is the answer; then a refusal or an abstention in the first or last
// sentence is recognised; then the answer is guessed by its type: the one value of the last sentence that has any, the
// option that is named last, the last bullets, a yes or no at the start, a message that is one short line, or what a
// sentence adds to the words of the question. All of these are flagged [FromFallback]. Where several values are left
// and none is joined to the words of the question, there is no answer, and the reason names them. The outcome of a
// message without an answer is [trace.NoAnswer].
func (msg Message) Extract(t Type) Final {
	m := final{as: t, documents: msg.Documents}
	m.question = sync.OnceValue(func() repeatable { return inQuestion(msg.Question) })
	m.words = sync.OnceValue(func() *table { return tables()[language(msg.Text, msg.Question)] })
	m.read(withoutControls(strings.ToValidUTF8(msg.Text, "\uFFFD")))
	found, marked := m.marked()
	if !marked {
		found = m.unmarked()
	}
	if found.Outcome == trace.Answered && found.Short == "" || found.Outcome == "" {
		why := cmp.Or(found.Reason, "nothing in the message is marked or reads as the answer")
		return Final{Outcome: trace.NoAnswer, Extract: FromNowhere, Reason: why}
	}
	if found.Outcome == trace.Answered {
		found.Short = msg.Settle(found.Short, t)
	}
	return found
}

// final is a final message that is read for an answer of a type.
type final struct {
	text      string
	as        Type
	documents []string
	placed    bool // what is read is in the place of the answer
	question  func() repeatable
	words     func() *table // of the message's language
	lower     func() string // the text in small letters, for a look whether a phrase can be in it at all
	sentences func() []sentence
}

// sentence is a sentence of a message, by its place there and folded.
type sentence struct {
	text.Span
	fold func() text.Folded
}

// read makes a text the one that is read, divided into its sentences when first asked.
func (m *final) read(s string) {
	if m.text == s && m.sentences != nil {
		return
	}
	m.lower = sync.OnceValue(func() string { return small(s) })
	m.text, m.sentences = s, sync.OnceValue(func() []sentence {
		spans := text.Sentences(s)
		out := make([]sentence, len(spans))
		for i, at := range spans {
			out[i] = sentence{at, sync.OnceValue(func() text.Folded { return text.Map(at.Of(s), 0) })}
		}
		return out
	})
}

// mentions reports whether a phrase of a role can be in the text.
func (m *final) mentions(role string) bool {
	lower := m.lower()
	return slices.ContainsFunc(m.words().rows[role], func(phrase string) bool { return strings.Contains(lower, phrase) })
}

// hasAny reports whether a text has one of some marks. It looks for one mark after the other, which is faster in a long
// text than strings.ContainsAny, where some marks are not ASCII.
func hasAny(s, marks string) bool {
	for _, mark := range marks {
		if strings.ContainsRune(s, mark) {
			return true
		}
	}
	return false
}

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

// unmarked reads a message without any marker.
func (m *final) unmarked() Final {
	m.shorten()
	lines, at := linesAt(m.text)
	for i := len(lines) - 1; i > 0; i-- {
		if isReferenceHeading(lines[i]) {
			m.read(m.text[:at[i]])
			break
		}
	}
	if m.as != Code {
		m.read(m.withoutCitations(m.text))
	}
	if hasAny(m.text, "?？؟") || m.mentions("form") {
		m.blank(m.ofForm)
	}
	if hasSubject(m.lower()) || m.mentions("announces") {
		if found := m.announced(); found.Outcome != "" {
			return found
		}
	}
	if m.mentions("takeback") {
		m.read(m.behindTakeback(m.text))
	}
	guessed := func(short string) Final { return Final{Outcome: trace.Answered, Short: short, Extract: FromFallback} }
	switch short, why := m.loneLine(); {
	case short != "":
		return guessed(short)
	case why != "":
		return Final{Reason: why}
	}
	if m.isBare(m.lower()) {
		return Final{Outcome: trace.Abstained, Extract: FromFallback}
	}
	if m.as == Boolean && m.deniesAll() {
		return guessed(m.firstTruth())
	}
	if kind := m.intent(); kind != "" {
		return Final{Outcome: kind, Extract: FromFallback}
	}
	if hasSubject(m.lower()) {
		m.blank(denied)
	}
	short, why := m.guess()
	if short == "" {
		return Final{Reason: why}
	}
	return guessed(short)
}

// decide reads the text in the place of the answer.
func (m *final) decide(content string, from Extraction) Final {
	if kind := declared(content); kind != "" {
		return Final{Outcome: kind, Extract: from}
	}
	if m.as == Code {
		return Final{Outcome: trace.Answered, Short: codeText(content), Extract: from}
	}
	if len(content) > maxBlockBytes {
		why := fmt.Sprintf("an answer of %d bytes is not read any further", len(content))
		return Final{Outcome: trace.Answered, Short: strings.TrimSpace(content), Extract: from, Reason: why}
	}
	short := content
	if len(content) > maxValueBytes {
		short = m.behindTakeback(content)
	}
	short = undress(m.cutCitations(short))
	if inner, ok := m.boxes(short); ok {
		short = undress(inner)
	}
	if kind := m.outcomeOf(short); kind != "" {
		return Final{Outcome: kind, Extract: FromFallback}
	}
	m.placed = true
	value, why := m.value(short)
	return Final{Outcome: trace.Answered, Short: cmp.Or(value, short), Extract: from, Reason: why}
}

// kindOf recognises text in the place of the answer that refuses or abstains.
func (m *final) outcomeOf(short string) trace.Outcome {
	folded := text.Fold(short)
	if m.isBare(folded) || m.isBare(text.Fold(m.withoutLead(short))) {
		return trace.Abstained
	}
	if m.as == Boolean {
		if _, err := Normalize(short, Boolean, Options{}); err == nil {
			return ""
		}
	}
	if m.isName() && isTitle(short) {
		return "" // You Don't Say
	}
	return cmp.Or(m.intentOf(folded), m.unstated(folded))
}

// maxValueBytes is the length of an answer that takes nothing back.
const maxValueBytes = 12

// value reads a text in the place of the answer: its one value of the type. The reason says why it has none; the text
// is then the answer as it is written.
func (m *final) value(s string) (short, why string) {
	switch {
	case m.as.Numeric() || m.as == Date:
		return m.numberIn(s)
	case m.as == Boolean:
		return m.truthIn(s)
	case m.as == Choice:
		return m.choiceIn(s)
	case m.as == List:
		return m.listIn(s), ""
	case m.as == Entity:
		return m.nameIn(s), ""
	}
	return m.phraseIn(s), ""
}

// isName reports whether a sentence cannot be the answer.
func (m *final) isName() bool { return m.as == Entity || m.as == Text }

// declared recognises [ABSTAIN] and [REFUSE], and the bare words in capitals.
func declared(content string) trace.Outcome {
	if len(content) > maxMarkerBytes {
		content = text.Head(content, maxMarkerBytes)
	}
	folded := text.Fold(strings.TrimLeft(content, decoration+"\"'"))
	for word, kind := range map[string]trace.Outcome{"abstain": trace.Abstained, "refuse": trace.Refused} {
		if strings.HasPrefix(strings.ReplaceAll(folded, `\`, ""), "["+word+"]") ||
			strings.Trim(content, " \t.!*_`\"'") == strings.ToUpper(word) {
			return kind
		}
	}
	return ""
}
