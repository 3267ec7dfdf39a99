package wikipedia

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/tool/search"
)

// oneLine decodes HTML escapes, and then cleans the text.
func oneLine(s string) string { return search.OneLine(html.UnescapeString(s)) }

// Selectors of MediaWiki's elements that are not the text of a page, and of the elements at whose ends a line
// or a cell ends.
const (
	beside   = "style, script, [hidden], .mw-editsection, .reference, .references, .navbox, .noprint, .toc"
	endLines = "p, div, br, li, tr, dd, dt, h1, h2, h3, h4, h5, h6"
	endCells = "td, th"
)

// textOf returns the visible text of HTML, one line for each paragraph; "" if it is nested too deeply.
func textOf(source string) string {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(strings.ReplaceAll(source, "\n", " ")))
	if err != nil {
		return ""
	}
	doc.Find(beside).Remove()
	doc.Find("[style]").FilterFunction(func(_ int, s *goquery.Selection) bool {
		style := strings.ToLower(strings.Join(strings.Fields(s.AttrOr("style", "")), ""))
		return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
	}).Remove()
	doc.Find(endLines).AppendNodes(&html.Node{Type: html.TextNode, Data: "\n"})
	doc.Find(endCells).AppendNodes(&html.Node{Type: html.TextNode, Data: " "})
	return paragraphs(doc.Text())
}

// paragraphs keeps single line breaks, because they end sentences such as headings.
func paragraphs(s string) string {
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(s, "\r", "\n")) {
		if line = search.OneLine(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// ref returns the permanent name of a page: its canonical URL or, without one, a URL with its id.
func (p page) ref(endpoint string) string {
	if search.HostOf(p.url) != "" {
		return p.url
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		u = &url.URL{} // New has parsed it, so it is valid
	}
	return u.ResolveReference(&url.URL{Path: "/", RawQuery: "curid=" + strconv.FormatInt(p.id, 10)}).String()
}
