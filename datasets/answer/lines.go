package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// behind returns the text after a marker. This is the rest of the marker's line. If the rest is empty, it is on
// the lines below: a fenced block, the elements of a list as one line, or the next line that is not blank. If a
// list begins on the marker's line, it may continue on the lines below. taken is the number of those lines that
// were used.
func (m *final) behind(rest string, below []string) (content string, taken int) {
	opens := func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "```") }
	isRest := strings.Trim(rest, emptyMarks) != ""
	switch {
	case opens(rest) && strings.Count(rest, "```") == 1:
		below = slices.Insert(slices.Clone(below), 0, rest)
		taken--
	case isRest && !(m.as == List && m.goesOn(rest, below)):
		return rest, 0
	case !isRest:
		for len(below) > 0 && strings.Trim(below[0], " \t\r=-*_") == "" { // a blank line, or the line under a heading
			below, taken = below[1:], taken+1
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
		return strings.Join(below, join), taken + len(below) + 2
	}
	var items []string
	if isRest && m.as == List {
		items = append(items, strings.TrimRight(cutListMark(strings.TrimSpace(rest)), " ,;"))
	}
	folds := maxFolds
	for _, line := range below {
		item := m.cutCitations(cutListMark(strings.TrimSpace(line)))
		_, _, marker := m.cutMarker(line, &folds)
		isReference := isReferenceHeading(line) || m.cutCitations("x "+item) == "x"
		if marker || item == "" || isReference || m.as != List && len(items) > 0 {
			break
		}
		if len(items) == 0 && strings.HasSuffix(item, ":") && taken+1 < maxLineWords {
			taken++ // the line announces the text after it
			continue
		}
		if m.as == List {
			item = strings.TrimRight(item, " ,;")
		}
		items, taken = append(items, item), taken+1
	}
	return strings.Join(items, join), taken
}

// goesOn reports whether a list that begins on the line of a marker (rest) continues on the lines below.
func (m *final) goesOn(rest string, below []string) bool {
	rest = strings.TrimSpace(rest)
	if len(below) == 0 || strings.TrimSpace(below[0]) == "" {
		return false
	}
	next := strings.TrimSpace(below[0])
	return cutListMark(rest) != rest && cutListMark(next) != next || endsIn(rest, ",;")
}

// label matches a label before the value of a line: "Total:".
var label = lazy.Compile(`^(?:[^\s:：]+\s*){0,3}[:：]`)

// loneLine reads a line that consists of a value of the type, perhaps after a label ("Total: 42"). It looks at
// the last line and at the first line. If both consist of a value and the values differ, it returns no value,
// and the reason in why.
func (m *final) loneLine() (short, why string) {
	isBlank := func(line string) bool { return strings.Trim(line, emptyMarks+"-=") == "" }
	all, _ := m.lines()
	lines := slices.DeleteFunc(slices.Clone(all), isBlank)
	for len(lines) > 2 && m.words().begins("courtesy", text.Fold(text.Head(lines[len(lines)-1], maxWordsBytes))) > 0 {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 || len(lines) == 1 && !(m.as.Numeric() || m.as == Date) {
		return "", ""
	}
	last, first := m.aloneOn(lines[len(lines)-1], len(lines) > 1), ""
	if len(lines) > 1 && !text.HasAny(lines[0], ":：=") {
		first = m.aloneOn(lines[0], true)
	}
	if m.as == Boolean && last != "" && len(lines) > 1 {
		word, _ := text.FirstWord(text.Fold(strings.TrimLeft(lines[0], decoration)))
		if is, known := truth(word); known {
			if k, err := Normalize(last, Boolean, Options{}); err == nil && (k.Key == "bool:true") != is {
				return "", "the message says both yes and no"
			}
		}
	}
	if first != "" && last != "" {
		same, _ := Match(first, last, m.as, nil, Tolerance{}, Options{})
		if !same {
			return "", fmt.Sprintf("the lines %s and %s are both possible", quote(first), quote(last))
		}
	}
	return cmp.Or(last, first), ""
}

// aloneOn returns the value that a line consists of. It returns "" for a line that has other text.
func (m *final) aloneOn(line string, several bool) string {
	if len(line) > maxLoneBytes {
		return ""
	}
	isItem := cutListMark(strings.TrimSpace(line)) != strings.TrimSpace(line)
	switch m.as {
	case Integer, Decimal, Percent, Currency, Quantity, Date:
		line = undress(cutListMark(line))
		if text.HasAny(line, ":：") {
			line = undress(label.ReplaceAllString(line, ""))
		}
		if k, err := Normalize(line, m.as, Options{}); err != nil || k.Confidence != Exact {
			return ""
		}
		if values := m.values(line); len(values) == 1 {
			return values[0].short
		}
	case Boolean, Choice:
		line = undress(strings.TrimSpace(line))
		if _, err := Normalize(line, m.as, Options{}); err == nil && len(strings.Fields(line)) <= 3 && !isItem {
			return cutStops(line)
		}
	case List:
		line = undress(strings.TrimSpace(line))
		if several && !isItem && startsUpper(line) && isEnumeration(line) && !isSentence(line) &&
			len(text.Sentences(line)) == 1 &&
			!text.HasAny(line, ":?!：？！") {
			return line
		}
	case Entity:
		line = undress(strings.TrimSpace(line))
		isShort := len(strings.Fields(line)) <= maxLoneWords && startsUpper(line) && text.StartsWord(line)
		goesOn := strings.ContainsAny(line, ":;?!：；？！") || endsIn(line, ".,") || len(text.Sentences(line)) > 1
		if several && !isItem && isShort && !goesOn && !isSentence(line) && !m.isOffTopic(line) {
			return line
		}
	}
	return ""
}

// maxLoneBytes is the maximum length, in bytes, of a line that may consist of a value.
const maxLoneBytes = 240

// maxLoneWords is the maximum number of words of a line that may consist of a name.
const maxLoneWords = 6

// openMark returns the opening marks directly before a marker. The closing marks of such an opening are after
// the answer.
func openMark(before string) string { return before[len(strings.TrimRight(before, "*_`"+openings)):] }

// closeMark removes the closing mark of a mark that was opened before the marker. In "**Answer:** 42" it is at
// the beginning of content, and in "**Answer: 42**" at its end.
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

// listMark matches the marks of quotes, headings and lists at the beginning of a line. A dash without a space
// after it is a sign, not a mark.
var listMark = lazy.Compile(`^[ \t>]*(?:#{1,6}[ \t]+)?(?:[-*+•–][ \t]+|\p{Nd}{1,3}[.)．）][ \t\x{3000}]+)?`)

// cutListMark removes marks of quotes, headings and lists from the start of a line.
func cutListMark(line string) string {
	if line == "" || line[0] >= 'A' && line[0] <= 'Z' || line[0] >= 'a' && line[0] <= 'z' {
		return line
	}
	return line[len(listMark.FindString(line)):]
}

// withoutListMarks replaces the marks that [cutListMark] removes with spaces, on every line of a text.
func withoutListMarks(s string) string {
	var out []byte
	at := 0
	for line := range strings.Lines(s) {
		if mark := len(line) - len(cutListMark(line)); mark > 0 {
			if out == nil {
				out = []byte(s)
			}
			cover(out, text.Span{Start: at, End: at + mark})
		}
		at += len(line)
	}
	if out == nil {
		return s
	}
	return string(out)
}

func isReferenceHeading(line string) bool {
	if len(line) > maxMarkerBytes && !strings.Contains(line[:maxMarkerBytes], ":") {
		return false
	}
	return reference().MatchString(text.Fold(text.Head(line, maxMarkerBytes)))
}
