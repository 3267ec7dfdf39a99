package wikipedia

import (
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// clean gives valid text without control characters: what JSON can smuggle in as NUL,
// escape sequences or halves of surrogate pairs (which decode to U+FFFD).
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return '\n'
		case unicode.IsControl(r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
}

// decodeEntities undoes HTML's escapes, and cleans what they hid.
func decodeEntities(s string) string { return clean(html.UnescapeString(clean(s))) }

func oneLine(s string) string { return strings.Join(strings.Fields(decodeEntities(s)), " ") }

// paragraphs keeps line breaks, which end sentences such as headings, one at a time.
func paragraphs(s string) string {
	var out []string
	for line := range strings.Lines(decodeEntities(s)) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// ref is the page's lasting name: its canonical URL, else the one by its id.
func (p page) ref(endpoint string) string {
	if hostOf(p.url) != "" {
		return p.url
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		u = &url.URL{} // Validate has parsed it
	}
	return u.ResolveReference(&url.URL{Path: "/", RawQuery: "curid=" + strconv.FormatInt(p.id, 10)}).String()
}

// hostOf gives the host of a web address of reasonable length, "" of anything else.
func hostOf(link string) string {
	const most = 2000
	u, err := url.Parse(link)
	if err != nil || len(link) > most || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return u.Host
}
