package corpus

import (
	"fmt"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/guard/inject"
)

// The elements that end a line or a cell of a page, and the mark before a heading, repeated once for each
// level. The mark is a control character, which pages do not show.
const (
	endLines    = "p, div, br, li, tr, dd, dt, pre, blockquote, section, article, h1, h2, h3, h4, h5, h6"
	endCells    = "td, th"
	headingMark = "\x01"
)

// html reads the text that a browser would show of a page.
func (r *reader) html(name, source string) {
	source = strings.ReplaceAll(strings.ReplaceAll(inject.Visible(source), "\n", " "), headingMark, "")
	page, err := goquery.NewDocumentFromReader(strings.NewReader(source))
	if err != nil { // all text is HTML, but elements may be nested too deep
		r.fail(name, 0, "cannot be read as a page: %v; save it as .txt or .md, or close its elements", err)
		return
	}
	title := strings.Join(strings.Fields(page.Find("title").First().Text()), " ")
	page.Find("head, script, style, noscript, template").Remove()
	for level := 1; level <= 6; level++ {
		page.Find(fmt.Sprintf("h%d", level)).PrependNodes(&html.Node{Type: html.TextNode,
			Data: "\n" + strings.Repeat(headingMark, level)})
	}
	page.Find(endLines).AppendNodes(&html.Node{Type: html.TextNode, Data: "\n"})
	page.Find(endCells).AppendNodes(&html.Node{Type: html.TextNode, Data: " "})
	var text strings.Builder
	for line := range strings.Lines(page.Text()) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			text.WriteString(line + "\n")
		}
	}
	r.passages(name, title, sections(text.String(), func(line string) (int, string) {
		heading := strings.TrimLeft(line, headingMark)
		if strings.TrimSpace(heading) == "" {
			return 0, ""
		}
		return len(line) - len(heading), strings.TrimSpace(heading)
	}))
}
