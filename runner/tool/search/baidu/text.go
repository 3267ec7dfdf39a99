package baidu

import (
	"strings"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/runner/tool/search"
)

// Bounds in bytes. A snippet is as long as the corpus would show it.
const (
	maxTitle   = 300
	maxSnippet = 1200
)

// clean makes a text fit to show, in at most limit bytes, without the private-use code points of
// icon fonts.
func clean(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Co, r) {
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(search.Cut(search.OneLine(s), limit))
}

// spaceOut prepares a page for textOf: no scripts and no styles, words of different blocks apart.
func spaceOut(doc *goquery.Document) {
	doc.Find("script, style, noscript, template, textarea").Remove()
	space := &html.Node{Type: html.TextNode, Data: " "}
	blocks := doc.Find("p, div, br, li, tr, td, th, h1, h2, h3, h4, h5, h6, section, dt, dd")
	blocks.PrependNodes(space).AppendNodes(space)
}

// textOf is what a reader sees of a selection, at most limit bytes.
func textOf(s *goquery.Selection, limit int) string { return clean(s.Text(), limit) }
