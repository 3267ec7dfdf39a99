package cite

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plain maps dashes, apostrophes, spaces and full-width forms to ASCII and drops what has no
// glyph, as methods.md §2 step 3 does, but keeps case, superscripts and layout, which
// numbers and names are told by.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x80:
			return r
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xFE58, r == 0xFE63:
			return '-'
		case r == '‘', r == '’', r == '‚', r == '‛':
			return '\''
		case r == '〜':
			return '~'
		case unicode.Is(unicode.Zs, r):
			return ' '
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		case unicode.Is(unicode.Nd, r):
			if folded := norm.NFKC.String(string(r)); len(folded) == 1 {
				return rune(folded[0])
			}
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

var (
	linkTarget = regexp.MustCompile(`\]\([^()\s]*\)`)
	address    = regexp.MustCompile(`(?:https?://|www\.)[^\s)>\]]+`)
	figures    = regexp.MustCompile(`\[\^?\d+(?:\s*[,;-]\s*\d+)*\]`) // [1] is a note, no number
	listMark   = regexp.MustCompile(`^\s*(?:[-*+•>#]+\s+)*(?:\(?\d{1,3}[.)]\s+)?`)
	emphasis   = strings.NewReplacer("**", "", "__", "", "`", "", "\\(", "", "\\)", "", "\\%", "%", "\\$", "$", "*", " * ")
	formula    = regexp.MustCompile(`\$([^$\n]{1,80})\$`)
)

// prose leaves of a text what it states: no list marks, link targets, notes or emphasis.
func prose(text string) string {
	text = plain(text)
	text = text[len(listMark.FindString(text)):]
	text = linkTarget.ReplaceAllString(text, "] ")
	text = address.ReplaceAllString(text, " ")
	text = figures.ReplaceAllString(text, " ")
	text = emphasis.Replace(text)
	return unwrapFormulas(text)
}

// unwrapFormulas takes $330$ out of its signs, but leaves "$5 and $6" alone.
func unwrapFormulas(text string) string {
	var b strings.Builder
	at := 0
	for _, m := range formula.FindAllStringSubmatchIndex(text, -1) {
		money := m[1] < len(text) && text[m[1]] >= '0' && text[m[1]] <= '9'
		if !money {
			b.WriteString(text[at:m[0]] + " " + text[m[2]:m[3]] + " ")
			at = m[1]
		}
	}
	b.WriteString(text[at:])
	return b.String()
}

// folded is a text as a sequence of tokens: lower case, without diacritics and
// punctuation. Every character of a script without spaces is a token.
type folded struct {
	tokens []string
	joined string // the tokens with a space before and behind each
}

func fold(text string) folded {
	var f folded
	var b, token strings.Builder
	b.WriteByte(' ')
	end := func() {
		if token.Len() > 0 {
			f.tokens = append(f.tokens, token.String())
			b.WriteString(token.String())
			b.WriteByte(' ')
			token.Reset()
		}
	}
	for _, r := range norm.NFKD.String(plain(text)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case isUnspaced(r):
			end()
			token.WriteRune(r)
			end()
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			token.WriteRune(unicode.ToLower(r))
		case r == '\'' && token.Len() > 0: // o'clock and Rome's are one token each
		default:
			end()
		}
	}
	end()
	f.joined = b.String()
	return f
}

// holds reports whether the tokens of g follow each other in f.
func (f folded) holds(g folded) bool {
	return len(g.tokens) > 0 && strings.Contains(f.joined, g.joined)
}

// isUnspaced is true for scripts that do not put spaces between words.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// isLetter is true for letters of scripts that space their words.
func isLetter(r rune) bool { return unicode.IsLetter(r) && !isUnspaced(r) }
