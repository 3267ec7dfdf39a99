package baidu

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// Bounds in bytes. A snippet is as long as the corpus would show it.
const (
	maxTitle   = 300
	maxSnippet = 1200
	maxLink    = 2000
)

// writer collects text with white space collapsed, up to a bound. Control characters,
// halves of characters and the private-use code points of icon fonts are left out.
type writer struct {
	strings.Builder
	gap bool // white space is due before the next word
	max int
}

func (w *writer) add(s string) {
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			w.gap = w.Len() > 0
			continue
		case unicode.IsControl(r), r == utf8.RuneError, unicode.Is(unicode.Co, r):
			continue
		}
		length := utf8.RuneLen(r)
		if w.gap {
			length++
		}
		if w.Len()+length > w.max {
			w.max = 0 // full: nothing shorter may slip in behind the cut
			return
		}
		if w.gap {
			w.WriteByte(' ')
			w.gap = false
		}
		w.WriteRune(r)
	}
}

func clean(s string, limit int) string {
	w := writer{max: limit}
	w.add(s)
	return w.String()
}

// textOf is what a reader sees of a selection: no scripts and no styles, words of
// different blocks apart, at most limit bytes.
func textOf(s *goquery.Selection, limit int) string {
	w := writer{max: limit}
	for _, n := range s.Nodes {
		w.node(n)
	}
	return w.String()
}

func (w *writer) node(n *html.Node) {
	if w.Len() >= w.max {
		return
	}
	if n.Type == html.TextNode {
		w.add(n.Data)
		return
	}
	switch n.Data {
	case "script", "style", "noscript", "template", "textarea":
		return
	case "p", "div", "br", "li", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "section", "dt", "dd":
		w.add(" ")
		defer w.add(" ")
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}
