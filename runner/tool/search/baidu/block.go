package baidu

import (
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/seed-5817661a/concur/runner/tool/search"
)

// Where a snippet stands, by preference. The last class ends in a hash that changes with
// every release of the page.
var snippets = []string{".c-abstract", "div.c-span-last", `[class^="content-right_"], [class*=" content-right_"]`}

// What marks an advertisement, on the block or inside it.
const advertisement = `[data-tuiguang], [cmatchid], [class*="tuiguang"], [class^="ec_"], [class*=" ec_"]`

// readBlock reads one result; false is an advertisement, a widget, or whatever else has
// no link to cite.
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
