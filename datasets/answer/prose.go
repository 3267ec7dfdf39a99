package answer

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// announcement matches "the answer is" in a folded sentence, and denial "the answer is not". Both may have a
// colon and emphasis. noAnswer matches a text after an announcement if that text contains no answer: "the
// answer is unknown", "the answer is the answer to a question".
var (
	announcement, denial = saysOfAnswer("verb"), saysOfAnswer("denial")
	noAnswer             = expression(`^[ *_"']*(?:`, `)(?:$|[^\pL\pM\p{Nd}])`, "never", "subject")
)

func saysOfAnswer(verb string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		phrase := func(role string) string { return strings.ReplaceAll(vocabulary().pattern(role), " ", `[ *_]+`) }
		about := `(?: to (?:[\pL'-]+ ){1,4}` + phrase("about") + `)?[ *_]+`
		return regexp.MustCompile(`\b` + phrase("subject") + about + phrase(verb) + `\b[*_]*(?: ?:)?`)
	})
}

// These expressions match the text that can follow an answer and is not part of it: a reason; an aside, unless
// it can belong to the answer; an addition to a name. correction matches the words before another answer.
var (
	reason     = phrases("end")
	aside      = phrases("end", "aside")
	apposition = phrases("end", "aside", "apposition")
	correction = phrases("correction")
)

// denied returns the part of a sentence that says what the answer is not. If the sentence then says what the
// answer is, the part ends there: "The answer is not 5, it is 6".
func denied(s sentence, _ string) text.Span {
	folded := s.folded()
	if !hasSubject(folded.String) {
		return text.Span{}
	}
	hit := denial().FindStringIndex(folded.String)
	if hit == nil {
		return text.Span{}
	}
	end := len(folded.String)
	if further := correction().FindStringIndex(folded.String[hit[1]:min(end, hit[1]+maxClauseBytes)]); further != nil {
		end = hit[1] + further[0]
	}
	from, to := folded.Source(hit[0], end)
	return text.Span{Start: s.Start + from, End: s.Start + to}
}

// ofForm returns the whole sentence if the sentence is a question, or if it is about the form of the reply and
// uses the words of the request for that form: "no complete line".
func (m *final) ofForm(s sentence, written string) text.Span {
	folded := s.folded().String
	hasPhrase := func(phrase string) bool { return strings.Contains(folded, phrase) }
	question := strings.HasSuffix(strings.TrimRight(written, " \"'”’*_)"), "?") || text.HasAny(written, "？؟")
	if question || slices.ContainsFunc(vocabulary().rows["form"], hasPhrase) {
		return s.Span
	}
	return text.Span{}
}

// quotation matches a text in quotation marks on one line, or a line that is a quotation in Markdown.
var quotation = lazy.Compile(`(?m)^[ \t]*>.*|(?:^|[^\pL\p{Nd}])(?:"[^"\n]+"|“[^”\n]+”|„[^“\n]+“|«[^»\n]+»|「[^」\n]+」|『[^』\n]+』)`)

// maxAnnounced is the maximum number of announcements that are read. The last ones in the message are read.
const maxAnnounced = 64

// announced reads the last sentence that announces the answer in prose. It ignores questions, suppositions and
// quotations.
func (m *final) announced() Final {
	var quotations [][]int
	read := 0
	for i, at := range slices.Backward(m.sentences()) {
		whole := at.folded()
		folded := whole.String
		hits := m.announcements(folded)
		if len(hits) > 0 && quotations == nil {
			quotations = [][]int{{-1, -1}}
			if text.HasAny(m.text, "\"“„«「『>") {
				quotations = append(quotation.FindAllStringIndex(m.text, -1), quotations...)
			}
		}
		for _, hit := range slices.Backward(hits) {
			if read++; read > maxAnnounced {
				return Final{}
			}
			from, to := whole.Source(hit[0], hit[1])
			from, to = at.Start+from, at.Start+to
			isQuoted := func(q []int) bool { return q[0] <= from && from < q[1] }
			if !slices.ContainsFunc(quotations, isQuoted) && !supposes(folded[:hit[0]]) {
				if noAnswer().MatchString(folded[hit[1]:]) {
					if kind := m.intentOf(folded[hit[0]:]); kind != "" {
						return Final{Outcome: kind, Extract: FromFallback}
					}
				} else if behind, retracted := m.takenBack(m.text[at.End:]); retracted && i+1 < len(m.sentences()) {
					return m.again(behind)
				} else if short := m.inProse(m.behindAnnouncement(from, to, at.End)); short != "" && !m.isOffTopic(short) {
					return m.decide(short)
				}
			}
			at.End = from // the announcement before it is read up to here
		}
	}
	return Final{}
}

