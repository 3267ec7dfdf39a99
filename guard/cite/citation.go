package cite

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// mention is a bracket with citations in a message.
type mention struct {
	text.Span
	ids []string
}

// Cited lists the ids that a message cites, each once, in order of first citation. An id is a backend's name
// and a number (corpus_1). Cited does not check whether the document exists; [Audit] does. Cited reads [a], [a,
// b], [a; b] and [a][b], also in the brackets 【】 and ［］. It does not read [1], [sic], Markdown links, and
// brackets in code as citations.
func Cited(message string) []string { return idsOf(mentions(dropFences(dropEscapes(message)), nil)) }

// idsOf returns the ids of citations without repeats, in order.
func idsOf(cites []mention) []string {
	var out []string
	seen := map[string]bool{}
	for _, m := range cites {
		for _, id := range m.ids {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// maxBracket is the maximum length of a citation's bracket, in bytes.
const maxBracket = 400

// backends is the set of names with which the ids of a trace can begin. If it is nil, any name is allowed.
type backends map[string]bool

// backendsOf returns the names of the built-in search backends and of the backends of the trace's documents.
// They are needed because otherwise every x_1 in brackets, such as an index, would count as a citation.
func backendsOf(docs []trace.Document) backends {
	b := backends{"corpus": true, "wiki": true, "serp": true, "baidu": true}
	for _, d := range docs {
		if isDocumentID(d.ID) {
			b[backendOf(d.ID)] = true
		}
	}
	return b
}

func backendOf(id string) string { return id[:strings.LastIndexByte(id, '_')] }

// issued reports whether a ledger could have assigned the id.
func (b backends) issued(id string) bool { return isDocumentID(id) && (b == nil || b[backendOf(id)]) }

var (
	// brackets matches a pair of brackets that may contain ids. The text between them has no other opening
	// bracket and no line end.
	brackets = lazy.Compile(`[\[【［]([^\[【［\]】］\n]*)[\]】］]`)
	// codeSpan matches text between backticks on one line.
	codeSpan = lazy.Compile("``[^\n]+?``|`[^`\n]+`")
	// fences matches blocks of code.
	fences = lazy.Compile("(?ms)^[ \t>]*```[^`\n]*$.*?(?:^[ \t>]*```.*?$|\\z)|" +
		"^[ \t>]*~~~[^`\n]*$.*?(?:^[ \t>]*~~~.*?$|\\z)")
)

// dropFences removes fenced code blocks, because they make no claims. If a fence has no end, it continues to
// the end of the message, as in Markdown.
func dropFences(message string) string { return fences.ReplaceAllString(message, "\n") }

// mentions returns the citations of a text, in order.
func mentions(s string, known backends) []mention {
	var out []mention
	code := codeSpan.FindAllStringIndex(s, -1)
	for _, m := range brackets.FindAllStringSubmatchIndex(s, -1) {
		for len(code) > 0 && code[0][1] <= m[0] {
			code = code[1:]
		}
		inCode := len(code) > 0 && code[0][0] < m[0]
		isLink := strings.HasPrefix(s[m[1]:], "(")
		if inCode || isLink || m[3]-m[2] > maxBracket {
			continue
		}
		if ids := bracketIDs(s[m[2]:m[3]], known); len(ids) > 0 {
			out = append(out, mention{text.Span{Start: m[0], End: m[1]}, ids})
		}
	}
	return out
}

// leadIn matches a word that some models write before the first id of a bracket, such as "see".
var leadIn = lazy.Compile(`(?i)^\s*(?:(?:sources?|see|documents?|docs?|refs?|ids?)\b[:\s]*)?`)

// bracketIDs returns the ids in a pair of brackets. If the text in the brackets does not begin with an id, it
// is not a citation. Other words may follow an id, as in [corpus_1: The Nile].
func bracketIDs(inner string, known backends) []string {
	inner = inner[len(leadIn.FindString(inner)):]
	var ids []string
	isSeparator := func(r rune) bool { return strings.ContainsRune(",;:|& \t，；：、\u00a0", r) }
	for i, part := range strings.FieldsFunc(inner, isSeparator) {
		if id := strings.Trim(part, "^*_`\\"); known.issued(id) {
			ids = append(ids, id)
		} else if i == 0 {
			return nil
		}
	}
	return ids
}

// idPattern matches ids of a ledger: a backend's name and a number.
const idPattern = `[a-z][a-z0-9]*_[0-9]+`

var wholeID = lazy.Compile(`^` + idPattern + `$`)

func isDocumentID(s string) bool { return wholeID.MatchString(s) }
