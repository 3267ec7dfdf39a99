package answer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxMarkerBytes bounds what is looked at in front of the colon of a line.
const maxMarkerBytes = 160

// decoration is what Markdown may put in front of a marker: quotes, list marks, headings, emphasis, code.
const decoration = " \t\u00A0>*+-#_`•–"

// openings may precede a marker too, and are closed behind the answer: (Answer: 42).
const openings = "([\"'“"

// emptyMarks are no answer where they alone follow a marker.
const emptyMarks = " \t\r\n*_`"

// marker is the start of a folded line "Answer:", with the marks before and behind the
// word; reference is the heading of a list of references.
var (
	marker    = expression(lineStart, `([\s*_\x60]*):`, "marker")
	reference = expression(lineStart, `[\s*_\x60]*(?::|$)`, "reference")
)

const lineStart = `^((?:[-\s>*+#_\x60•(\["']|\d{1,3}[.)] )*)`

// explicit finds the last of the other markers: tags, which may be spoken of before, and a
// last line "#### 42", as in GSM8K; elsewhere that is a heading.
var explicit = []*regexp.Regexp{
	regexp.MustCompile(`(?is)^.*<(?:answer|solution)>\s*([^\s<].*?)\s*</(?:answer|solution)>`),
	regexp.MustCompile(`(?:^|[\r\n])#### ([^\r\n]+)\s*$`),
}

// marked returns the text behind the last explicit marker that has any.
func (m final) marked() (content string) {
	last := -1
	keep := func(at int, behind string) {
		if at >= last && strings.Trim(behind, emptyMarks) != "" {
			last, content = at, behind
		}
	}
	lines, at := linesAt(m.text)
	for i := len(lines) - 1; i >= 0 && last < 0; i-- {
		if behind, ok := cutMarker(lines[i]); ok {
			keep(at[i], m.behind(behind, lines[i+1:]))
		}
	}
	for _, form := range explicit {
		if hit := form.FindStringSubmatchIndex(m.text); hit != nil {
			keep(hit[2], m.text[hit[2]:hit[3]])
		}
	}
	if start, end := lastBox(m.text); start >= 0 {
		keep(start, m.text[start:end])
	}
	if inner, ok := cutMarker(content); ok {
		return inner // <answer>Answer: 42</answer>
	}
	return content
}

// escapedBraces writes other characters for the braces that a formula shows.
var escapedBraces = strings.NewReplacer(`\{`, "  ", `\}`, "  ")

// lastBox finds what the last \boxed{…} with anything in it holds; start is -1 without one.
func lastBox(s string) (start, end int) {
	const box = `\boxed{`
	pair := text.Partners(escapedBraces.Replace(s), "{}")
	for at := strings.LastIndex(s, box); at >= 0; at = strings.LastIndex(s[:at], box) {
		start, end = at+len(box), pair[at+len(box)-1]
		if end > start && strings.TrimSpace(s[start:end]) != "" {
			return start, end
		}
	}
	return -1, -1
}

// behind returns the text behind a marker: the rest of its line, or below it a fenced
// block, the elements of a list as one line, or the next line that is not blank.
func (m final) behind(rest string, below []string) string {
	opens := func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "```") }
	switch {
	case opens(rest) && strings.Count(rest, "```") == 1:
		below = slices.Insert(slices.Clone(below), 0, rest)
	case strings.Trim(rest, emptyMarks) != "":
		return rest
	default:
		for len(below) > 0 && strings.TrimSpace(below[0]) == "" {
			below = below[1:]
		}
	}
	join := "\n"
	if m.as == List {
		join = "; "
	}
	if len(below) > 0 && opens(below[0]) {
		below = below[1:]
		if end := slices.IndexFunc(below, opens); end >= 0 {
			below = below[:end]
		}
		return strings.Join(below, join)
	}
	var items []string
	for _, line := range below {
		item := cutCitations(cutListMark(strings.TrimSpace(line)))
		_, marker := cutMarker(line)
		if marker || item == "" || isReferenceHeading(line) || cutCitations("x "+item) == "x" || m.as != List && len(items) > 0 {
			break
		}
		items = append(items, item)
	}
	return strings.Join(items, join)
}

// cutMarker returns what follows the final-answer markers that start the line.
func cutMarker(line string) (content string, ok bool) {
	for strings.ContainsAny(line, ":：﹕") {
		folded := text.Map(line[:min(len(line), maxMarkerBytes)], 0)
		at := marker().FindStringSubmatchIndex(folded.String)
		if at == nil {
			break
		}
		_, end := folded.Source(0, at[1])
		content, ok = strings.TrimSpace(line[end:]), true
		from, to := folded.Source(at[2], at[3])
		if mark := openMark(line[from:to]); mark == "" || !strings.HasSuffix(folded.String[at[4]:at[5]], mark) { // unlike **Answer**: 42
			content = closeMark(mark, content)
		}
		line = content // "Answer: Final answer: 42"
	}
	return content, ok
}

// openMark returns the opening marks directly before a marker, which something behind the answer must close.
func openMark(before string) string { return before[len(strings.TrimRight(before, "*_`"+openings)):] }

// closeMark removes from content what closes the mark that was opened before its marker:
// at the start in "**Answer:** 42", at the end in "**Answer: 42**".
func closeMark(mark, content string) string {
	content = strings.TrimSpace(content)
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

// listMark matches marks of quotes, headings and lists at the start of a line. A dash is one
// only before a space: otherwise it is a sign.
var listMark = regexp.MustCompile(`^[ \t>]*(?:#{1,6}[ \t]+)?(?:[-*+•–][ \t]+|\p{Nd}{1,3}[.)．）][ \t\x{3000}]+)?`)

// cutListMark removes marks of quotes, headings and lists from the start of a line.
func cutListMark(line string) string { return line[len(listMark.FindString(line)):] }
