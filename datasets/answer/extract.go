package answer

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// Extract finds the short answer of type t in the final message that answers a question;
// the question may be empty. What is found is spelled as the model wrote it.
//
// The last explicit marker decides: a line "Answer: 42" in one of several languages, <answer>…</answer>,
// <solution>…</solution>, \boxed{…}, or a last line "#### 42". The first never does: reasoning comes before the
// answer, and so does injected text. What follows a marker that ends its line is the next line that is not blank, a
// fenced block, or for a list the block of lines. A marker with nothing behind it counts as none.
//
// Where no explicit marker stands, the last sentence that says "the answer is …" decides; of a type that can be told
// from prose, its first value does. "[ABSTAIN]" and "[REFUSE]" in place of the answer give their kind.
//
// Without any marker, a refusal or an abstention in the first or last sentence is recognised, and then the answer is
// guessed by its type: the last value, the option named last, the last bullets, a yes or no at the start, a message
// that is one short line, or what a sentence adds to the words of the question. All of these are flagged
// [FromFallback].
func Extract(message, question string, t Type) Final {
	m := final{as: t, question: sync.OnceValue(func() repeatable { return inQuestion(question) })}
	m.read(strings.ToValidUTF8(message, "\uFFFD"))
	if content := m.marked(); content != "" {
		return m.decide(content, FromLine)
	}
	lines, at := linesAt(m.text)
	for i := len(lines) - 1; i > 0; i-- {
		if isReferenceHeading(lines[i]) {
			m.read(m.text[:at[i]])
			break
		}
	}
	numeric := t.Numeric() || t == Date
	if plain := blankCitations(cutCitations(m.text), numeric); t != Code && (numeric || strings.Trim(plain, emptyMarks) != "") { // [1, 6] may be a list
		m.read(plain)
	}
	m.blank(ofForm)
	if found := m.announced(); found.Kind != None {
		return found
	}
	if kind := m.intent(); kind != None {
		return Final{Kind: kind, Extract: FromFallback}
	}
	m.blank(denied)
	if short := m.guess(); short != "" {
		return Final{Kind: Answered, Short: short, Extract: FromFallback}
	}
	return Final{Extract: FromNowhere}
}

// final is a final message that is read for an answer of a type.
type final struct {
	text      string
	sentences func() []sentence
	as        Type
	question  func() repeatable
}

// sentence is a sentence of a message, by its place there and folded.
type sentence struct {
	text.Span
	folded text.Folded
}

// read makes a text the one that is read, divided into its sentences when first asked.
func (m *final) read(s string) {
	if m.text == s && m.sentences != nil {
		return
	}
	m.text, m.sentences = s, sync.OnceValue(func() []sentence {
		spans := text.Sentences(s)
		out := make([]sentence, len(spans))
		for i, at := range spans {
			out[i] = sentence{at, text.Map(at.Of(s), 0)}
		}
		return out
	})
}

// blank writes spaces over what a function finds in the sentences, so that all else keeps its place.
func (m *final) blank(part func(sentence, string) text.Span) {
	out := []byte(m.text)
	for _, s := range m.sentences() {
		span := part(s, s.Of(m.text))
		copy(out[span.Start:span.End], strings.Repeat(" ", span.End-span.Start))
	}
	m.read(string(out))
}

// decide reads the text in the place of the answer.
func (m final) decide(content string, from Extraction) Final {
	if kind := declared(content); kind != None {
		return Final{Kind: kind, Extract: from}
	}
	if m.as == Code {
		return Final{Kind: Answered, Short: codeText(content), Extract: from}
	}
	short := undress(cutCitations(content))
	if kind := intent(text.Fold(short)); kind != None {
		return Final{Kind: kind, Extract: FromFallback}
	}
	if m.isName() && isSentence(short) {
		rest, _ := m.joined(short)
		short = cmp.Or(m.doer(short), rest, short)
	}
	return Final{Kind: Answered, Short: short, Extract: from}
}

// isName reports whether a sentence cannot be the answer.
func (m final) isName() bool { return m.as == Entity || m.as == Text }

// declared recognises [ABSTAIN] and [REFUSE], and the bare words in capitals.
func declared(content string) Kind {
	folded := text.Fold(strings.TrimLeft(content, decoration+"\"'"))
	for word, kind := range map[string]Kind{"abstain": Abstained, "refuse": Refused} {
		if strings.HasPrefix(strings.ReplaceAll(folded, `\`, ""), "["+word+"]") ||
			strings.Trim(content, " \t.!*_`\"'") == strings.ToUpper(word) {
			return kind
		}
	}
	return None
}

// textCommand is a command of LaTeX that only says how its text looks.
var textCommand = regexp.MustCompile(`^\$?\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox|boxed|fbox)\{(.*)\}\$?$`)

// undress removes the Markdown around and inside a short answer, and commands of LaTeX around
// it, for show.
func undress(s string) string {
	for {
		s = strings.TrimSpace(bold.ReplaceAllString(s, "$1$2$3"))
		command := textCommand.FindStringSubmatchIndex(s)
		switch {
		case s != "" && strings.Contains("*`", s[:1]) && markPair(s) > 0:
			s = s[markPair(s) : len(s)-markPair(s)]
		case command != nil && text.Partners(s, brackets)[command[2]-1] == command[3]:
			s = s[command[2]:command[3]]
		default:
			return s
		}
	}
}

// linesAt returns the lines of a text and where they begin.
func linesAt(s string) (lines []string, at []int) {
	lines, at = text.Lines(s), make([]int, 0, 8)
	from := 0
	for _, line := range lines {
		at = append(at, from)
		from += len(line)
		_, size := utf8.DecodeRuneInString(s[from:])
		from += size
	}
	return lines, at
}

func isReferenceHeading(line string) bool {
	return reference().MatchString(text.Fold(line[:min(len(line), maxMarkerBytes)]))
}
