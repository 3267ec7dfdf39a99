package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxCitationBytes bounds the length of one bracket that is taken for a citation.
const maxCitationBytes = 400

// cutCitations removes the citations at the end of an answer, with the
// punctuation after them: "42 [corpus_1, wiki_2]." is "42". An answer that is
// nothing but brackets stays as it is.
func cutCitations(s string) string {
	out := s
	for {
		end := strings.TrimRight(out, " \t.,;*_")
		open, ok := lastBracket(end)
		if !ok || !isCitation(end[open:], out[:open]) {
			break
		}
		out = strings.TrimRight(out[:open], " \t")
	}
	if strings.Trim(out, "*_` \t") == "" {
		return s
	}
	return out
}

// blankCitations writes spaces over every citation, so that all else keeps its place.
func blankCitations(s string) string {
	var b strings.Builder
	for {
		open := strings.IndexAny(s, "[【［")
		if open < 0 {
			b.WriteString(s)
			return b.String()
		}
		_, next := utf8.DecodeRuneInString(s[open:])
		if closing, width := closeBracket(s[open:]); closing > 0 {
			next = closing + width
		}
		b.WriteString(s[:open])
		if bracket := s[open : open+next]; isCitation(bracket, " ") {
			b.WriteString(strings.Repeat(" ", next))
		} else {
			b.WriteString(bracket)
		}
		s = s[open+next:]
	}
}

// closeBracket finds the end of the bracket that starts s.
func closeBracket(s string) (at, width int) {
	for i, r := range s {
		switch {
		case i > maxCitationBytes, i > 0 && (r == '[' || r == '【' || r == '［'):
			return -1, 0
		case r == ']' || r == '】' || r == '］':
			return i, utf8.RuneLen(r)
		}
	}
	return -1, 0
}

// lastBracket finds where the bracket that ends s opens.
func lastBracket(s string) (open int, ok bool) {
	if !strings.HasSuffix(s, "]") && !strings.HasSuffix(s, "】") && !strings.HasSuffix(s, "］") {
		return 0, false
	}
	tail := max(0, len(s)-maxCitationBytes)
	open = strings.LastIndexAny(s[tail:], "[【［")
	return tail + open, open >= 0
}

// isCitation tells a bracket of document ids from one that belongs to the answer.
// Plain figures are a citation only after a space: a[1] is not one.
func isCitation(bracket, before string) bool {
	wide := strings.HasPrefix(bracket, "【")
	inner := strings.Map(narrow, strings.Trim(bracket, "[]【】［］"))
	apart := before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "]")
	ids := strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ';' })
	for _, id := range ids {
		id = strings.TrimPrefix(strings.TrimSpace(id), "^")
		named := strings.ContainsAny(id, "_:#")
		numbered := strings.ContainsAny(id, "0123456789")
		if !isIdentifier(id) || !named && !(numbered && (apart || wide)) {
			return false
		}
	}
	return len(ids) > 0
}

// narrow turns the full-width forms of ASCII into ASCII.
func narrow(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

func isIdentifier(id string) bool {
	for _, r := range id {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-:.#/†()'", r) {
			return false
		}
	}
	return id != ""
}
