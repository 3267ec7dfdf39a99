package corpus

import (
	"path"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// MaxPassage is the length in bytes above which a text is cut at its headings. A search shows documents of this
// length in full.
const MaxPassage = 1200

// section is a heading with the text beneath it, up to the next heading.
type section struct {
	level         int // 1 is the top; 0 for text before the first heading
	heading, text string
}

var heading = lazy.Compile(`^ {0,3}(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#+)?\s*$`)

// markdown reads a file with headings of the form "## Access". Lines in fenced code are not headings.
func (r *reader) markdown(name, text string) {
	fenced := false
	r.passages(name, "", sections(text, func(line string) (int, string) {
		if mark := strings.TrimSpace(line); strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~") {
			fenced = !fenced
		}
		if m := heading.FindStringSubmatch(line); m != nil && !fenced {
			return len(m[1]), m[2]
		}
		return 0, ""
	}))
}

// plain reads a file without headings.
func (r *reader) plain(name, text string) { r.passages(name, "", []section{{text: text}}) }

// sections cuts a text at its headings; headingOf returns the level of a heading, or 0 for another line.
func sections(text string, headingOf func(line string) (level int, heading string)) []section {
	out := []section{{}}
	start, at := 0, 0
	for line := range strings.Lines(text) {
		if level, heading := headingOf(line); level > 0 {
			out[len(out)-1].text = text[start:at]
			out = append(out, section{level: level, heading: heading})
			start = at + len(line)
		}
		at += len(line)
	}
	out[len(out)-1].text = text[start:]
	return out
}

// passages adds the documents of a file. The file's title is its first heading, if no other heading has the
// same level, and if its level is 1 or no text is before it. Otherwise it is title, or if that is "", the
// file's name.
func (r *reader) passages(name, title string, all []section) {
	if len(all) > 1 && isOnlyTop(all[1:]) && (all[1].level == 1 || strings.TrimSpace(all[0].text) == "") {
		title = all[1].heading
		all[1].text = all[0].text + all[1].text
		all = all[1:]
	}
	if title == "" {
		title = strings.TrimSuffix(path.Base(name), path.Ext(name))
	}
	r.cut(name, title, name, "#", all)
}

// isOnlyTop reports whether the level of the first section is above the levels of all others.
func isOnlyTop(all []section) bool {
	return !slices.ContainsFunc(all[1:], func(s section) bool { return s.level <= all[0].level })
}

// cut adds a section with its subsections as one document. If that is too long, it adds each as a separate
// document.
func (r *reader) cut(name, title, id, separator string, all []section) {
	var whole strings.Builder
	whole.WriteString(all[0].text)
	for _, s := range all[1:] {
		whole.WriteString("\n" + s.heading + "\n" + s.text)
	}
	text := whole.String()
	if len(text) > MaxPassage {
		text = all[0].text
	} else {
		all = all[:1]
	}
	if text = strings.TrimSpace(text); text != "" {
		r.add(Document{Title: title, Text: text, Source: name}, name, 0, id)
	}
	for start := 1; start < len(all); {
		end := start + 1
		for end < len(all) && all[end].level > all[start].level {
			end++
		}
		head := all[start].heading
		r.cut(name, title+" › "+head, id+separator+slugOf(head), "/", all[start:end])
		start = end
	}
}
