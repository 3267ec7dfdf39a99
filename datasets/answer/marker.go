package answer

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// maxMarkerBytes is the maximum length of a heading in which a marker is searched for. maxWordsBytes is the
// maximum length of a marker's words.
const (
	maxMarkerBytes = 160
	maxWordsBytes  = 64
)

// maxFolds is the maximum number of lines in other scripts in which a marker is searched for. The limit keeps
// the time linear.
const maxFolds = 500

// decoration has the marks that Markdown may put before a marker: of quotes, lists, headings, emphasis and
// code.
const decoration = " \t\u00A0>*+-#_`•–"

// openings has further marks that can be before a marker and whose closing mark is after the answer: (Answer:
// 42).
const openings = "([\"'“"

// emptyMarks has characters that are not an answer: if only these follow a marker, the marker has no answer.
const emptyMarks = " \t\r\n*_`"

// reference matches the heading of a list of references.
var reference = expression(`^((?:[-\s>*+#_\x60•(\["']|\d{1,3}[.)] )*)`, `[\s*_\x60]*(?::|$)`, "reference")

// solved matches a last line "#### 42", as in GSM8K. On other lines, these signs mark a heading.
var solved = lazy.Compile(`(?:^|[\r\n])#### ([^\r\n]+)\s*$`)

// markedText returns the text after the last strong marker that has text, and the rest of the message after it.
// If there is no such marker, weak is the text after the last label, such as "Result: 42". Labels are weak,
// because a label may introduce any part of a message.
func (m *final) markedText() (content, rest, weak string) {
	last := -1
	keep := func(at, end int, behind string) {
		if at >= last && strings.Trim(behind, emptyMarks) != "" {
			last, content, rest = at, behind, m.text[min(end, len(m.text)):]
		}
	}
	lines, at := m.lines()
	folds := maxFolds
	for i := len(lines) - 1; i >= 0 && last < 0; i-- {
		behind, strong, ok := m.cutMarker(lines[i], &folds)
		if !ok || !strong && weak != "" {
			continue
		}
		below, taken := m.behind(behind, lines[i+1:])
		if !strong {
			if strings.Trim(below, emptyMarks) != "" {
				weak = below
			}
			continue
		}
		end := at[i] + len(lines[i])
		if next := i + 1 + taken; taken > 0 && next < len(at) {
			end = at[next]
		} else if taken > 0 {
			end = len(m.text)
		}
		keep(at[i]+len(lines[i])-len(behind), end, below)
	}
	if start, end := m.lastTag(); start >= 0 {
		keep(start, end, m.text[start:end])
	}
	if start, end, value := m.lastObject(); start >= 0 {
		keep(start, end, value)
	}
	if strings.Contains(m.text, "#### ") {
		if hit := solved.FindStringSubmatchIndex(m.text); hit != nil {
			keep(hit[2], hit[3], m.text[hit[2]:hit[3]])
		}
	}
	return content, rest, weak
}

// cutMarker returns the text after the last marker of a line, and whether the marker is strong: "Answer: 42",
// "Six rows of six. Final answer - 36", or a line that has only a marker. folds is the number of lines in other
// scripts that may still be searched.
func (m *final) cutMarker(line string, folds *int) (content string, strong, ok bool) {
	for end := len(line); end > 0 && !ok; {
		at, size := lastSeparator(line, end)
		if size == 0 {
			break
		}
		if at == 0 || !mayEndMarker(line[at-1]) {
			end = at
			continue
		}
		if start, isStrong, found := m.markerBefore(line[:at], folds); found {
			content, strong, ok = strings.TrimSpace(line[at+size:]), isStrong, true
			before := line[:start]
			mark := openMark(before)
			if mark == "" || !strings.HasSuffix(strings.TrimRight(line[:at], " "), mark) { // unlike **Answer**: 42
				content = closeMark(mark, content)
			}
		}
		end = at
	}
	if !ok && line != "" && len(line) <= maxWordsBytes && mayEndMarker(line[len(line)-1]) {
		if bare := strings.TrimRight(line, decoration+"\r)]"); bare != "" {
			start, isStrong, found := m.markerBefore(bare, folds)
			isHeading := strings.ContainsAny(line, "#*_") || strings.ToUpper(line) == line && strings.ToLower(line) != line
			ok = found && isLineStart(bare[:start]) && (isStrong || isHeading)
			strong = ok && isStrong
		}
	}
	return content, strong, ok
}

// lastSeparator finds the last separator between a marker and its answer that ends at or before end. A dash
// needs a space on both sides.
func lastSeparator(line string, end int) (at, size int) {
	for at = end - 1; at > 0; at-- {
		if !mayPart[line[at]] {
			continue
		}
		switch c := line[at]; {
		case c == ':' || c == '=' && (at+1 == len(line) || line[at+1] != '>'):
			return at, 1
		case c == '>' && (line[at-1] == '-' || line[at-1] == '='):
			return at - 1, 2
		case c == '-' && line[at-1] == ' ' && at+1 < len(line) && line[at+1] == ' ':
			return at, 1
		case c == 0xE2 || c == 0xEF:
			if size := wideSeparator(line[at:]); size > 0 && at+size <= end {
				return at, size
			}
		}
	}
	return 0, 0
}

