package document

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// maxMarkdown is the maximum number of characters of a quoted text in Markdown.
const maxMarkdown = 400

// WriteMarkdown writes a document as GitHub-flavoured Markdown, with the most important part first.
func WriteMarkdown(w io.Writer, d Document) error {
	var b bytes.Buffer
	if len(d.Closing) > 0 {
		b.WriteString(MarkdownLine(d.Closing) + "\n")
	}
	for i, part := range slices.Concat(d.Headline, d.Details) {
		if i > 0 || len(d.Closing) > 0 {
			b.WriteString("\n")
		}
		if part.Table != nil {
			if err := markdownTable(&b, *part.Table); err != nil {
				return err
			}
		}
		for _, f := range part.Facts {
			b.WriteString("- " + MarkdownLine(Concat(Plain(f.Label+": "), f.Text)) + "\n")
		}
		for _, l := range part.Lines {
			text := MarkdownLine(l)
			bare := strings.TrimLeft(text, " ")
			if bare != text { // an indented line belongs to the item above
				b.WriteString("  ")
			}
			b.WriteString("- " + bare + "\n")
		}
		if len(part.Diff) > 0 {
			b.WriteString("\n" + fenceAs("diff", PrintableLines(strings.Join(part.Diff, "\n"))))
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// markdownTable pads cells, so that the source is readable, too.
func markdownTable(b *bytes.Buffer, t Table) error {
	if len(t.title) > 0 {
		b.WriteString("**" + MarkdownLine(t.title) + "**\n\n")
	}
	headers := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		headers[i] = markdownCell(c.Header)
	}
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		for _, cell := range row {
			rows[i] = append(rows[i], markdownCell(cell))
		}
	}
	return renderColumns(b, renderer.NewMarkdown(), tw.PaddingDefault, headers, rows,
		func(i int) bool { return t.Columns[i].number })
}

// escapePipes escapes pipes in cells. A space separates a backslash from an escaped pipe, because parsers read
// this sequence in different ways.
var escapePipes = strings.NewReplacer(`\|`, `\ \|`, `|`, `\|`)

func markdownCell(l RichText) string {
	var b strings.Builder
	for _, s := range l {
		if s.kind == ours { // its pipes are already escaped
			b.WriteString(markdownSpan(s))
		} else {
			b.WriteString(escapePipes.Replace(markdownSpan(s)))
		}
	}
	return b.String()
}

// MarkdownLine returns a line as Markdown in which text from other sources cannot format, link or mention.
func MarkdownLine(l RichText) string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(markdownSpan(s))
	}
	return b.String()
}

// escapeOurs makes Markdown show this program's text literally: a dollar, for example, could begin a formula.
var escapeOurs = strings.NewReplacer("\n", " ", `\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `<`, `\<`, `>`, `\>`, `|`,
	`\|`, `~`, `\~`, `$`, `\$`)

// markdownSpan shows text from other sources as code, so that it cannot mention a user, link, embed or format.
func markdownSpan(s span) string {
	switch s.kind {
	case ours:
		return escapeOurs.Replace(s.text)
	case theirs:
		return codeSpan(Shorten(s.text, maxMarkdown))
	}
	return escapeWords(Shorten(s.text, maxMarkdown))
}

// codeSpan quotes one line in a code span that the text itself cannot end.
func codeSpan(text string) string {
	if text == "" {
		return ""
	}
	ticks := backticks(text, 1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// backticks returns a row of backticks that is longer than any row of them in the text, and at least as long as
// least.
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

// harmlessWord matches words without a meaning in Markdown and on GitHub: letters or a number, with punctuation
// around them.
var harmlessWord = lazy.Compile(`^(?:[("']*(?:\p{L}+(?:[-'’]\p{L}+)*|[0-9]+(?:[.,][0-9]+)*)[)"',.;:%]*|[%=–-])$`)

// quotedWord matches one word, or several words between backticks with the punctuation after them.
var quotedWord = lazy.Compile("`([^`\\s]+ [^`]*)`([,.;:)]*)|\\S+")

// escapeWords keeps plain words, and shows other words as code, without the punctuation of the sentence.
func escapeWords(text string) string {
	var out, odd []string
	var opening string // punctuation before the first word that needs code
	flush := func() {
		if len(odd) > 0 {
			out = append(out, opening+codeSpan(strings.Join(odd, " ")))
			odd, opening = nil, ""
		}
	}
	for _, found := range quotedWord.FindAllStringSubmatch(text, -1) {
		w, command, stops := found[0], found[1], found[2]
		if command != "" {
			flush()
			out = append(out, codeSpan(command)+stops)
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

// unpunctuated splits off the punctuation before and after a word. A parenthesis stays if it opens and closes
// within the word.
func unpunctuated(word string) (before, bare, after string) {
	bare = strings.TrimRight(word, ",.;:")
	if inner := strings.TrimPrefix(bare, "("); inner != bare &&
		!strings.ContainsAny(strings.TrimSuffix(inner, ")"), "()") {
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
