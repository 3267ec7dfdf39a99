package answer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxMarkerBytes bounds what is looked at in front of the colon of a line.
const maxMarkerBytes = 160

// decoration is what Markdown may put in front of a marker: quotes, list marks,
// headings, emphasis, code.
const decoration = " \t\u00A0>*+-#_`•–"

// openings may stand there too, and are closed behind the answer: (Answer: 42).
const openings = "([\"'“"

// emptyMarks may stand where an answer should, and say nothing.
const emptyMarks = " \t\r\n*_`"

// marked returns what stands behind the last explicit marker that has anything behind it.
func (m final) marked() (content string) {
	last := -1
	keep := func(at int, behind string) {
		if at >= last && strings.Trim(behind, emptyMarks) != "" {
			last, content = at, behind
		}
	}
	lines, at := linesAt(m.text)
	for i := len(lines) - 1; i >= 0 && last < 0; i-- {
		behind, ok := cutMarker(lines[i])
		fence := ""
		if strings.HasPrefix(behind, "```") && strings.Count(behind, "```") == 1 {
			behind, fence = "", "```"
		}
		if ok && strings.Trim(behind, emptyMarks) == "" {
			behind = m.behind(lines[i+1:], fence)
		}
		keep(at[i], behind)
	}
	if at, behind := hashes(m.text); at > last {
		keep(at, behind)
	}
	for _, tag := range tags.FindAllStringSubmatchIndex(m.text, -1) {
		start := tag[2]
		if opened := openTag.FindAllStringIndex(m.text[start:tag[3]], -1); opened != nil {
			start += opened[len(opened)-1][1] // the tag was only spoken of before
		}
		behind := strings.TrimSpace(m.text[start:tag[3]])
		if inner, ok := cutMarker(behind); ok {
			behind = inner
		}
		keep(start, behind)
	}
	if start, end := lastBox(m.text); start >= 0 {
		keep(start, m.text[start:end])
	}
	return content
}

var (
	tags    = regexp.MustCompile(`(?is)<(?:answer|solution)>(.*?)</(?:answer|solution)>`)
	openTag = regexp.MustCompile(`(?i)<(?:answer|solution)>`)
)

// hashes finds a last line "#### 42", as in GSM8K; elsewhere it is a heading.
func hashes(s string) (at int, behind string) {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	at = strings.LastIndexAny(s, "\r\n") + 1
	behind, ok := strings.CutPrefix(s[at:], "#### ")
	if !ok {
		return -1, ""
	}
	return at, behind
}

// escapedBraces writes other characters for the braces that a formula shows.
var escapedBraces = strings.NewReplacer(`\{`, "  ", `\}`, "  ")

// lastBox finds what the last \boxed{…} with anything in it holds; start is -1 without one.
func lastBox(s string) (start, end int) {
	const box = `\boxed{`
	pair := partners(escapedBraces.Replace(s), "{}")
	for at := strings.LastIndex(s, box); at >= 0; at = strings.LastIndex(s[:at], box) {
		start, end = at+len(box), pair[at+len(box)-1]
		if end > start && strings.TrimSpace(s[start:end]) != "" {
			return start, end
		}
	}
	return -1, -1
}

// behind returns what the lines after a marker hold: a fenced block, the elements of a
// list as one line, or the next line that is not blank. fence is not empty where the
// marker's own line opened the block.
func (m final) behind(lines []string, fence string) string {
	for fence == "" && len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	join := "\n"
	if m.as == List {
		join = "; "
	}
	if fence == "" && len(lines) > 0 && strings.HasPrefix(strings.TrimSpace(lines[0]), "```") {
		fence, lines = "```", lines[1:]
	}
	var items []string
	for _, line := range lines {
		if fence != "" {
			if strings.HasPrefix(strings.TrimSpace(line), fence) {
				break
			}
			items = append(items, line)
			continue
		}
		item := cutCitations(cutListMark(strings.TrimSpace(line)))
		if _, marker := cutMarker(line); marker || item == "" || isReferenceHeading(line) || cutCitations("x "+item) == "x" {
			break
		}
		if items = append(items, item); m.as != List {
			break
		}
	}
	return strings.Join(items, join)
}

// cutMarker returns what follows the final-answer marker that starts the line.
func cutMarker(line string) (content string, ok bool) {
	for {
		next, found := cutOneMarker(line)
		if !found {
			return content, ok
		}
		content, line, ok = next, next, true // "Answer: Final answer: 42"
	}
}

func cutOneMarker(line string) (string, bool) {
	head, content, found := cutColon(line)
	if !found {
		return "", false
	}
	name := strings.TrimLeft(cutListMark(strings.TrimLeft(head, decoration)), decoration+openings)
	folded := text.Fold(strings.TrimRight(name, " \t\u00A0*_`"))
	if !vocabulary().has("marker", folded) {
		return "", false
	}
	opened := head[:len(head)-len(name)]
	if mark := openMark(opened); mark != "" && strings.HasSuffix(name, mark) {
		return strings.TrimSpace(content), true // **Answer**: 42
	}
	return closeMark(opened, content), true
}

// cutColon divides a line at the first colon, plain or wide, near its start.
func cutColon(line string) (head, content string, ok bool) {
	for i, r := range line {
		if i > maxMarkerBytes {
			break
		}
		if r == ':' || r == '：' || r == '﹕' {
			return line[:i], line[i+utf8.RuneLen(r):], true
		}
	}
	return "", "", false
}

// openMark returns the marks at the end of what stands before a marker that something
// behind the answer must close.
func openMark(before string) string {
	return before[len(strings.TrimRight(before, "*_`"+openings)):]
}

// closeMark removes from content what closes the mark that was opened before its marker:
// at the start in "**Answer:** 42", at the end in "**Answer: 42**".
func closeMark(before, content string) string {
	content = strings.TrimSpace(content)
	mark := openMark(before)
	if mark == "" {
		return content
	}
	closing := ""
	for _, r := range mark {
		closing = strings.NewReplacer("(", ")", "[", "]", "“", "”").Replace(string(r)) + closing
	}
	if rest, closed := strings.CutPrefix(content, closing); closed {
		return strings.TrimSpace(rest)
	}
	if rest, closed := strings.CutSuffix(strings.TrimRight(content, " "+stops), closing); closed {
		return strings.TrimSpace(rest)
	}
	return content
}

// listMark is what may stand before an element or a line of its own: marks of quotes,
// headings and lists. A dash is one only before a space: otherwise it is a sign.
var listMark = regexp.MustCompile(`^[ \t>]*(?:#{1,6}[ \t]+)?(?:[-*+•–][ \t]+|\p{Nd}{1,3}[.)．）][ \t\x{3000}]+)?`)

// cutListMark removes marks of quotes, headings and lists from the start of a line.
func cutListMark(line string) string { return line[len(listMark.FindString(line)):] }
