package answer

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// Message is a final message from which a short answer is read.
type Message struct {
	Text     string
	Question string // the question; may be empty
	// Documents are the ids of the trace's documents. A plain number in brackets, such as [1], is a citation
	// only if a document has this id.
	Documents []string
	// Locale is the locale of the writer, such as de or en-GB. Read is the locale of the gold
	// ([Options.Locale]). Both may be empty; see [Message.Settle].
	Locale, Read string
}

// Extract finds the short answer of type t in a final message of a trace without documents; see
// [Message.Extract].
func Extract(message, question string, t Type) Final {
	return Message{Text: message, Question: question}.Extract(t)
}

// Extract finds the short answer of type t in the message. The answer is spelled as in the message.
//
// The last marker in the message decides. Earlier markers do not, because reasoning and injected text come
// before the answer. If there is no text after a marker, the marker is ignored. The markers are:
//
//   - "Answer: 42" in one of several languages, at the beginning of a line or after a sentence
//   - a heading, such as "## Final answer", with the answer below it
//   - <answer>…</answer>
//   - a JSON object with the field answer
//   - a last line "#### 42"
//
// Without any of these, the last \boxed{…} decides, else a line such as "Result: 42", else the last sentence
// with "the answer is …".
//
// The text after a marker is read as prose. For a number, an amount or a date, its only value is the answer.
// For a name, it is the text without words that announce or explain it. A part that the text denies is never
// the answer. If the text has no value of the type, or several, it is returned as written, with the
// [Final.Reason]. If the text at the place of the answer is "[ABSTAIN]", "[REFUSE]", "unknown", "N/A" or a
// similar text, the outcome is an abstention or a refusal.
//
// Without a marker, these are tried in order:
//
//  1. A line that consists of a value is the answer.
//  2. The message is a refusal or an abstention if its first or last sentence says so.
//  3. The answer is guessed by its type: the only value of the last sentence with values; the option named
//     last; the last bullets; a yes or no at the beginning; a message of one short line; or the words that a
//     sentence adds to the words of the question. Such an answer has the flag [FromFallback].
//
// If several values are left and none is connected with the words of the question, there is no answer, and the
// reason names the values. The outcome of a message without an answer is [trace.NoAnswer].
func (msg Message) Extract(t Type) Final {
	m := final{as: t, documents: msg.Documents}
	m.question = sync.OnceValue(func() *repeatable { return inQuestion(msg.Question) })
	m.words = sync.OnceValue(func() *table { return tables()[language(msg.Text, msg.Question)]() })
	m.read(withoutTags(withoutControls(valid(msg.Text)), t))
	if t == Table {
		return m.tableIn()
	}
	found, marked := m.marked()
	if !marked {
		found = m.unmarked()
	}
	if found.Outcome == trace.Answered && found.Short == "" || found.Outcome == "" {
		why := cmp.Or(found.Reason, "no part of the message is marked as the answer or can be read as one")
		return Final{Outcome: trace.NoAnswer, Extract: FromNowhere, Reason: why}
	}
	if found.Outcome == trace.Answered {
		found.Short = msg.Settle(found.Short, t)
		switch t {
		case Entity:
			found.Short = withoutEmoji(found.Short)
		case List:
			found.Short = plainElements(found.Short)
		}
	}
	return found
}

// tagged matches the HTML elements with which models emphasise text, tag matches their tags alone, and broken matches
// the end of a line.
var (
	tagged = lazy.Compile(`(?is)<b>([^<>]*)</b>|<strong>([^<>]*)</strong>|<mark>([^<>]*)</mark>|` +
		`<i>([^<>]*)</i>|<em>([^<>]*)</em>|<u>([^<>]*)</u>`)
	tag    = lazy.Compile(`(?i)</?(?:b|strong|mark|i|em|u|span)(?: [^<>]*=[^<>]*)?>`)
	broken = lazy.Compile(`(?i)</?p>|<br ?/?>`)
)

// withoutTags writes emphasis in HTML as Markdown, and removes other tags of running text, so that "<b>EUR 7</b>" is
// not read as more than 7 euros. It returns texts of code, and texts whose answer may be a tag, unchanged.
func withoutTags(s string, t Type) string {
	if t == Code || t == Text || t == Table || !strings.Contains(s, "<") {
		return s
	}
	s = tag.ReplaceAllString(tagged.ReplaceAllString(s, "**$1$2$3$4$5$6**"), " ")
	return broken.ReplaceAllString(s, "\n")
}