// mayPart marks the bytes that can end a separator between a marker and its answer, and the first bytes of wide
// separators.
var mayPart = [256]bool{':': true, '=': true, '>': true, '-': true, 0xE2: true, 0xEF: true}

// wideSeparator returns the length of a wide colon, dash or arrow at the beginning of s.
func wideSeparator(s string) int {
	for _, mark := range []string{"：", "﹕", "→", "⇒", "➜", "—", "–"} {
		if strings.HasPrefix(s, mark) {
			return len(mark)
		}
	}
	return 0
}

// markerWords returns the phrases of markers by their last letter, and whether each phrase is strong. Longer
// phrases come first.
var markerWords = sync.OnceValue(func() map[rune][]markerPhrase {
	words := map[rune][]markerPhrase{}
	for _, role := range []string{"marker", "weak"} {
		for _, phrase := range vocabulary().rows[role] {
			last, _ := utf8.DecodeLastRuneInString(phrase)
			words[last] = append(words[last], markerPhrase{phrase, role == "marker"})
		}
	}
	for _, list := range words {
		slices.SortStableFunc(list, func(a, b markerPhrase) int { return len(b.words) - len(a.words) })
	}
	return words
})

// mayEndMarker reports whether a marker, with the marks that may follow it, can end in a byte.
func mayEndMarker(c byte) bool { return markerEnds()[c] }

var markerEnds = sync.OnceValue(func() *[256]bool {
	var is [256]bool
	for c := range is {
		is[c] = c >= utf8.RuneSelf || strings.IndexByte(decoration+"\r)]", byte(c)) >= 0 ||
			markerWords()[unicode.ToLower(rune(c))] != nil
	}
	return &is
})

type markerPhrase struct {
	words  string
	strong bool
}

// markerBefore finds a marker at the end of a text, if the marker begins a line or follows a sentence. start is
// its place.
func (m *final) markerBefore(before string, folds *int) (start int, strong, ok bool) {
	before = strings.TrimRight(before, " \t*_`\u00A0")
	offset := max(0, len(before)-maxWordsBytes)
	for offset < len(before) && offset > 0 && !utf8.RuneStart(before[offset]) {
		offset++
	}
	tail := before[offset:]
	last, size := utf8.DecodeLastRuneInString(tail)
	if size == 1 && markerWords()[unicode.ToLower(last)] == nil {
		return 0, false, false // most texts have no marker
	}
	if *folds--; *folds < 0 {
		return 0, false, false
	}
	folded := text.Map(tail, 0)
	last, _ = utf8.DecodeLastRuneInString(folded.String)
	for _, phrase := range markerWords()[last] {
		head, found := strings.CutSuffix(folded.String, phrase.words)
		first, _ := utf8.DecodeRuneInString(phrase.words)
		letter, _ := utf8.DecodeLastRuneInString(head)
		if !found || text.IsWord(letter) && !text.IsUnspaced(first) {
			continue
		}
		from, _ := folded.Source(len(head), len(folded.String))
		start = offset + from
		return start, phrase.strong, isLineStart(before[:start]) || followsSentence(before[:start], before[start:])
	}
	return 0, false, false
}

// isLineStart reports whether only list marks, emphasis, openings and pictures precede a marker.
func isLineStart(before string) bool {
	for before != "" {
		rest := strings.TrimLeft(before, decoration+openings)
		digits := strings.TrimLeft(rest, "0123456789")
		if n := len(rest) - len(digits); n > 0 && n <= 3 && len(digits) > 1 && (digits[0] == '.' || digits[0] == ')') {
			rest = digits[1:]
		} else if r, size := utf8.DecodeRuneInString(rest); unicode.Is(unicode.So, r) || r == 0xFE0F {
			rest = rest[size:]
		}
		if rest == before {
			return false
		}
		before = rest
	}
	return true
}

// followsSentence reports whether a marker follows the end of a sentence, or is the full phrase "the final
// answer".
func followsSentence(before, marker string) bool {
	first, _ := utf8.DecodeRuneInString(marker)
	head := strings.TrimRight(before, " \t\u00A0*_(")
	emphasis := strings.Contains(before[len(head):], "*")
	last, _ := utf8.DecodeLastRuneInString(head)
	switch {
	case len(head) == len(before) && !text.IsUnspaced(first):
		return false
	case strings.HasSuffix(head, " the"), strings.HasSuffix(head, " my"),
		vocabulary().begins("subject", text.Fold(marker)) > 0:
		return first != 'A' && !strings.ContainsAny(text.Head(before, len(before)), "\"“`")
	}
	isPhrase := strings.Contains(strings.TrimSpace(marker), " ")
	isColon := last == ':' || last == '：'
	return strings.ContainsRune(".!?。！？:：;；)—–|→⇒•", last) && (emphasis || isPhrase || !unicode.IsLower(first) && !isColon)
}
