package dialect

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// answerLine matches the label of the line with the short answer.
var answerLine = lazy.Compile(`(?im)^[ \t>*_]*Answer[ \t]*[*_]*[:：][*_]*[ \t]*`)

// HasAnswerLine reports whether a message has a line that is labelled as the answer and is not empty.
func HasAnswerLine(message string) bool {
	m := answerLine.FindStringIndex(message)
	return m != nil && strings.TrimSpace(message[m[1]:]) != ""
}

// withAnswerLine adds the label to a bare answer.
func withAnswerLine(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || answerLine.MatchString(text) {
		return text
	}
	return "Answer: " + text
}

// readAnswer reads a turn that has neither an action nor the label Final. Its message is the answer line and
// the text before it. If that text is labelled as a thought, it is left out.
func (p *parser) readAnswer() {
	m := answerLine.FindStringIndex(p.text)
	if m == nil || strings.TrimSpace(p.text[m[1]:]) == "" {
		p.fail("", ErrNoAction)
		return
	}
	start := 0
	if len(p.marks) > 0 && p.marks[0].start < m[0] {
		start = m[0]
	}
	p.turn.Dialect = Answer
	p.turn.Thought = p.thoughtBefore(start)
	p.turn.Final = strings.TrimSpace(p.text[start:])
}

// messageKeys are the names of arguments that can have the answer, if a finishing action has several arguments.
var messageKeys = []string{"answer", "final_answer", "final", "response", "output", "result", "text", "message"}

// finishWith reads the final message from the arguments of a finishing action. If they have none, it takes the
// thought.
func (p *parser) finishWith(raw string) {
	text := unfence(raw)
	if !strings.HasPrefix(text, "{") { // not an object, but the answer itself
		p.finish(plain(text))
		return
	}
	object, repaired, err := readArguments(text, "")
	if err != nil {
		p.finish(text)
		return
	}
	p.turn.Repaired = p.turn.Repaired || repaired
	fields, _ := fieldsOf(object)
	value := first(fields, messageKeys)
	if value == nil && len(fields) == 1 {
		for _, only := range fields {
			value = only
		}
	}
	if string(value) == "null" {
		value = nil
	}
	p.finish(plain(string(value)))
}

func (p *parser) finish(text string) {
	p.turn.Final = withAnswerLine(text)
	if p.turn.Final == "" {
		p.turn.Final = p.turn.Thought
	}
}
