package answer

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// announcement finds "the answer is" in a folded sentence, denial "the answer is not". A
// colon and emphasis may stand around either.
var announcement, denial = saysOfAnswer("verb"), saysOfAnswer("denial")

func saysOfAnswer(verb string) func() func(sentence) [][]int {
	return sync.OnceValue(func() func(sentence) [][]int {
		phrase := func(role string) string {
			return strings.ReplaceAll(strings.Join(vocabulary()[role], "|"), " ", `[ *_]+`)
		}
		about := `(?: to (?:[\pL'-]+ ){1,4}(?:` + phrase("about") + `))?`
		find := regexp.MustCompile(`\b(?:` + phrase("subject") + `)` + about + `[ *_]+(?:` + phrase(verb) + `)\b[*_]*(?: ?:)?`)
		return func(s sentence) [][]int {
			mentions := slices.ContainsFunc(vocabulary()["subject"], func(subject string) bool {
				return strings.Contains(s.folded.String, subject[strings.LastIndexByte(subject, ' ')+1:])
			})
			if !mentions {
				return nil // without the slow expression
			}
			return find.FindAllStringIndex(s.folded.String, -1)
		}
	})
}

// withoutDenied writes spaces over what a sentence says not to be the answer, up to where it
// says what is: "The answer is not 5, it is 6".
func (m final) withoutDenied() string {
	out := []byte(m.text)
	for _, s := range m.sentences() {
		end := 0
		for _, hit := range denial()(s) {
			if hit[0] < end {
				continue
			}
			end = len(s.folded.String)
			clause := s.folded.String[hit[1]:min(end, hit[1]+maxClauseBytes)]
			for _, correction := range vocabulary()["correction"] {
				if i := indexPhrase(clause, correction); i >= 0 {
					end = min(end, hit[1]+i)
				}
			}
			from, to := s.folded.Source(hit[0], end)
			for i := s.Start + from; i < s.Start+to; i++ {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// withoutForm writes spaces over the questions of a message, and over the sentences that
// speak of the form of the reply in the words that asked for it: "no complete line".
func (m final) withoutForm() string {
	out := []byte(m.text)
	for _, s := range m.sentences() {
		hasPhrase := func(phrase string) bool { return strings.Contains(s.folded.String, phrase) }
		if isQuestion(s.Of(m.text)) || slices.ContainsFunc(vocabulary()["form"], hasPhrase) {
			for i := s.Start; i < s.End; i++ {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// announced reads the last sentence that announces the answer in prose. One that is asked,
// supposed or quoted announces nothing.
func (m final) announced() Final {
	quoted := quotations(m.text)
	for _, at := range slices.Backward(m.sentences()) {
		hits, folded := announcement()(at), at.folded
		if isQuestion(at.Of(m.text)) {
			continue
		}
		for j := len(hits) - 1; j >= 0; j-- {
			from, to := folded.Source(hits[j][0], hits[j][1])
			from, to = at.Start+from, at.Start+to
			end := at.End
			at.End = from // the next one back reads up to this
			if slices.ContainsFunc(quoted, func(q text.Span) bool { return q.Start <= from && from < q.End }) || supposes(folded.String[:hits[j][0]]) {
				continue
			}
			found := m.behindAnnouncement(folded.String[hits[j][0]:], folded.String[hits[j][1]:], from, text.Span{Start: to, End: end})
			if found.Kind != None {
				return found
			}
		}
	}
	return Final{}
}

// closingMark closes emphasis that began somewhere before an announcement.
var closingMark = regexp.MustCompile(`^[*_]+[ \t]+`)

// maxBlockBytes bounds the block behind an announcement that ends its line.
const maxBlockBytes = 8 << 10

// behindAnnouncement reads what follows "the answer is". sentence and rest are folded, from
// the announcement and from behind it; the announcement begins at the byte from.
func (m final) behindAnnouncement(sentence, rest string, from int, behind text.Span) Final {
	if word, _ := text.FirstWord(strings.TrimLeft(rest, " *_\"'")); vocabulary().has("never", word) {
		if kind := intent(sentence, ""); kind != None {
			return Final{Kind: kind, Extract: FromFallback}
		}
		return Final{}
	}
	if _, itself := cutAny(strings.TrimLeft(rest, " *_\"'"), vocabulary()["subject"]); itself {
		return Final{} // "the answer is the answer to a question"
	}
	content := closingMark.ReplaceAllString(strings.TrimLeft(behind.Of(m.text), " \t"), "")
	lineEnd := strings.IndexAny(content, "\r\n")
	if lineEnd < 0 {
		lineEnd = len(content)
	}
	if strings.Trim(content[:lineEnd], emptyMarks+stops) == "" {
		next := m.text[behind.End-len(content)+lineEnd:]
		next = strings.ToValidUTF8(next[:min(len(next), maxBlockBytes)], "")
		content = m.behind(text.Lines(next)[1:], "")
	} else {
		content = cutStops(closeMark(m.text[max(0, from-8):from], cutStops(content[:lineEnd])))
	}
	if short := m.inProse(content); short != "" && !m.isOffTopic(short) {
		return m.decide(short, FromLine)
	}
	return Final{}
}

// inProse reads what a sentence gives for the answer: its first value of the type, or of a
// type that cannot be told from prose all up to a reason or an aside.
func (m final) inProse(content string) string {
	clause := m.clause(content)
	switch {
	case declared(content) != None || m.as == Code:
		return content
	case m.as.Numeric() || m.as == Date:
		if found := m.first(clause); found != "" {
			return found
		}
		return m.first(content)
	case m.as == Boolean || m.as == Choice:
		if _, err := Normalize(clause, m.as, Options{}); err != nil {
			return ""
		}
	}
	return clause
}

// clause cuts content before a reason, and before an aside where that cannot belong to the
// answer; also before the phrases of further roles.
func (m final) clause(content string, further ...string) string {
	folded := text.Map(content, 0)
	roles := append(further, "end")
	if m.as != List && m.as != Choice {
		roles = append(roles, "aside")
	}
	var ends []string
	for _, role := range roles {
		ends = append(ends, vocabulary()[role]...)
	}
	cut := len(folded.String)
	for _, end := range ends {
		if i := indexPhrase(folded.String, end); i > 0 {
			cut = min(cut, i)
		}
	}
	if cut == len(folded.String) {
		return content
	}
	at, _ := folded.Source(cut, len(folded.String))
	return strings.TrimRight(content[:at], " \t,;:")
}

// cutStops removes the stops at the end of a sentence, but for the last one of an initialism.
func cutStops(s string) string {
	for {
		s = strings.TrimSpace(s)
		r, size := utf8.DecodeLastRuneInString(s)
		word := s[strings.LastIndexByte(s, ' ')+1:]
		if size == 0 || !strings.ContainsRune(stops, r) || r == '.' && strings.Contains(word[:len(word)-1], ".") {
			return s
		}
		s = s[:len(s)-size]
	}
}

func isQuestion(sentence string) bool {
	return strings.HasSuffix(strings.TrimRight(sentence, " \"'”’*_)"), "?") || strings.ContainsAny(sentence, "？؟")
}

// maxClauseBytes bounds what is looked at in front of a marker.
const maxClauseBytes = 300

// supposes reports whether what stands before a marker in its sentence opens a clause that
// is only supposed, and does not close it.
func supposes(before string) bool {
	before = before[max(0, len(before)-maxClauseBytes):]
	clause := before[strings.LastIndexAny(before, ",;:")+1:]
	return slices.ContainsFunc(strings.Fields(clause), func(word string) bool {
		return vocabulary().has("condition", strings.Trim(word, "(*_\"'"))
	})
}

// closings of the quotation marks that open.
var closings = map[rune]rune{'"': '"', '\'': '\'', '“': '”', '„': '“', '‘': '’', '«': '»', '「': '」', '『': '』'}

// quotations finds what stands between quotation marks on a line, and the lines that
// Markdown quotes. An apostrophe is none.
func quotations(s string) []text.Span {
	var out []text.Span
	lines, at := linesAt(s)
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), ">") {
			out = append(out, text.Span{Start: at[i], End: at[i] + len(line)})
			continue
		}
		open, closing, before := 0, rune(0), ' '
		for j, r := range line {
			next, _ := utf8.DecodeRuneInString(line[j+utf8.RuneLen(r):])
			inWord := text.IsWord(before) && text.IsWord(next)
			switch {
			case closing == 0 && closings[r] != 0 && !text.IsWord(before) && !unicode.IsSpace(next):
				open, closing = at[i]+j, closings[r]
			case r == closing && !inWord:
				out, closing = append(out, text.Span{Start: open, End: at[i] + j}), 0
			}
			before = r
		}
	}
	return out
}
