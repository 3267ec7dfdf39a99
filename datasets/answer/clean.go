package answer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// maxPasses is the maximum number of passes of cleanFor. Nearly all inputs need two passes.
const maxPasses = 32

// cleanFor cleans an answer for reading as its type (rule 5 of docs/method.md §2.2): it folds the text and
// strips the marks around it. It repeats both steps until nothing changes, because the text may need folding
// again after marks were stripped. Types with numbers keep upper and lower case, for units and codes; code
// keeps every character. invisible reports whether characters without a glyph were removed.
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

// clean cleans an answer as cleanFor does for the type text. It is also used for answers whose type is not yet
// known.
func clean(raw string) (s string, invisible bool) { return cleanFor(raw, Text) }

// stops has the marks that can end a sentence, and so can follow an answer.
const stops = ".,;:!?。，；：！？،؟।"

// strip removes the marks around an answer of type t, repeatedly (docs/method.md §2.2, rule 5): a pair of
// emphasis marks, quotation marks, brackets or formula signs around the whole text; stops at the end; several
// points at the beginning, which mark an omission. It does not strip a text that consists only of punctuation,
// or a mark without its partner. In types with numbers it keeps an exclamation mark directly after a digit, a
// single letter or a bracket, because that is a factorial. Its time is linear in the length.
func strip(s string, t Type) string {
	if !strings.ContainsFunc(s, speaks) {
		return s
	}
	pair := text.Partners(s, brackets)
	// (0,1) is not [0,1]: around several values, the brackets have a meaning.
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
		n := 0 // number of bytes of a pair of marks
		switch {
		case inner == "" || isPair(start) && !opens:
			again = false
		case isPair(start):
			n = 1
		case strings.HasPrefix(inner, `\`) && strings.HasSuffix(inner[1:], `\`+inner[len(inner)-1:]) && isPair(start+1):
			n = 2 // \(…\)
		case markPair(inner) > 0:
			n = markPair(inner)
		case points > 1: // a single point is part of .NET or of .5
			start += points
		case t != Choice && strings.ContainsRune(stops, last) &&
			!(t.Numeric() && last == '!' && factorial.MatchString(inner[max(0, len(inner)-16):])):
			end -= size
		default:
			again = false
		}
		start, end = start+n, end-n
	}
	if t == Choice {
		return s[start:end]
	}
	return withoutBold(s[start:end])
}

// withoutBold removes the asterisks around bold words.
func withoutBold(s string) string {
	if !strings.Contains(s, "**") {
		return s
	}
	return bold.ReplaceAllString(s, "$1$2$3")
}

// speaks reports whether a rune is not just punctuation.
func speaks(r rune) bool {
	return text.IsWord(r) || unicode.IsNumber(r) || unicode.In(r, unicode.So, unicode.Sc)
}

// markPair returns the length of the mark around s: a quotation mark, emphasis, a backtick or a dollar sign.
// The mark must open s and close s at its end, and must not occur in between. The result is 0 if there is no
// such mark.
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

var apostrophe = lazy.Compile(`\b'\b`)

var factorial = lazy.Compile(`(?:[0-9)\]}]|(?:^|[^\pL])\pL)!+$`)

// bold matches a run of two or three asterisks before words, and the run after them ("**42** km"), but not the
// power in 2**3. A run before an exclamation mark is not matched: without the asterisks, 5! would be read as a
// factorial.
var bold = lazy.Compile(`(^|[^\pL\pN*])\*{2,3}([^\s*](?:[^*]*[^\s*])?)\*{2,3}($|[^\pL\pN*!])`)

// textCommand matches a LaTeX command that only changes how its text looks.
var textCommand = lazy.Compile(`^\$?\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox|boxed|fbox)\{(.*)\}\$?$`)

// undress removes, for display, the Markdown around and inside a short answer, and the LaTeX commands around
// it.
func undress(s string) string {
	for {
		s = strings.TrimSpace(withoutBold(withoutArrow(s)))
		var command []int
		if strings.Contains(s, `\`) {
			command = textCommand.FindStringSubmatchIndex(s)
		}
		switch {
		case s != "" && strings.Contains("*`", s[:1]) && markPair(s) > 0:
			s = s[markPair(s) : len(s)-markPair(s)]
		case command != nil && text.Partners(s, brackets)[command[2]-1] == command[3]:
			s = s[command[2]:command[3]]
		default:
			return s
		}
	}
}

// withoutEmoji removes emoji at the end of a name. A name that consists of them is kept.
func withoutEmoji(name string) string {
	rest := strings.TrimRightFunc(name, func(r rune) bool {
		return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r == 0xFE0F || r == 0x200D || r == ' '
	})
	if strings.TrimSpace(name) == rest {
		return name
	}
	return cmp.Or(cutStops(rest), name)
}

// withoutArrow removes an arrow at the beginning of a text. Such an arrow only points to the text.
func withoutArrow(s string) string {
	for _, arrow := range []string{"=> ", "-> ", "→ ", "⇒ "} {
		if rest, ok := strings.CutPrefix(s, arrow); ok {
			return rest
		}
	}
	return s
}

// brackets has the brackets of each kind, the opening one before its closing one.
const brackets = "()[]{}"

// bracket matches a pair of brackets that citations use, with the text between them.
var bracket = lazy.Compile(`[\[【［][^\[\]【】［］]+[\]】］]`)

// isIdentifier reports whether a text may be the id of a document: letters and digits, with some marks.
func isIdentifier(s string) bool {
	names := false
	for _, r := range s {
		isName := unicode.IsLetter(r) || unicode.IsDigit(r)
		if names = names || isName; !isName && !strings.ContainsRune("_:.#/†()'-", r) {
			return false
		}
	}
	return names
}

// cutCitations removes the citations at the end of an answer, with the punctuation after them: "42 [corpus_1,
// wiki_2]." becomes "42". If the whole answer is in brackets, it is kept.
func (m *final) cutCitations(s string) string {
	out := s
	for {
		end := strings.TrimRight(out, " \t.,;*_")
		open := strings.LastIndexAny(end, "[【［")
		if open < 0 || bracket.FindString(end[open:]) != end[open:] || !m.isCitation(end[open:], end[:open]) {
			break
		}
		out = strings.TrimRight(end[:open], " \t")
	}
	if strings.Trim(out, emptyMarks) == "" {
		return s
	}
	return out
}

// withoutCitations replaces every citation with spaces, so that places in the text stay the same. If no text
// would be left, it returns the text unchanged.
func (m *final) withoutCitations(s string) string {
	opening, either := "[", "[]"
	if text.HasAny(s, "【［】］") {
		opening, either = "[【［", "[]【】［］"
	}
	if !text.HasAny(s, opening) {
		return s
	}
	var out strings.Builder
	written := 0 // end of the part of s that out has
	for at := 0; at < len(s); {
		open := strings.IndexAny(s[at:], opening)
		if open < 0 {
			break
		}
		open += at
		at = open + 1
		end := strings.IndexAny(s[at:min(len(s), at+maxSentenceBytes)], either)
		if end < 0 {
			continue
		}
		end += at
		mark, size := utf8.DecodeRuneInString(s[end:])
		if strings.ContainsRune("]】］", mark) && m.isCitation(s[open:end], s[:open]) {
			at = end + size
			if written == 0 {
				out.Grow(len(s))
			}
			out.WriteString(s[written:open])
			out.WriteString(strings.Repeat(" ", at-open))
			written = at
		}
	}
	blank := s
	if written > 0 {
		out.WriteString(s[written:])
		blank = out.String()
	}
	blank = strings.TrimRight(blank, " \t\r\n")
	if head := strings.TrimRight(blank, ".,;:"); strings.HasSuffix(head, "  ") {
		blank = strings.TrimRight(head, " ") // the stop after a citation at the end of the text
	}
	if m.as.Numeric() || m.as == Date || strings.Trim(blank, emptyMarks) != "" {
		return blank
	}
	return s
}

// isCitation reports whether a pair of brackets has ids of documents, and not a part of the answer. before is
// the text before the brackets. Plain numbers in brackets are a citation if documents have such ids. After a
// number or a date they are a footnote, which is never a part of the value.
func (m *final) isCitation(cited, before string) bool {
	wide := strings.HasPrefix(cited, "【")
	inner := strings.Trim(cited, "[]【】［］")
	if strings.ContainsFunc(inner, func(r rune) bool { return r >= utf8.RuneSelf }) {
		inner = width.Narrow.String(inner)
	}
	numeric := m.as.Numeric() || m.as == Date
	footnote := numeric && (strings.TrimSpace(before) != "" || wide)
	ids := strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ';' })
	for _, id := range ids {
		id = strings.TrimPrefix(strings.TrimSpace(id), "^")
		named := strings.ContainsAny(id, "_:#")
		numbered := strings.ContainsAny(id, "0123456789")
		if !isIdentifier(id) || !named && !(numbered && footnote) && !slices.Contains(m.documents, id) {
			return false
		}
	}
	return len(ids) > 0
}
