package inject

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/internal/text"
)

// This file finds the text of an HTML page that a browser does not show. It tracks open elements like the
// parser of the HTML standard, as far as nesting requires it. The cost of a token does not depend on the
// number of open elements.

//go:embed elements.tsv
var elementTable string

// elementKinds returns the kinds of each element, from elements.tsv.
var elementKinds = sync.OnceValue(func() map[string][]string {
	kinds := map[string][]string{}
	for _, row := range text.Rows(elementTable, 2) {
		for name := range strings.FieldsSeq(row[1]) {
			kinds[name] = append(kinds[name], row[0])
		}
	}
	return kinds
})

// span is a part of a text, from byte start to byte end.
type span struct{ start, end int }

// markup has the parts of a text that a browser does not show.
type markup struct {
	hidden     []span   // comments and hidden elements, with their tags
	attributes []string // values of attributes that may have text
	steps      int      // number of tokens read and elements closed, for the test of linear time
}

// page is the state of reading a text as HTML.
type page struct {
	markup
	lower   string // the text in lower case
	open    []element
	at      map[string][]int // for each element name and each kind: its indexes in open
	closing map[string]int   // for each name: the offset of its last end tag, or -1
	rules   map[string]declarations
	says    bool // the last hidden part has more than tags
}

type element struct {
	name string
	look look
}

// readMarkup finds the parts of a text that a browser does not show. If an element has no end tag, it ends with
// its parent, or with the text, as in a browser. There is one exception: an element that only its name hides
// (script, template). Without an end tag, it counts as text that mentions the name, and is not hidden.
func readMarkup(text string) markup {
	lower := strings.Map(lowerASCII, text)
	p := page{lower: lower, at: map[string][]int{}, closing: map[string]int{}, rules: styleSheet(lower)}
	tokens := html.NewTokenizer(strings.NewReader(text))
	for start, end := 0, 0; ; start = end {
		kind := tokens.Next()
		end += len(tokens.Raw())
		p.steps++
		switch kind {
		case html.ErrorToken:
			p.mark(start, len(text), p.look().hides(), true)
			p.dropSilent()
			return p.markup
		case html.StartTagToken, html.SelfClosingTagToken:
			p.start(tokens, start, end)
		case html.EndTagToken:
			name, _ := tokens.TagName()
			p.mark(start, end, p.look().hides(), false)
			p.close(string(name))
		case html.CommentToken:
			p.mark(start, end, isComment(text[start:end]) || p.look().hides(), true)
		default:
			p.mark(start, end, p.look().hides(), strings.TrimSpace(text[start:end]) != "")
		}
	}
}

// isComment reports whether a comment token is really a comment. The tokenizer also returns other things as
// comments: XML sections, which contain text, and a "<!" or "<?" in prose without a ">" after it.
func isComment(token string) bool {
	return strings.HasPrefix(token, "<!--") || strings.HasSuffix(token, ">") && !strings.HasPrefix(token, "<![CDATA[")
}

// holdsText reports whether the values of an attribute are usually words.
func holdsText(attribute string) bool {
	return slices.Contains(elementKinds()[attribute], "attribute") || strings.HasPrefix(attribute, "data-")
}

// look returns the look of the text at the current position.
func (p *page) look() look {
	if len(p.open) == 0 {
		return look{}
	}
	return p.open[len(p.open)-1].look
}

// mark records a token as hidden. If the token before it is hidden too, they become one part. A hidden part
// that has only tags is not reported, because it has no text.
func (p *page) mark(start, end int, hidden, says bool) {
	switch last := len(p.hidden) - 1; {
	case !hidden || start == end:
	case last >= 0 && p.hidden[last].end == start:
		p.hidden[last].end = end
		p.says = p.says || says
	default:
		p.dropSilent()
		p.hidden = append(p.hidden, span{start, end})
		p.says = says
	}
}

func (p *page) dropSilent() {
	if len(p.hidden) > 0 && !p.says {
		p.hidden = p.hidden[:len(p.hidden)-1]
	}
	p.says = true
}

// start handles a start tag: it opens the element.
func (p *page) start(tokens *html.Tokenizer, start, end int) {
	tag, more := tokens.TagName()
	name, attributes, says := string(tag), map[string]string{}, false
	for more {
		var k, v []byte
		k, v, more = tokens.TagAttr()
		key, value := string(k), string(v)
		if _, given := attributes[key]; given {
			continue // if an attribute is repeated, its first value counts
		}
		attributes[key] = value
		if value != "" && holdsText(key) {
			p.attributes = append(p.attributes, value)
			says = true
		}
	}
	_, shows := attributes["open"]
	void, unseen := false, name == "dialog" && !shows
	for _, kind := range elementKinds()[name] {
		void, unseen = void || kind == "void", unseen || kind == "unseen"
		if closed, ok := strings.CutPrefix(kind, "closes "); ok {
			p.close(closed)
		}
	}
	if !p.closedLater(name, end) {
		tokens.NextIsNotRawText()
		unseen = false
	}
	shown := p.look().of(name, attributes, p.rules)
	shown.gone = shown.gone || unseen || !void && strings.EqualFold(attributes["aria-hidden"], "true")
	p.mark(start, end, shown.hides(), says)
	if !void {
		for _, key := range kindsOf(name) {
			p.at[key] = append(p.at[key], len(p.open))
		}
		p.open = append(p.open, element{name, shown})
	}
}

// closedLater reports whether an end tag with this name follows in the text.
func (p *page) closedLater(name string, from int) bool {
	last, known := p.closing[name]
	if !known {
		last = -1
		if len(elementKinds()[name]) > 0 {
			last = strings.LastIndex(p.lower, "</"+name)
		}
		p.closing[name] = last
	}
	return last >= from
}

// kindsOf returns the kinds of an element name, and the name itself.
func kindsOf(name string) []string { return append(slices.Clip(elementKinds()[name]), name) }

// close ends the innermost open element with the name, and all elements that are open inside it. It does
// nothing if an open element between them does not allow an end tag of this name to pass.
func (p *page) close(name string) {
	place := p.place(name)
	special := slices.Contains(elementKinds()[name], "special")
	if place < 0 || p.place("scope") > place || p.place("scope "+name) > place ||
		!special && p.place("special") > place {
		return
	}
	for len(p.open) > place {
		p.steps++
		last := p.open[len(p.open)-1].name
		for _, key := range kindsOf(last) {
			p.at[key] = p.at[key][:len(p.at[key])-1]
		}
		p.open = p.open[:len(p.open)-1]
	}
}

// place returns the index in open of the innermost element with this name or kind. It returns -1 if no such
// element is open.
func (p *page) place(key string) int {
	if places := p.at[key]; len(places) > 0 {
		return places[len(places)-1]
	}
	return -1
}

func lowerASCII(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		r += 'a' - 'A'
	}
	return r
}
