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

// page is what is read of an HTML page.
type page struct {
	title string
	text  string // of the body, as a reader sees it
	hits  []hit
}

// maxBlocks bounds the work on a page that is made of blocks and holds no result.
const maxBlocks = 200

// hit is one result, on its way to become a document.
type hit struct{ title, link, snippet string }

// parsePage reads at most limit results. The parser refuses elements nested over 512
// deep, which bounds the recursions here.
func parsePage(source string, limit int) (page, error) {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(source))
	if err != nil {
		return page{}, errors.New("the page is no HTML that can be read: its elements nest too deep")
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
		// neither around nor within one
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

// Where a snippet stands, by preference. The last class ends in a hash that changes with every release of the page.
var snippets = []string{".c-abstract", "div.c-span-last", `[class^="content-right_"], [class*=" content-right_"]`}

// What marks an advertisement, on the block or inside it.
const advertisement = `[data-tuiguang], [cmatchid], [class*="tuiguang"], [class^="ec_"], [class*=" ec_"]`

// readBlock reads one result; false is an advertisement, a widget, or whatever else has no link to cite.
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
	if heading.Length() == 0 && snippet != "" { // without either it is navigation
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
	if h.snippet == "" { // the class names have changed: what is not the heading will do
		block.Find("h3").Remove()
		h.snippet = textOf(block, maxSnippet)
	}
	return h, true
}

// resolve gives a link that can be cited, or nothing. Links are read as they stand on
// Baidu's own page, whatever host served it.
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
	// nourl.ubs.baidu.com stands in mu for cards that have no address.
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.Host == "nourl.ubs.baidu.com" {
		return ""
	}
	u.User = nil
	if link := u.String(); len(link) <= search.MaxLink {
		return link
	}
	return ""
}

// isRedirect says that a link leads to its page by way of Baidu.
func isRedirect(link string) bool { return onBaidu(link, "/link") }

// isPaid says that a link is an advertiser's.
func isPaid(link string) bool { return onBaidu(link, "/baidu.php") }

func onBaidu(link, path string) bool {
	u, err := url.Parse(link)
	return err == nil && (u.Hostname() == "baidu.com" || u.Hostname() == "www.baidu.com") && u.Path == path
}

// Bounds in bytes. A snippet is as long as the corpus would show it.
const (
	maxTitle   = 300
	maxSnippet = 1200
)

// clean makes a text fit to show, in at most limit bytes, without the private-use code points of icon fonts.
func clean(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Co, r) {
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(text.Head(search.OneLine(s), limit))
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
