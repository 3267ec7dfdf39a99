package cite

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/runner/trace"
)

// span is a half-open range of bytes.
type span struct{ start, end int }

// mention is one bracket of a message that cites.
type mention struct {
	span
	ids []string
}

// Cited lists the ids that a message cites, each once, in order of first citation. An
// id is a backend's name and a number (corpus_1); whether such a document exists is
// for [Audit] to say. Read are [a], [a, b], [a; b] and [a][b], also in the brackets 【】
// and ［］; [1], [sic], Markdown links and brackets in code are no citations.
func Cited(message string) []string {
	var out []string
	seen := map[string]bool{}
	for _, m := range mentions(dropFences(dropEscapes(message)), nil) {
		for _, id := range m.ids {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// maxBracket bounds the bytes of a bracket that is taken for a citation.
const maxBracket = 400

// backends are the names that ids of a trace begin with; nil stands for any.
type backends map[string]bool

// backendsOf lists the search backends, and those whose documents a trace has: without
// them every x_1 in brackets, an index or an interval, would be a citation.
func backendsOf(docs []trace.Document) backends {
	b := backends{"corpus": true, "wiki": true, "serp": true, "baidu": true}
	for _, d := range docs {
		if isID(d.ID) {
			b[backendOf(d.ID)] = true
		}
	}
	return b
}

func backendOf(id string) string { return id[:strings.LastIndexByte(id, '_')] }

// issued reports whether an id is one that a ledger may have given.
func (b backends) issued(id string) bool {
	return isID(id) && (b == nil || b[backendOf(id)])
}

// mentions finds the citations of a text in order.
func mentions(text string, known backends) []mention {
	var out []mention
	code := codeSpans(text)
	for i := 0; i < len(text); {
		open := strings.IndexAny(text[i:], "[【［")
		if open < 0 {
			break
		}
		start := i + open
		_, width := utf8.DecodeRuneInString(text[start:])
		inner, end, closed := bracket(text, start+width)
		i = start + width
		if !closed {
			continue
		}
		for len(code) > 0 && code[0].end <= start {
			code = code[1:]
		}
		inCode := len(code) > 0 && code[0].start < start
		isLink := strings.HasPrefix(text[end:], "(")
		if ids := bracketIDs(inner, known); len(ids) > 0 && !inCode && !isLink {
			out = append(out, mention{span{start, end}, ids})
			i = end
		}
	}
	return out
}

// bracket reads up to the closing bracket: not across another opening one, nor far.
func bracket(text string, from int) (inner string, end int, closed bool) {
	limit := min(len(text), from+maxBracket)
	for i, r := range text[from:limit] {
		switch r {
		case '[', '【', '［', '\n':
			return "", 0, false
		case ']', '】', '］':
			return text[from : from+i], from + i + utf8.RuneLen(r), true
		}
	}
	return "", 0, false
}

// leadIn is what some models write before the first id of a bracket.
var leadIn = regexp.MustCompile(`(?i)^\s*(?:(?:sources?|see|documents?|docs?|refs?|ids?)\b[:\s]*)?`)

// bracketIDs lists the ids of a bracket. One that does not begin with an id cites nothing;
// behind it other words may follow, as in [corpus_1: The Nile].
func bracketIDs(inner string, known backends) []string {
	inner = inner[len(leadIn.FindString(inner)):]
	var ids []string
	for i, part := range strings.FieldsFunc(inner, separatesIDs) {
		id := strings.Trim(part, "^*_`\\")
		switch {
		case known.issued(id):
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		case i == 0:
			return nil
		}
	}
	return ids
}

func separatesIDs(r rune) bool {
	switch r {
	case ',', ';', ':', '|', '&', ' ', '\t', '，', '；', '：', '、', '\u00a0':
		return true
	}
	return false
}

// isID tells the shape that the ledger gives ids: a backend's name and a number.
func isID(s string) bool {
	cut := strings.LastIndexByte(s, '_')
	if cut < 1 || cut == len(s)-1 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		digit, letter := c >= '0' && c <= '9', c >= 'a' && c <= 'z'
		switch {
		case i == cut:
		case i == 0 && !letter, i > cut && !digit, !digit && !letter:
			return false
		}
	}
	return true
}
