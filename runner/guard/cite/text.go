package cite

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// escapeSequence is what colours and links text on a terminal: its figures are no values.
var escapeSequence = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|\x1b[()][0-9A-Za-z]")

func dropEscapes(text string) string {
	if !strings.ContainsAny(text, "\x1b\u009b") {
		return text
	}
	return escapeSequence.ReplaceAllString(text, "")
}

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
	linkTarget  = regexp.MustCompile(`\]\([^()\s]*\)`)
	address     = regexp.MustCompile(`(?:https?://|www\.)[^\s)>\]]+`)
	figures     = regexp.MustCompile(`\[\^?\d+(?:\s*[,;-]\s*\d+)*\]`) // [1] is a note, no number
	lastFigures = regexp.MustCompile(`(?:\s*\[\^?\d+(?:\s*[,;-]\s*\d+)*\])+[\s.]*$`)
	listMark    = regexp.MustCompile(`^\s*(?:[-*+•>#]+\s+)*(?:\(?\d{1,3}[.)]\s+)?`)
	emphasis    = strings.NewReplacer("**", "", "__", "", "`", "", "\\(", "", "\\)", "", "\\%", "%", "\\$", "$", "*", " * ")
	formula     = regexp.MustCompile(`\$([^$\n]{1,80})\$`)
)

// prose leaves of a text what it states: no list marks, link targets, notes or emphasis.
func prose(text string) string {
	text = plain(text)
	text = text[len(listMark.FindString(text)):]
	return undress(figures.ReplaceAllString(dropLinks(text), " "))
}

// answerProse is prose of an answer line, where "42." and "(99)" are no list marks, and
// [999] is a note only behind the answer.
func answerProse(text string) string {
	text = dropLinks(plain(text))
	if notes := lastFigures.FindStringIndex(text); notes != nil && hasWord(text[:notes[0]]) {
		text = text[:notes[0]]
	}
	return undress(text)
}

func dropLinks(text string) string {
	text = linkTarget.ReplaceAllString(text, "] ")
	return address.ReplaceAllString(text, " ")
}

func undress(text string) string { return unwrapFormulas(emphasis.Replace(text)) }

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
		case undecomposed(r) != "":
			token.WriteString(undecomposed(r))
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

// undecomposed spells letters that Unicode does not take for an accented one: Łódź is
// Lodz, and Jørn is Jorn.
func undecomposed(r rune) string {
	switch r {
	case 'ø', 'Ø':
		return "o"
	case 'ł', 'Ł':
		return "l"
	case 'đ', 'Đ', 'ð', 'Ð':
		return "d"
	case 'ß', 'ẞ':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'œ', 'Œ':
		return "oe"
	case 'þ', 'Þ':
		return "th"
	case 'ı':
		return "i"
	}
	return ""
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
