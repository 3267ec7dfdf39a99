package wikipedia

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// clean gives valid text without control characters: what JSON can smuggle in as NUL,
// escape sequences or halves of surrogate pairs (which decode to U+FFFD).
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return '\n'
		case unicode.IsControl(r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
}

// decodeEntities undoes HTML's escapes, and cleans what they hid.
func decodeEntities(s string) string { return clean(html.UnescapeString(clean(s))) }

func oneLine(s string) string { return strings.Join(strings.Fields(decodeEntities(s)), " ") }

// What MediaWiki shows beside the text of a page, and where a line or a cell of it ends.
const (
	beside   = "style, script, [hidden], .mw-editsection, .reference, .references, .navbox, .noprint, .toc"
	endLines = "p, div, br, li, tr, dd, dt, h1, h2, h3, h4, h5, h6"
	endCells = "td, th"
)

// textOf is what a reader sees of HTML, a paragraph a line; "" if it is nested too deeply.
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
	return paragraphs(clean(doc.Text()))
}

// paragraphs keeps line breaks, which end sentences such as headings, one at a time.
func paragraphs(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// ref is the page's lasting name: its canonical URL, else the one by its id.
func (p page) ref(endpoint string) string {
	if hostOf(p.url) != "" {
		return p.url
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		u = &url.URL{} // Validate has parsed it
	}
	return u.ResolveReference(&url.URL{Path: "/", RawQuery: "curid=" + strconv.FormatInt(p.id, 10)}).String()
}

// hostOf gives the host of a web address of reasonable length, "" of anything else.
func hostOf(link string) string {
	const most = 2000
	u, err := url.Parse(link)
	if err != nil || len(link) > most || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return u.Host
}
