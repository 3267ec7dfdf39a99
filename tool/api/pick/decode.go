package pick

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// declared matches the encoding in the declaration of an XML document.
var declared = lazy.Compile(`^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// prescan is the length of the beginning of a page in which HTML looks for its charset.
const prescan = 1024

// decode returns a body as UTF-8. Its charset is given by a byte order mark, by contentType, or by the document
// itself. If nothing gives it, the body is read as UTF-8 if that is valid, and otherwise in the charset of the
// file.
func (f *Format) decode(body []byte, contentType string) string {
	e := f.encodingOf(body, contentType)
	if e == nil || e == encoding.Nop {
		return strings.ToValidUTF8(string(bytes.TrimPrefix(body, []byte("\uFEFF"))), "\uFFFD")
	}
	out, err := e.NewDecoder().Bytes(body)
	if err != nil {
		out = body
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(out), "\uFEFF"), "\uFFFD")
}

// encodingOf returns the encoding of a body; nil for UTF-8.
func (f *Format) encodingOf(body []byte, contentType string) encoding.Encoding {
	if bytes.HasPrefix(body, []byte("\uFEFF")) {
		return nil
	}
	for mark, name := range map[string]string{"\xFE\xFF": "utf-16be", "\xFF\xFE": "utf-16le"} {
		if bytes.HasPrefix(body, []byte(mark)) {
			e, _ := charset.Lookup(name)
			return e
		}
	}
	if _, parameters, err := mime.ParseMediaType(contentType); err == nil {
		if e, known := lookup(parameters["charset"]); known {
			return e
		}
	}
	head := body[:min(len(body), prescan)]
	if m := declared.FindSubmatch(head); m != nil {
		if e, known := lookup(string(m[1])); known {
			return e
		}
	}
	if f.kind == HTML {
		// The library returns windows-1252 for a page that does not name its charset.
		if e, name, _ := charset.DetermineEncoding(head, ""); name != "windows-1252" || bytes.Contains(bytes.ToLower(head),
			[]byte("windows-1252")) {
			if name == "utf-8" {
				return nil
			}
			return e
		}
	}
	if utf8.Valid(body) || f.charset == "" {
		return nil
	}
	e, _ := charset.Lookup(f.charset)
	return e
}

// lookup returns the encoding of a name; nil for UTF-8.
func lookup(name string) (e encoding.Encoding, known bool) {
	e, canonical := charset.Lookup(name)
	if canonical == "utf-8" {
		e = nil
	}
	return e, canonical != ""
}
