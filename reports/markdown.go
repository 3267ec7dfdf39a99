package reports

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// maxMarkdown is the number of characters up to which Markdown shows text of others.
const maxMarkdown = 400

// writeMarkdown writes a document as GitHub-flavoured Markdown, what matters most first.
func writeMarkdown(w io.Writer, d document) error {
	var b bytes.Buffer
	if len(d.closing) > 0 {
		b.WriteString(markdownLine(d.closing) + "\n")
	}
	for i, part := range slices.Concat(d.headline, d.details) {
		if i > 0 || len(d.closing) > 0 {
			b.WriteString("\n")
		}
		if part.table != nil {
			if err := markdownTable(&b, *part.table); err != nil {
				return err
			}
		}
		for _, f := range part.facts {
			b.WriteString("- " + markdownLine(say(plain(f.label+": "), f.text)) + "\n")
		}
		for _, l := range part.lines {
			text := markdownLine(l)
			bare := strings.TrimLeft(text, " ")
			if bare != text { // of the line before
				b.WriteString("  ")
			}
			b.WriteString("- " + bare + "\n")
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// markdownTable pads cells, so that the source reads well too.
func markdownTable(b *bytes.Buffer, t table) error {
	if len(t.title) > 0 {
		b.WriteString("**" + markdownLine(t.title) + "**\n\n")
	}
	headers := make([]string, len(t.columns))
	for i, c := range t.columns {
		headers[i] = markdownCell(c.header)
	}
	rows := make([][]string, len(t.rows))
	for i, row := range t.rows {
		for _, cell := range row {
			rows[i] = append(rows[i], markdownCell(cell))
		}
	}
	return layout(b, renderer.NewMarkdown(), tw.PaddingDefault, headers, rows, func(i int) bool { return t.columns[i].number })
}

// escapePipes is for cells. A space keeps a backslash and an escaped pipe apart, on which parsers differ.
var escapePipes = strings.NewReplacer(`\|`, `\ \|`, `|`, `\|`)

func markdownCell(l line) string {
	var b strings.Builder
	for _, s := range l {
		if s.kind == ours { // its pipes are escaped already
			b.WriteString(markdownSpan(s))
		} else {
			b.WriteString(escapePipes.Replace(markdownSpan(s)))
		}
	}
	return b.String()
}

func markdownLine(l line) string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(markdownSpan(s))
	}
	return b.String()
}

// escapeOurs takes what we write literally: a dollar could begin a formula.
var escapeOurs = strings.NewReplacer("\n", " ", `\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `<`, `\<`, `>`, `\>`, `|`, `\|`, `~`, `\~`, `$`, `\$`)

// markdownSpan shows text of others as code, in which nobody can be mentioned, nothing linked, embedded or formatted.
func markdownSpan(s span) string {
	switch s.kind {
	case ours:
		return escapeOurs.Replace(s.text)
	case theirs:
		return code(clip(s.text, maxMarkdown))
	}
	return harmless(clip(s.text, maxMarkdown))
}

// code quotes one line in a code span that the text itself cannot end.
func code(text string) string {
	if text == "" {
		return ""
	}
	ticks := backticks(text, 1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// backticks are at least so many, and more than any that stand together in a text.
func backticks(text string, least int) string {
	longest, run := 0, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return strings.Repeat("`", max(least, longest+1))
}

// harmlessWord means nothing to Markdown and GitHub: letters or a number, with a sentence's punctuation around them.
var harmlessWord = regexp.MustCompile(`^(?:[("']*(?:\p{L}+(?:[-'’]\p{L}+)*|[0-9]+(?:[.,][0-9]+)*)[)"',.;:%]*|[%=–-])$`)

// quotedWord is a word, or a command of several between backticks with the stops behind it.
var quotedWord = regexp.MustCompile("`([^`\\s]+ [^`]*)`([,.;:)]*)|\\S+")

// harmless leaves plain words as they are, and shows the others as code, without a sentence's punctuation.
func harmless(text string) string {
	var out, odd []string
	var opening string // in front of the first odd word
	flush := func() {
		if len(odd) > 0 {
			out = append(out, opening+code(strings.Join(odd, " ")))
			odd, opening = nil, ""
		}
	}
	for _, found := range quotedWord.FindAllStringSubmatch(text, -1) {
		w, command, stops := found[0], found[1], found[2]
		if command != "" {
			flush()
			out = append(out, code(command)+stops)
			continue
		}
		if harmlessWord.MatchString(w) {
			flush()
			out = append(out, w)
			continue
		}
		before, bare, after := unpunctuated(w)
		if before != "" {
			flush()
			opening = before
		}
		odd = append(odd, bare)
		if after != "" {
			flush()
			out[len(out)-1] += after
		}
	}
	flush()
	return strings.Join(out, " ")
}

// unpunctuated takes off stops after a word, and a parenthesis that does not begin and end within it.
func unpunctuated(word string) (before, bare, after string) {
	bare = strings.TrimRight(word, ",.;:")
	if inner := strings.TrimPrefix(bare, "("); inner != bare && !strings.ContainsAny(strings.TrimSuffix(inner, ")"), "()") {
		before, bare = "(", inner
	}
	if inner := strings.TrimSuffix(bare, ")"); inner != bare && !strings.ContainsAny(inner, "()") {
		bare = inner
	}
	if bare == "" {
		return "", word, ""
	}
	return before, bare, word[len(before)+len(bare):]
}

// Fence quotes text in a code block that it cannot end. Characters that could steer a terminal are shown as �.
func Fence(text string) string {
	text = Visible(text)
	ticks := backticks(text, 3)
	return ticks + "text\n" + strings.TrimRight(text, "\n") + "\n" + ticks + "\n"
}
