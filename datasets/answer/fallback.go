package answer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// maxLineWords is the maximum number of words of a message that may be an answer as a whole.
const maxLineWords = 12

// ledName returns the name in a message that announces only a name, such as "It is Lima."
func (m *final) ledName() string {
	said := m.sentences()
	if m.as != Entity || len(said) == 0 {
		return ""
	}
	last := strings.TrimLeft(said[len(said)-1].Of(m.text), decoration)
	name := undress(cutStops(m.withoutDenied(m.withoutLead(last))))
	if name == cutStops(last) || !isTitle(name) || len(strings.Fields(name)) > maxLoneWords {
		return ""
	}
	return name
}

// firstStatement returns the first folded sentence that is more than an apology, and its index.
func (m *final) firstStatement() (string, int) {
	for i, at := range m.sentences() {
		s := strings.TrimLeft(at.folded().String, decoration)
		if strings.IndexFunc(s, text.IsWord) >= 0 && m.stripOpeners(s) != "" {
			return s, i
		}
	}
	return "", 0
}

// lastStatement returns the last folded sentence with words, and its index.
func (m *final) lastStatement() (string, int) {
	for i, at := range slices.Backward(m.sentences()) {
		if s := strings.TrimLeft(at.folded().String, decoration); strings.IndexFunc(s, text.IsWord) >= 0 {
			return s, i
		}
	}
	return "", 0
}

// statements returns the sentences of the message that have words, folded.
func (m *final) statements() []string {
	var out []string
	for _, at := range m.sentences() {
		if s := strings.TrimLeft(at.folded().String, decoration); strings.IndexFunc(s, text.IsWord) >= 0 {
			out = append(out, s)
		}
	}
	return out
}

// firstTruth returns yes or no. It returns the word at the beginning of the message, if the last sentence does
// not begin with the opposite word. Otherwise it returns what a sentence says that states or denies the content
// of the question.
func (m *final) firstTruth() string {
	sentences := m.statements()
	if len(sentences) == 0 {
		return ""
	}
	s, _ := clean(sentences[0])
	r, err := readBoolean(s)
	if err != nil {
		stated := m.statedTruth(sentences)
		if last := m.sentences()[len(m.sentences())-1].Of(m.text); stated == "" &&
			(m.withoutLead(last) != last || len(sentences) == 1) {
			stated, _ = m.truthIn(last)
		}
		return stated
	}
	is := r.Key == "bool:true"
	word, _ := text.FirstWord(sentences[len(sentences)-1])
	if last, known := truth(word); known && last != is {
		return ""
	}
	said, _ := text.FirstWord(strings.TrimLeft(m.text, decoration+"\r\n"))
	return said
}

// statedTruth returns yes or no from the first folded sentence that states or denies the content of the
// question, as in "21 is not a prime number". The sentence must have the question's words in order, and may
// have one more word.
func (m *final) statedTruth(sentences []string) string {
	for _, s := range sentences {
		for {
			end := strings.IndexAny(s, ",;:")
			if end < 0 {
				break
			}
			rest := s[end+1:] // behind "botanically speaking,"
			if m.repeats(s[:end]) == 0 && vocabulary().begins("condition", s) == 0 {
				s = strings.TrimSpace(rest)
				continue
			}
			s = s[:end]
			break
		}
		s = s[:m.words().clauseEnd(s, 0, "reason")]
		if text.IsASCII(s) && !hasAll(s, m.question().meaning) {
			continue
		}
		var same []string
		added, answer := 0, "yes"
		for _, t := range m.tokens(s) {
			behind := s[min(t.End, len(s)):]
			switch {
			case t.Folded == "not" && strings.HasPrefix(behind, " only "): // not only
			case strings.HasSuffix(t.Folded, "n") && negated.MatchString(behind), t.Folded == "not",
				vocabulary().has("negation", t.Folded) && !m.question().words[t.Folded]: // can't, cannot, never
				answer = "no"
			case t.Folded == "t" && answer == "no": // of can't
			case !says(t.Folded) || vocabulary().has("finite", t.Folded):
			case m.question().words[t.Folded]:
				same = append(same, t.Folded)
			default:
				added++
			}
		}
		if len(same) > 1 && added < 2 && slices.Equal(same, m.question().meaning) && !supposes(s) {
			return answer
		}
	}
	return ""
}

