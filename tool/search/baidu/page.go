package baidu

import (
	"errors"
	"net/url"
	"strings"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/tool/search"
)

// page has the parts that are read from an HTML page.
type page struct {
	title string
	text  string // visible text of the body
	hits  []hit
}

// maxBlocks limits the number of blocks that are read, for pages with many blocks that are not results.
const maxBlocks = 200

// hit is one result before it becomes a document.
type hit struct{ title, link, snippet string }

// parsePage reads at most limit results. The HTML parser refuses elements nested deeper than 512, which also
// limits the recursion in this package.
func parsePage(source string, limit int) (page, error) {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(source))
	if err != nil {
		return page{}, errors.New("the page cannot be read as HTML: its elements nest too deep")
	}
	spaceOut(doc)
	p := page{
		title: textOf(doc.Find("title").Not("svg title").First(), maxTitle),
		text:  textOf(doc.Find("body"), len(source)),
	}
	container := doc.Find("#content_left").First()
	if container.Length() == 0 {
		container = doc.Selection
	}
	const result = "div.result, div.result-op"
	blocks := container.Find(result + ", div[data-log]").FilterFunction(func(_ int, s *goquery.Selection) bool {
		// Neither around a result nor inside one.
		return s.Is(result) || s.Find(result).Length() == 0 && s.ParentsFiltered(result).Length() == 0
	})
	for _, n := range blocks.Nodes[:min(blocks.Length(), maxBlocks)] {
		if len(p.hits) == limit {
			break
		}
		if h, ok := readBlock(goquery.NewDocumentFromNode(n).Selection); ok {
			p.hits = append(p.hits, h)
		}
	}
	return p, nil
}

// snippets are selectors of a result's snippet, the preferred ones first. The last class ends in a hash that
// changes with every release of the page.
var snippets = []string{".c-abstract", "div.c-span-last", `[class^="content-right_"], [class*=" content-right_"]`}

// advertisement selects the marks of an advertisement, on a block or inside it.
const advertisement = `[data-tuiguang], [cmatchid], [class*="tuiguang"], [class^="ec_"], [class*=" ec_"]`

// readBlock reads one result. ok is false for an advertisement, a widget, or another block without a link
// that can be cited.
func readBlock(block *goquery.Selection) (hit, bool) {
	if block.Is(advertisement) || block.Find(advertisement).Length() > 0 {
		return hit{}, false
	}
	snippet := ""
	for _, selector := range snippets {
		if snippet = textOf(block.Find(selector).First(), maxSnippet); snippet != "" {
			break
		}
	}
	heading := block.Find("h3 a").First()
	if heading.Length() == 0 && snippet != "" { // a block without heading and snippet is navigation
		heading = block.Find("a").First()
	}
	h := hit{title: textOf(heading, maxTitle), snippet: snippet}
	href, _ := heading.Attr("href")
	h.link = resolve(href)
	if h.title == "" || h.link == "" || isPaid(h.link) {
		return hit{}, false
	}
	if real := resolve(block.AttrOr("mu", "")); real != "" && isRedirect(h.link) && !isRedirect(real) {
		h.link = real
	}
	if h.snippet == "" { // the class names have changed, so use all text outside of the heading
		block.Find("h3").Remove()
		h.snippet = textOf(block, maxSnippet)
	}
	return h, true
}

// resolve returns the absolute form of a link, or "" if it cannot be cited. Links are relative to Baidu's own
// page, even if another host served the page.
func resolve(href string) string {
	href = strings.TrimSpace(href)
	if href == "" || len(href) > search.MaxLink {
		return ""
	}
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	u = (&url.URL{Scheme: "https", Host: "www.baidu.com", Path: "/s"}).ResolveReference(u)
	// nourl.ubs.baidu.com is the attribute mu of cards without an address.
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.Host == "nourl.ubs.baidu.com" {
		return ""
	}
	u.User = nil
	if link := u.String(); len(link) <= search.MaxLink {
		return link
	}
	return ""
}

// isRedirect reports whether a link leads to another site through Baidu.
func isRedirect(link string) bool { return onBaidu(link, "/link") }

// isPaid reports whether a link leads to an advertiser.
func isPaid(link string) bool { return onBaidu(link, "/baidu.php") }

func onBaidu(link, path string) bool {
	u, err := url.Parse(link)
	return err == nil && (u.Hostname() == "baidu.com" || u.Hostname() == "www.baidu.com") && u.Path == path
}

// Limits in bytes. A snippet may be as long as in results of the corpus.
const (
	maxTitle   = 300
	maxSnippet = 1200
)

// clean returns a text as one line of at most limit bytes, without the private-use characters of icon fonts.
func clean(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Co, r) {
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(text.Head(search.OneLine(s), limit))
}

// spaceOut prepares a page for textOf: it removes scripts and styles, and inserts spaces between words of
// different blocks.
func spaceOut(doc *goquery.Document) {
	doc.Find("script, style, noscript, template, textarea").Remove()
	space := &html.Node{Type: html.TextNode, Data: " "}
	blocks := doc.Find("p, div, br, li, tr, td, th, h1, h2, h3, h4, h5, h6, section, dt, dd")
	blocks.PrependNodes(space).AppendNodes(space)
}

// textOf returns the visible text of a selection, at most limit bytes.
func textOf(s *goquery.Selection, limit int) string { return clean(s.Text(), limit) }
