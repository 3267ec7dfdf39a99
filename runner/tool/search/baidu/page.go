package baidu

import (
	"errors"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
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
	var blocks []*html.Node
	for _, n := range container.Nodes {
		blocks, _ = appendBlocks(blocks, n)
	}
	for _, n := range blocks[:min(len(blocks), maxBlocks)] {
		if len(p.hits) == limit {
			break
		}
		if h, ok := readBlock(goquery.NewDocumentFromNode(n).Selection); ok {
			p.hits = append(p.hits, h)
		}
	}
	return p, nil
}

// appendBlocks gathers the blocks of results, none inside another, so that the page is
// read once however it nests: a div of class result or result-op; where it holds no such
// one, a div with data-log, unless that merely wraps several blocks.
func appendBlocks(blocks []*html.Node, n *html.Node) (_ []*html.Node, classed bool) {
	isDiv := n.Type == html.ElementNode && n.Data == "div"
	it := goquery.NewDocumentFromNode(n)
	if isDiv && (it.HasClass("result") || it.HasClass("result-op")) {
		return append(blocks, n), true
	}
	before := len(blocks)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		var found bool
		blocks, found = appendBlocks(blocks, c)
		classed = classed || found
	}
	if _, logged := it.Attr("data-log"); isDiv && logged && !classed && len(blocks)-before < 2 {
		blocks = append(blocks[:before], n)
	}
	return blocks, classed
}