// negated matches the rest of a verb such as can't.
var negated = lazy.Compile(`^['’]t(?:$|[^\pL])`)

// hasAll reports whether a text contains all of some words.
func hasAll(s string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(s, word) })
}

// onlyLine returns the message if it is a single line of at most most words, and not a sentence. Otherwise it
// returns "".
func (m *final) onlyLine(most int) string {
	short := strings.TrimSpace(m.text)
	if lines, _ := m.lines(); len(lines) > 1 && len(text.Lines(short)) > 1 {
		return ""
	}
	if m.as != Code {
		short = undress(short)
	}
	asked := m.question()
	isDenial := m.words().language != "en" && m.isName() && endsIn(short, stops) && len(strings.Fields(short)) > 2 &&
		m.words().contains("against", text.Fold(short))
	if isDenial || m.isOffTopic(short) || m.isName() && (asked.who && isPlain(short) ||
		asked.auxiliary > 0 && m.repeats(short) > 1) {
		return ""
	}
	// If the line has punctuation that ends or joins sentences, it consists of several sentences. A point at
	// the end does not count.
	if strings.Trim(short, emptyMarks) == "" || len(strings.Fields(short)) > most {
		return ""
	}
	several := text.HasAny(short, "?!:;。！？；") || len(text.Sentences(short)) > 1
	if m.as != Code && (several || m.isName() && isSentence(short)) {
		return ""
	}
	return short
}

// isOffTopic reports whether the answer that was read is a yes or no although the question asks for something
// else.
func (m *final) isOffTopic(line string) bool {
	_, known := truth(text.Fold(cutStops(line)))
	return known && m.question().open && (m.isName() || m.as == List)
}

// isPlain reports whether the line has several words and no word after the first is capitalised.
func isPlain(line string) bool {
	words := strings.Fields(cutStops(line))
	return len(words) > 1 && !slices.ContainsFunc(words[1:], func(word string) bool {
		initial, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, openings))
		return !unicode.IsLower(initial)
	})
}

// maxListWords is the maximum number of words of a line that may be a list as a whole.
const maxListWords = 60

// lastList returns the elements of the last run of at least two bullets in a message. If the message is one
// line that is not a sentence, it returns the message.
func (m *final) lastList() string {
	var run, found []string
	lines, _ := m.lines()
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue // blank lines between bullets are allowed
		}
		item := cutListMark(trimmed)
		if item == trimmed {
			run = nil
			continue
		}
		run = append(run, item)
		if len(run) > 1 {
			found = run
		}
	}
	if len(found) > 1 {
		return strings.Join(found, "; ")
	}
	if found := cmp.Or(m.listedInMessage(), m.proseList()); found != "" {
		return found
	}
	if said := m.sentences(); len(said) == 1 {
		if list := m.listIn(said[0].Of(m.text)); list != said[0].Of(m.text) && isEnumeration(list) && !isSentence(list) &&
			!m.speaks(list) {
			return list
		}
	}
	if line := m.onlyLine(maxListWords); isEnumeration(line) && !isSentence(line) && !m.speaks(line) {
		return line
	}
	return ""
}

// proseList returns the elements that the last sentence lists after words of the question: "The four seasons
// are spring, summer, autumn and winter."
func (m *final) proseList() string {
	for _, at := range slices.Backward(m.sentences()) {
		sentence := at.Of(m.text)
		content, n := m.joined(sentence)
		if colon := strings.LastIndex(sentence, ":"); colon >= 0 {
			content, n = strings.TrimSpace(sentence[colon+1:]), m.repeats(sentence[:colon])
		}
		if content == "" && n > 0 {
			next := m.text[at.End:min(len(m.text), at.End+maxSentenceBytes)]
			content, _ = m.behind("", text.Lines(strings.ToValidUTF8(next, "")))
		}
		if n > 0 && isEnumeration(content) {
			return cutStops(content)
		}
	}
	return ""
}

// maxElementWords is the maximum number of words of an element in a list that is read from prose.
const maxElementWords = 5

// isEnumeration reports whether a text is at least two elements, each of few words.
func isEnumeration(s string) bool {
	parts := splitList(cutStops(s))
	isLong := func(part string) bool { return len(strings.Fields(part)) > maxElementWords }
	return len(parts) > 1 && !slices.ContainsFunc(parts, isLong)
}
