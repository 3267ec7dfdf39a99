package pick

import (
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// The kinds of a Format.
const (
	JSON = "json"
	Text = "text"
	XML  = "xml"
	HTML = "html"
)

// Format says how the body of a reply is read. The zero value reads JSON.
type Format struct {
	kind    string
	pick    *Pick  // of XML and HTML
	orJSON  bool   // a body of XML or HTML that begins with { or [ is JSON
	charset string // of bodies that do not name theirs and are not UTF-8
}

// Kind returns JSON, Text, XML or HTML.
func (f *Format) Kind() string {
	if f.kind == "" {
		return JSON
	}
	return f.kind
}

// UnmarshalNode reads json, text, {xml: PICK} or {html: PICK}, the last two with json: true and charset: NAME.
func (f *Format) UnmarshalNode(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		if n.Value != JSON && n.Value != Text {
			return strictyaml.Errorf(n, "read is json, text, {xml: PICK} or {html: PICK}, not %s", strictyaml.Describe(n))
		}
		f.kind = n.Value
		return nil
	}
	var given struct {
		XML     *Pick  `yaml:"xml"`
		HTML    *Pick  `yaml:"html"`
		JSON    bool   `yaml:"json"`
		Charset string `yaml:"charset"`
	}
	if err := strictyaml.DecodeNode(n, &given); err != nil {
		return err
	}
	if given.Charset != "" {
		if e, _ := charset.Lookup(given.Charset); e == nil {
			return strictyaml.Errorf(n, "the charset %q is not known", given.Charset)
		}
	}
	f.orJSON, f.charset = given.JSON, given.Charset
	switch {
	case given.XML != nil && given.HTML == nil:
		f.kind, f.pick = XML, given.XML
	case given.HTML != nil && given.XML == nil:
		f.kind, f.pick = HTML, given.HTML
	default:
		return strictyaml.Errorf(n, "read wants one of xml and html, with the parts to pick")
	}
	return nil
}

// Body is a body that was read.
type Body struct {
	Text  string // the whole body in UTF-8
	Value any    // what Format says; Text, cut to MaxText, if Err is not nil
	Err   error  // the body is not what Format says
}

// MaxText is the maximum length in bytes of one text of a reply.
const MaxText = 64 << 10

// Read reads a body. contentType is the header of the reply; "" if it has none. Texts that are cut are passed through
// hide before, so that no part of a key remains.
func (f *Format) Read(ctx context.Context, body []byte, contentType string, hide func(string) string) Body {
	text := f.decode(body, contentType)
	value, err := f.read(ctx, text, hide)
	if err != nil {
		return Body{text, cut(text, hide), err}
	}
	return Body{text, value, nil}
}

func (f *Format) read(ctx context.Context, text string, hide func(string) string) (any, error) {
	begins := strings.TrimLeft(text, " \t\r\n")
	switch kind := f.Kind(); {
	case kind == Text:
		return cut(text, hide), nil
	case kind == JSON, f.orJSON && begins != "" && slices.Contains([]byte("{["), begins[0]):
		return readJSON(text, hide)
	case strings.TrimSpace(text) == "":
		return nil, errors.New("it is empty")
	case kind == XML:
		return f.pick.xml(ctx, text, hide)
	}
	return f.pick.html(ctx, text, hide)
}
