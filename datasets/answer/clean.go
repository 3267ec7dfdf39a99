package answer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxPasses bounds the search for a fixed point. Two passes settle nearly every input.
const maxPasses = 32

// cleanFor brings an answer into the form in which its type reads it: step 3 of the pipeline, folding and what
// surrounds the answer. Its result is a fixed point of itself: what is stripped can join what then folds. Case stays
// where numbers are read, for units and codes; code keeps every character. invisible tells that characters without a
// glyph were dropped.
func cleanFor(raw string, t Type) (s string, invisible bool) {
	if t == Code {
		return codeText(raw), strings.ContainsFunc(raw, text.IsInvisible)
	}
	form := text.LaTeX
	if t.Numeric() {
		form |= text.KeepCase | text.BindGroups
	}
	s = raw
	for range maxPasses {
		m := text.Map(s, form)
		invisible = invisible || m.Invisible
		next := strip(m.String, t)
		if next == s {
			break
		}
		s = next
	}
	return s, invisible
}

// clean is cleanFor a text, and for what has no type yet.
func clean(raw string) (s string, invisible bool) { return cleanFor(raw, Text) }

// stops are what can end a sentence, and so follow an answer.
const stops = ".,;:!?。，；：！？،؟।"

// strip removes what surrounds an answer of type t: emphasis, quotation marks, brackets and signs of a formula where
// they are a pair around the whole, stops at the right end, and at the left several points, which tell that something
// was left out, repeatedly (methods.md §2.2, step 3). A text that is punctuation alone stays, and so does a mark
// without its partner. An exclamation mark directly behind a digit, a single letter or a bracket is a factorial where
// numbers are read. Linear in the length.
func strip(s string, t Type) string {
	if !strings.ContainsFunc(s, speaks) {
		return s
	}
	pair := text.Partners(s, brackets)
	// (0,1) is not [0,1]: the brackets of several things say what they are together.
	opens := t == List || t == Date || t == Boolean || !strings.ContainsAny(s, ",;")
	start, end := 0, len(s)
	for again := true; again; {
		inner := strings.TrimLeft(s[start:end], " \t\n")
		start = end - len(inner)
		inner = strings.TrimRight(inner, " \t\n")
		end = start + len(inner)
		isPair := func(at int) bool { return pair != nil && at < end && pair[at] == end-1 }
		last, size := utf8.DecodeLastRuneInString(inner)
		points := len(inner) - len(strings.TrimLeft(inner, "."))
		n := 0 // bytes of a pair of marks
		switch {
		case inner == "" || isPair(start) && !opens:
			again = false
		case isPair(start):
			n = 1
		case strings.HasPrefix(inner, `\`) && strings.HasSuffix(inner[1:], `\`+inner[len(inner)-1:]) && isPair(start+1):
			n = 2 // \(…\)
		case markPair(inner) > 0:
			n = markPair(inner)
		case points > 1: // one alone is part of .NET or of .5
			start += points
		case t != Choice && strings.ContainsRune(stops, last) && !(t.Numeric() && last == '!' && factorial.MatchString(inner[max(0, len(inner)-16):])):
			end -= size
		default:
			again = false
		}
		start, end = start+n, end-n
	}
	if t == Choice {
		return s[start:end]
	}
	return bold.ReplaceAllString(s[start:end], "$1$2$3")
}

// speaks reports whether a rune is more than punctuation.
func speaks(r rune) bool {
	return text.IsWord(r) || unicode.IsNumber(r) || unicode.In(r, unicode.So, unicode.Sc)
}

// markPair returns the length of the mark that opens s and closes it at its end, and
// stands nowhere between: quotation marks, emphasis, code, dollar signs.
func markPair(s string) int {
	if !strings.ContainsAny(s[:1], "\"'*`$") {
		return 0
	}
	n := len(s) - len(strings.TrimLeft(s, s[:1]))
	if s[0] == '"' || s[0] == '\'' {
		n = 1
	}
	mark := s[:n]
	if len(s) <= 2*n || !strings.HasSuffix(s, mark) {
		return 0
	}
	inner := s[n : len(s)-n]
	if mark == "'" {
		inner = apostrophe.ReplaceAllString(inner, "")
	}
	if strings.Contains(inner, mark) || strings.TrimSpace(inner) == "" {
		return 0
	}
	return n
}

var apostrophe = regexp.MustCompile(`\b'\b`)

var factorial = regexp.MustCompile(`(?:[0-9)\]}]|(?:^|[^\pL])\pL)!+$`)

// bold is a run of two or three asterisks that stands like a quotation mark before words,
// and its partner ("**42** km"), so that the power in 2**3 stays. Before an exclamation mark it stays, lest 5
// become a factorial.
var bold = regexp.MustCompile(`(^|[^\pL\pN*])\*{2,3}([^\s*](?:[^*]*[^\s*])?)\*{2,3}($|[^\pL\pN*!])`)

// brackets are the kinds of them, each closing one behind its partner.
const brackets = "()[]{}"

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