func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// marked is the first stage. It finds the last marker (marker.go, object.go) and reads the text after it. If
// later text takes back the answer, the answer does not count. ok is false if no marker has an answer.
func (m *final) marked() (found Final, ok bool) {
	content, rest, weak := m.markedText()
	if content != "" {
		folds := maxFolds
		if inner, _, ok := m.cutMarker(text.Head(content, maxBlockBytes), &folds); ok {
			content = inner // <answer>Answer: 42</answer>
		}
		if behind, retracted := m.takenBack(rest); retracted {
			found = m.again(behind)
			if found.Outcome == "" {
				found.Reason = "the message withdraws its answer " + quote(content) + " and gives no other"
			}
			return found, true
		}
		return m.decide(content), true
	}
	if boxed, ok := m.boxes(m.text); ok {
		return m.decide(boxed), true
	}
	if weak == "" {
		return Final{}, false
	}
	found = m.decide(weak)
	return found, found.Reason == "" && !(m.isName() && isSentence(found.Short))
}

// again reads a part of the message in the same way as a message without markers.
func (m *final) again(part string) Final {
	again := *m
	again.read(part)
	return again.unmarked()
}

// unmarked is the second stage, for a message without markers. It removes parts that cannot be the answer:
// references, citations, questions, and statements that the text denies or takes back. Then each of these steps
// may find the answer: a sentence that announces it (prose.go), a line that consists of a value (lines.go), a
// refusal or an abstention (refusal.go), and the guess by type.
func (m *final) unmarked() Final {
	m.shorten()
	m.cutReferences()
	if m.as != Code {
		m.read(m.withoutCitations(m.text))
	}
	if text.HasAny(m.text, "?？؟") || m.mentions("form") {
		m.blank(m.ofForm)
	}
	mentionsAnswer := hasSubject(m.folded().String)
	if mentionsAnswer || m.mentions("announces") {
		if found := m.announced(); found.Outcome != "" {
			return found
		}
	}
	m.read(m.behindTakeback(m.text))
	guessed := func(short string) Final { return Final{Outcome: trace.Answered, Short: short, Extract: FromFallback} }
	switch short, why := m.loneLine(); {
	case short != "":
		return guessed(short)
	case why != "":
		return Final{Reason: why}
	}
	if m.isBare(m.folded().String) {
		return Final{Outcome: trace.Abstained, Extract: FromFallback}
	}
	if m.as == Boolean && m.deniesAll() {
		return guessed(m.firstTruth())
	}
	if kind := m.intent(); kind != "" {
		return Final{Outcome: kind, Extract: FromFallback}
	}
	if mentionsAnswer {
		m.blank(denied)
	}
	short, why := m.guess()
	if short == "" {
		return Final{Reason: why}
	}
	return guessed(short)
}

// guess guesses the answer of a message without markers, by its type. If it finds no answer, why is the reason.
func (m *final) guess() (short, why string) {
	switch m.as {
	case Integer, Decimal, Percent, Currency, Quantity:
		return m.guessNumber()
	case Date:
		if short, why := m.guessNumber(); short != "" || why != "" {
			return short, why
		}
		return m.restated()
	case Boolean:
		return m.firstTruth(), ""
	case Choice:
		return m.lastChoice()
	case List:
		return m.lastList(), ""
	case Entity:
		if place, why := m.restated(); place != "" || why != "" {
			return place, why
		}
		if short := cmp.Or(m.framed(), m.newInMessage(), m.ledName(), m.onlyLine(maxLineWords)); short != "" {
			return m.nameIn(short), ""
		}
		return "", ""
	case Text:
		if short := m.newInMessage(); short != "" {
			return short, ""
		}
	}
	return m.onlyLine(maxLineWords), ""
}

// decide is the last stage, for a text at the place of the answer. It distinguishes an abstention or a refusal
// from an answer, removes the marks around the answer, and reads the only value of the type in the rest.
func (m *final) decide(content string) Final {
	if kind := declared(content); kind != "" {
		return Final{Outcome: kind, Extract: FromLine}
	}
	if m.as == Code {
		return Final{Outcome: trace.Answered, Short: codeText(content), Extract: FromLine}
	}
	if len(content) > maxBlockBytes {
		why := fmt.Sprintf("an answer of %d bytes is not read any further", len(content))
		return Final{Outcome: trace.Answered, Short: strings.TrimSpace(content), Extract: FromLine, Reason: why}
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
	return Final{Outcome: trace.Answered, Short: cmp.Or(value, short), Extract: FromLine, Reason: why}
}

// value reads the only value of the type from a text at the place of the answer. If the text has no such value
// or several, why is the reason, and short is the text as written.
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

// maxValueBytes is a length in bytes: an answer of at most this length is too short to take back a statement.
const maxValueBytes = 12

// isName reports whether the type is a name or a text. A sentence is then not an answer.
func (m *final) isName() bool { return m.as == Entity || m.as == Text }