// hasSubject reports whether a folded sentence may be about the answer: it contains the last word of a phrase
// that means "the answer".
func hasSubject(folded string) bool {
	return slices.ContainsFunc(subjects(), func(word string) bool { return strings.Contains(folded, word) })
}

// subjects returns the last words of the phrases for the answer.
var subjects = sync.OnceValue(func() []string {
	var last []string
	for _, phrase := range vocabulary().rows["subject"] {
		last = append(last, strings.TrimSuffix(phrase[strings.LastIndexByte(phrase, ' ')+1:], "s"))
	}
	slices.Sort(last)
	return slices.Compact(last)
})

// announcements finds "the answer is" and similar phrases in a folded sentence.
func (m *final) announcements(folded string) [][]int {
	var hits [][]int
	if hasSubject(folded) {
		hits = announcement().FindAllStringIndex(folded, -1)
	}
	if m.words().find["announces"] != nil {
		for at := 0; ; {
			start, end := m.words().next("announces", folded, at)
			if start < 0 {
				break
			}
			hits, at = append(hits, []int{start, end}), end
		}
	}
	// Phrases of both kinds may overlap; then the first one is used.
	slices.SortStableFunc(hits, func(a, b []int) int { return a[0] - b[0] })
	end := 0
	return slices.DeleteFunc(hits, func(hit []int) bool {
		overlaps := hit[0] < end
		end = max(end, hit[1])
		return overlaps
	})
}

// closingMark matches the end of emphasis that began before an announcement.
var closingMark = lazy.Compile(`^[*_]+[ \t]+`)

// maxBlockBytes is the maximum length of the block after an announcement at the end of a line.
const maxBlockBytes = 8 << 10

// behindAnnouncement returns the text after an announcement such as "the answer is". The announcement is in the
// bytes [from, to) of the text, in a sentence that ends at end.
func (m *final) behindAnnouncement(from, to, end int) string {
	content := closingMark.ReplaceAllString(strings.TrimLeft(m.text[to:end], " \t"), "")
	line, _, _ := strings.Cut(strings.ReplaceAll(content, "\r", "\n"), "\n")
	if strings.Trim(line, emptyMarks+stops) != "" {
		return cutStops(closeMark(openMark(m.text[max(0, from-8):from]), cutStops(line)))
	}
	next := m.text[end-len(content)+len(line):]
	content, _ = m.behind("", text.Lines(strings.ToValidUTF8(next[:min(len(next), maxBlockBytes)], ""))[1:])
	return content
}

// inProse returns the answer in the text after an announcement: the text up to a reason or an aside. If the
// type can be recognised in prose and that text is not a value of the type, it returns "".
func (m *final) inProse(content string) string {
	end := aside
	if m.as == List || m.as == Choice || strings.HasPrefix(content, "(") {
		end = reason
	}
	clause := cutClause(content, end())
	switch {
	case declared(content) != "" || m.as == Code:
		return content
	case m.as.Numeric() || m.as == Date:
		if len(m.values(content)) == 0 {
			return ""
		}
		return content
	case m.as == Boolean:
		if short, _ := m.truthIn(clause); short == "" {
			return ""
		}
	case m.as == Choice:
		if short, _ := m.choiceIn(clause); short == "" {
			return ""
		}
	}
	return clause
}

// cutClause cuts content before the first match of end. A match at the beginning of content does not count.
func cutClause(content string, end *regexp.Regexp) string {
	folded := text.Map(content, 0)
	at := end.FindStringIndex(folded.String)
	if at == nil || at[0] == 0 {
		return content
	}
	from, _ := folded.Source(at[0], at[1])
	return strings.TrimRight(content[:from], " \t,;:")
}

// cutStops removes the stops at the end of a sentence, except the last point of an initialism.
func cutStops(s string) string {
	for {
		s = strings.TrimSpace(s)
		r, size := utf8.DecodeLastRuneInString(s)
		if size == 0 || !strings.ContainsRune(stops, r) {
			return s
		}
		if r == '.' && strings.Contains(s[strings.LastIndexByte(s, ' ')+1:len(s)-1], ".") {
			return s
		}
		s = s[:len(s)-size]
	}
}

// maxClauseBytes is the maximum number of bytes that are read before a marker.
const maxClauseBytes = 300

// supposes reports whether the part of a sentence before a marker begins a supposition ("if …") that is still
// open at the marker.
func supposes(before string) bool {
	before = before[max(0, len(before)-maxClauseBytes):]
	clause := before[strings.LastIndexAny(before, ",;:")+1:]
	return vocabulary().contains("condition", clause) && slices.ContainsFunc(strings.Fields(clause), func(word string) bool {
		return vocabulary().has("condition", strings.Trim(word, "(*_\"'"))
	})
}
