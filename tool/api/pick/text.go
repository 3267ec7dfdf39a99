package pick

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-5817661a/concur/tool/search"
)

// hidden lists elements whose content a reader does not see.
var hidden = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true,
	atom.Iframe: true, atom.Textarea: true}

// inline lists elements that do not separate words. All others do.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.Acronym: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true,
	atom.Cite: true, atom.Code: true, atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true,
	atom.I: true, atom.Ins: true, atom.Kbd: true, atom.Label: true, atom.Mark: true, atom.Q: true, atom.S: true,
	atom.Samp: true, atom.Small: true, atom.Span: true, atom.Strike: true, atom.Strong: true, atom.Sub: true,
	atom.Sup: true, atom.Time: true, atom.Tt: true, atom.U: true, atom.Var: true, atom.Wbr: true,
}

// textOf returns the text of a node as a reader sees it: without scripts and styles, with blocks apart.
func textOf(n *html.Node) string {
	var out strings.Builder
	var write func(*html.Node)
	write = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			out.WriteString(n.Data)
			return
		case n.Type == html.CommentNode, n.Type == html.ElementNode && hidden[n.DataAtom]:
			return
		}
		apart := n.Type == html.ElementNode && !inline[n.DataAtom]
		if apart {
			out.WriteByte(' ')
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			write(child)
		}
		if apart {
			out.WriteByte(' ')
		}
	}
	write(n)
	return out.String()
}

// Plain returns a piece of HTML as a reader sees it: on one line, without markup, with entities resolved.
func Plain(source string) string {
	if !strings.ContainsAny(source, "<&") {
		return search.OneLine(source)
	}
	var out strings.Builder
	var within atom.Atom // the element without visible content that is open
	tokens := html.NewTokenizerFragment(strings.NewReader(source), "div")
	for {
		kind := tokens.Next()
		switch kind {
		case html.ErrorToken:
			return search.OneLine(out.String())
		case html.TextToken:
			if within == 0 {
				out.Write(tokens.Text())
			}
			continue
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		name, _ := tokens.TagName()
		a := atom.Lookup(name)
		switch {
		case kind == html.StartTagToken && within == 0 && hidden[a]:
			within = a
		case kind == html.EndTagToken && within == a:
			within = 0
		}
		if !inline[a] {
			out.WriteByte(' ')
		}
	}
}
