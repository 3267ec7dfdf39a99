package statement

import (
	_ "embed" // for changing.txt
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Ordered reports whether the outermost part of a statement has ORDER BY, so that the order of its rows counts. An
// ORDER BY of a subquery, a window, an aggregate or a common table expression does not count; neither does one in a
// string, a name in quotes or a comment.
func Ordered(sql string) bool {
	words := slices.Collect(func(yield func(token) bool) { each(sql, yield) })
	for len(words) > 1 && words[0].text == "(" && closing(words) == len(words)-1 { // the whole statement is in brackets
		words = words[1 : len(words)-1]
	}
	depth := 0
	for i, w := range words {
		switch {
		case w.text == "(":
			depth++
		case w.text == ")":
			depth--
		case depth == 0 && w.is("order") && i+1 < len(words) && words[i+1].is("by"):
			return true
		}
	}
	return false
}

// closing returns the index of the bracket that closes the first token; -1 if no bracket does. Semicolons at the end
// are not tokens.
func closing(words []token) int {
	depth := 0
	for i, w := range words {
		switch w.text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

//go:embed changing.txt
var changingTable string

// changing has the words after which a statement may return other rows at another time, by their form.
var changing = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for line := range strings.Lines(changingTable) {
		fields := strings.Fields(line)
		if len(fields) < 2 || strings.HasPrefix(line, "#") {
			continue
		}
		if out[fields[0]] == nil {
			out[fields[0]] = map[string]bool{}
		}
		for _, word := range fields[1:] {
			out[fields[0]][word] = true
		}
	}
	return out
})

// Changing returns the words because of which a statement may return other rows at another time although the
// database is the same, such as current_date, random() and 'now', each once.
func Changing(sql string) (found []string) {
	words := slices.Collect(func(yield func(token) bool) { each(sql, yield) })
	known := changing()
	for i, w := range words {
		follows := func(n int, mark string) bool { return i+n < len(words) && words[i+n].text == mark }
		afterPoint := i > 0 && words[i-1].text == "." // a column, such as t.now
		name := strings.ToLower(w.text)
		word := ""
		switch {
		case w.kind == inQuotes && known["text"][strings.TrimSpace(strings.ToLower(w.inner()))]:
			before := i > 0 && known["moment"][strings.ToLower(words[i-1].text)] // date 'today'
			if before || known["moment"][enclosing(words[:i])] || follows(1, ":") {
				word = w.text
			}
		case w.kind != plainWord || afterPoint:
		case known["word"][name] && !follows(1, "."):
			word = name
		case known["function"][name] && follows(1, "("):
			word = name + "()"
		case known["empty"][name] && follows(1, "(") && follows(2, ")"):
			word = name + "()"
		}
		if word != "" && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	return found
}

// enclosing returns the name of the function in whose brackets the next token would be, in lower case; "" if there is
// no such function.
func enclosing(words []token) string {
	depth := 0
	for i := len(words) - 1; i > 0; i-- {
		switch words[i].text {
		case ")":
			depth++
		case "(":
			if depth == 0 {
				return strings.ToLower(words[i-1].text)
			}
			depth--
		}
	}
	return ""
}

// token is a word, a mark, a string or a name in quotes.
type token struct {
	text string
	kind byte
}

// Kinds of tokens.
const (
	plainWord = 'w'
	mark      = 'm'
	inQuotes  = '\'' // a string
	quoted    = '"'  // a name in "", `` or []
)

// is reports whether the token is a keyword.
func (t token) is(keyword string) bool {
	return t.kind == plainWord && strings.EqualFold(t.text, keyword)
}

// inner returns the text between the quotes of a string.
func (t token) inner() string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(t.text, "'"), "'"), "''", "'")
}

// each calls yield with the tokens of a text in their order, without comments and semicolons, until it returns false.
// A string, a name in quotes or a comment that does not end reaches to the end of the text.
func each(sql string, yield func(token) bool) {
	for at := 0; at < len(sql); {
		rest := sql[at:]
		r, size := utf8.DecodeRuneInString(rest)
		var t token
		n := size
		switch {
		case unicode.IsSpace(r) || r == ';':
		case strings.HasPrefix(rest, "--"):
			n = upTo(rest, 2, "\n")
		case strings.HasPrefix(rest, "/*"):
			n = upTo(rest, 2, "*/")
		case r == '\'':
			n = quotedLength(rest, '\'')
			t = token{rest[:n], inQuotes}
		case r == '"' || r == '`':
			n = quotedLength(rest, byte(r))
			t = token{rest[:n], quoted}
		case r == '[':
			n = upTo(rest, 1, "]")
			t = token{rest[:n], quoted}
		case r == '$' && dollarQuote(rest) > 0:
			opening := dollarQuote(rest)
			n = upTo(rest, opening, rest[:opening])
			t = token{rest[:n], inQuotes}
		case isWord(r):
			n = strings.IndexFunc(rest, func(r rune) bool { return !isWord(r) })
			if n < 0 {
				n = len(rest)
			}
			t = token{rest[:n], plainWord}
		default:
			t = token{rest[:n], mark}
		}
		if t.kind != 0 && !yield(t) {
			return
		}
		at += n
	}
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || r > 0x7F
}

// upTo returns the length of a text up to and with the first end after some bytes.
func upTo(s string, from int, end string) int {
	if at := strings.Index(s[from:], end); at >= 0 {
		return from + at + len(end)
	}
	return len(s)
}

// quotedLength returns the length of a text in quotes, in which a doubled quote does not end it.
func quotedLength(s string, quote byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		if i+1 == len(s) || s[i+1] != quote {
			return i + 1
		}
		i++
	}
	return len(s)
}

// dollarQuote returns the length of the mark that begins a string of PostgreSQL, such as $$ or $text$; 0 for anything
// else, such as the parameter $1.
func dollarQuote(s string) int {
	end := strings.IndexByte(s[1:], '$')
	if end < 0 {
		return 0
	}
	tag := s[1 : end+1]
	if strings.ContainsFunc(tag, func(r rune) bool { return !isWord(r) || r == '$' }) ||
		tag != "" && tag[0] >= '0' && tag[0] <= '9' {
		return 0
	}
	return end + 2
}
