package answer

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

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
// The last marker decides: "Answer: 42" in one of several languages, at the start of a line or after a sentence; a
// heading, such as "## Final answer", with the answer below it; <answer>…</answer>; a JSON object with the field
// answer; a last line "#### 42". Without any of them the last \boxed{…} does, then a line such as "Result: 42", then
// the last sentence that says "the answer is …". The first marker never decides: reasoning comes before the answer, and
// so does injected text. A marker with nothing after it counts as none.
//
// Text after a marker is read as prose is: of a number, an amount or a date its one value, of a name what is left
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
	m.question = sync.OnceValue(func() *repeatable { return inQuestion(msg.Question) })
	m.words = sync.OnceValue(func() *table { return tables()[language(msg.Text, msg.Question)] })
	m.read(withoutControls(valid(msg.Text)))
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

func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// marked is the first stage. It finds the last marker (marker.go, object.go), and decides about the text after it,
// unless what follows takes that back. ok is false without a marker that counts.
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
				found.Reason = "the message takes its answer " + quote(content) + " back, and gives no other"
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

// again reads a part of the message as one without any marker.
func (m *final) again(part string) Final {
	again := *m
	again.read(part)
	return again.unmarked()
}

// unmarked is the second stage, for a message without any marker. It leaves out what cannot be the answer: references,
// citations, questions, what is denied or taken back. Then each step may end it: a sentence that announces the answer
// (prose.go), a line that is only a value (lines.go), a refusal or an abstention (refusal.go), and the guess by type.
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

// guess reads the answer of a message without any marker by its type. The reason says why it finds none.
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

// decide is the last stage, for a text in the place of the answer. It tells an abstention or a refusal from an answer,
// cuts what surrounds the answer, and reads the one value of the type in the rest.
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

// maxValueBytes is the length of an answer that takes nothing back.
const maxValueBytes = 12

// isName reports whether a sentence cannot be the answer.
func (m *final) isName() bool { return m.as == Entity || m.as == Text }
