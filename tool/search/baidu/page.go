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

// page holds the parts that are read from an HTML page.
type page struct {
	title string
	text  string // visible text of the body
	hits  []hit
}

// maxBlocks limits the work on a page that consists of blocks without results.
const maxBlocks = 200

// hit is one result before it becomes a document.
type hit struct{ title, link, snippet string }

// parsePage reads at most limit results. The parser refuses elements nested deeper than 512, which limits the
// recursion here.
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
		// neither around a result nor within one
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

// snippets selects the place of a snippet, by preference. The last class ends in a hash that changes with
// every release of the page.
var snippets = []string{".c-abstract", "div.c-span-last", `[class^="content-right_"], [class*=" content-right_"]`}

// advertisement selects the marks of an advertisement, on the block or inside it.
const advertisement = `[data-tuiguang], [cmatchid], [class*="tuiguang"], [class^="ec_"], [class*=" ec_"]`

// readBlock reads one result; false for an advertisement, a widget, or another block without a link to cite.
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
	if heading.Length() == 0 && snippet != "" { // a block without either is navigation
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
	if h.snippet == "" { // the class names have changed: use all text outside of the heading
		block.Find("h3").Remove()
		h.snippet = textOf(block, maxSnippet)
	}
	return h, true
}

// resolve returns a link that can be cited; "" without one. Links are resolved against Baidu's own page,
// whichever host served it.
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
	// nourl.ubs.baidu.com is the mu attribute of cards without an address.
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.Host == "nourl.ubs.baidu.com" {
		return ""
	}
	u.User = nil
	if link := u.String(); len(link) <= search.MaxLink {
		return link
	}
	return ""
}

// isRedirect reports whether a link leads to its page through Baidu.
func isRedirect(link string) bool { return onBaidu(link, "/link") }

// isPaid reports whether a link is an advertiser's.
func isPaid(link string) bool { return onBaidu(link, "/baidu.php") }

func onBaidu(link, path string) bool {
	u, err := url.Parse(link)
	return err == nil && (u.Hostname() == "baidu.com" || u.Hostname() == "www.baidu.com") && u.Path == path
}

// Limits in bytes. A snippet is as long as the corpus would show it.
const (
	maxTitle   = 300
	maxSnippet = 1200
)

// clean returns at most limit bytes of a text as one line, without the private-use code points of icon fonts.
func clean(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Co, r) {
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(text.Head(search.OneLine(s), limit))
}

// spaceOut prepares a page for textOf: it removes scripts and styles, and separates words of different
// blocks.
func spaceOut(doc *goquery.Document) {
	doc.Find("script, style, noscript, template, textarea").Remove()
	space := &html.Node{Type: html.TextNode, Data: " "}
	blocks := doc.Find("p, div, br, li, tr, td, th, h1, h2, h3, h4, h5, h6, section, dt, dd")
	blocks.PrependNodes(space).AppendNodes(space)
}

// textOf returns the visible text of a selection, at most limit bytes.
func textOf(s *goquery.Selection, limit int) string { return clean(s.Text(), limit) }
