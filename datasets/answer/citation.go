package answer

import (
	"regexp"
	"strings"

	"golang.org/x/text/width"
)

// bracket is one bracket of a kind that citations have, identifier the name of a document.
var (
	bracket    = regexp.MustCompile(`[\[【［][^\[\]【】［］]+[\]】］]`)
	identifier = regexp.MustCompile(`^[_:.#/†()'-]*[\pL\p{Nd}][\pL\p{Nd}_:.#/†()'-]*$`)
)

// cutCitations removes the citations at the end of an answer, with the
// punctuation after them: "42 [corpus_1, wiki_2]." is "42". An answer that is nothing but brackets stays as it is.
func cutCitations(s string) string {
	out := s
	for {
		end := strings.TrimRight(out, " \t.,;*_")
		open := strings.LastIndexAny(end, "[【［")
		if open < 0 || bracket.FindString(end[open:]) != end[open:] || !isCitation(end[open:], end[:open]) {
			break
		}
		out = strings.TrimRight(end[:open], " \t")
	}
	if strings.Trim(out, emptyMarks) == "" {
		return s
	}
	return out
}

// blankCitations writes spaces over every citation, so that all else keeps its place. Beside
// numbers plain figures are one even without a space before them: 42[1].
func blankCitations(s string, numeric bool) string {
	out := []byte(s)
	for _, at := range bracket.FindAllStringIndex(s, -1) {
		if isCitation(s[at[0]:at[1]], s[:at[0]]) || numeric && isCitation(s[at[0]:at[1]], "") {
			copy(out[at[0]:at[1]], strings.Repeat(" ", at[1]-at[0]))
		}
	}
	return string(out)
}

// isCitation tells a bracket of document ids from one that belongs to the answer.
// Plain figures are a citation only after a space: a[1] is not one.
func isCitation(cited, before string) bool {
	wide := strings.HasPrefix(cited, "【")
	inner := width.Narrow.String(strings.Trim(cited, "[]【】［］"))
	apart := before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "]")
	ids := strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ';' })
	for _, id := range ids {
		id = strings.TrimPrefix(strings.TrimSpace(id), "^")
		named := strings.ContainsAny(id, "_:#")
		numbered := strings.ContainsAny(id, "0123456789")
		if !identifier.MatchString(id) || !named && !(numbered && (apart || wide)) {
			return false
		}
	}
	return len(ids) > 0
}
