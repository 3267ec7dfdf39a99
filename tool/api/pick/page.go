package pick

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/antchfx/htmlquery"
	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"
	"golang.org/x/net/html"
)

// xml picks from an XML document. A DOCTYPE is passed over; its entities are not known, so their use is an error.
func (p *Pick) xml(ctx context.Context, source string, hide func(string) string) (any, error) {
	if depth(source) > maxDepth {
		return nil, errors.New("its elements nest too deep")
	}
	same := func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // decode has made it UTF-8
	root, err := xmlquery.ParseWithOptions(strings.NewReader(source),
		xmlquery.ParserOptions{Decoder: &xmlquery.DecoderOptions{Strict: true, CharsetReader: same}})
	if err != nil {
		return nil, errors.New("it is not well-formed XML, or it is incomplete")
	}
	if !hasElement(root) {
		return nil, errors.New("it is not XML")
	}
	return p.page(ctx, xmlquery.CreateXPathNavigator(root), func(at xpath.NodeNavigator) string {
		return at.(*xmlquery.NodeNavigator).Current().InnerText()
	}, hide)
}

func hasElement(root *xmlquery.Node) bool {
	for n := root.FirstChild; n != nil; n = n.NextSibling {
		if n.Type == xmlquery.ElementNode {
			return true
		}
	}
	return false
}

// html picks from a page. The parser refuses elements nested deeper than 512.
func (p *Pick) html(ctx context.Context, source string, hide func(string) string) (any, error) {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return nil, errors.New("it is not HTML, or its elements nest too deep")
	}
	return p.page(ctx, htmlquery.CreateXPathNavigator(root), func(at xpath.NodeNavigator) string {
		return textOf(at.(*htmlquery.NodeNavigator).Current())
	}, hide)
}

func (p *Pick) page(_ context.Context, root xpath.NodeNavigator, inner func(xpath.NodeNavigator) string,
	hide func(string) string) (v any, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case errSlow:
			v, err = nil, errors.New("its parts cannot be picked in reasonable time")
		default: // the library panics on some arguments of functions
			v, err = nil, errors.New("its parts cannot be picked")
			_ = fault
		}
	}()
	return p.of(node{root, new(int), inner}, hide), nil
}

// maxDepth is the maximum depth of an XML document.
const maxDepth = 2000

// depth returns the depth of an XML document from its tags alone, without reading it; comments may make it larger.
func depth(source string) int {
	now, most := 0, 0
	for {
		i := strings.IndexByte(source, '<')
		if i < 0 || i+1 >= len(source) {
			return most
		}
		source = source[i+1:]
		switch c := source[0]; {
		case c == '/':
			now--
		case c == '!' || c == '?':
		default:
			now++
			most = max(most, now)
			if end := strings.IndexByte(source, '>'); end > 0 && source[end-1] == '/' {
				now--
			}
		}
	}
}
