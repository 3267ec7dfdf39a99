package offline

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// word is one token of a text: a word (inner hyphens, apostrophes and full stops of
// initialisms kept), a number with its separators, or a single punctuation mark.
type word struct {
	text  string
	low   string
	start int // byte offsets in the text
	end   int
}

func (w word) capital() bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsUpper(r)
}

func (w word) number() bool { return w.text != "" && w.text[0] >= '0' && w.text[0] <= '9' }

func (w word) alpha() bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsLetter(r)
}

// tokens splits a text into words. It is total: any byte sequence has tokens.
func tokens(text string) []word {
	var out []word
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		end := i + size
		switch {
		case unicode.IsSpace(r):
			i = end
			continue
		case r >= '0' && r <= '9':
			end = numberEnd(text, i)
		case unicode.IsLetter(r):
			end = wordEnd(text, end)
		}
		out = append(out, word{text[i:end], strings.ToLower(text[i:end]), i, end})
		i = end
	}
	return out
}

// numberEnd keeps a separator only between digits: "6,650.5" is one number, "1969," is not.
// Letters that follow at once ("4th", "1900s") stay with the digits.
func numberEnd(text string, i int) int {
	for i < len(text) {
		c := text[i]
		switch {
		case c >= '0' && c <= '9':
			i++
		case (c == ',' || c == '.') && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9':
			i += 2
		default:
			for i < len(text) && (text[i] >= 'a' && text[i] <= 'z') {
				i++
			}
			return i
		}
	}
	return i
}

func wordEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		joins := (r == '-' || r == '\'' || r == '.') && unicode.IsLetter(next)
		switch {
		case r == '\'' && (next == 's' || next == 'S') && !letterAt(text, i+size+1):
			return i // the possessive is a token of its own, "'" and "s"
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsDigit(r), joins:
			i += size
		default:
			return i
		}
	}
	return i
}

func letterAt(text string, i int) bool {
	if i >= len(text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r)
}

// stem takes off the commonest English endings, so that "rivers" meets "river" and
// "discovered" meets "discover". It is crude on purpose: both sides go through it.
func stem(low string) string {
	n := len(low)
	switch {
	case n > 4 && strings.HasSuffix(low, "ies"):
		low = low[:n-3] + "y"
	case n > 4 && (strings.HasSuffix(low, "sses") || strings.HasSuffix(low, "ches") || strings.HasSuffix(low, "shes")):
		low = low[:n-2]
	case n > 3 && strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss") && !strings.HasSuffix(low, "us") && !strings.HasSuffix(low, "is"):
		low = low[:n-1]
	case n > 5 && strings.HasSuffix(low, "ing"):
		low = undouble(low[:n-3])
	case n > 4 && strings.HasSuffix(low, "ed"):
		low = undouble(low[:n-2])
	}
	if len(low) > 3 && strings.HasSuffix(low, "e") {
		low = low[:len(low)-1]
	}
	return low
}

func undouble(s string) string {
	n := len(s)
	if n > 3 && s[n-1] == s[n-2] && !strings.ContainsRune("aeiouls", rune(s[n-1])) {
		return s[:n-1]
	}
	return s
}

// concept maps a word to what it is about: its relation where the lexicon knows one, else
// its stem.
func concept(low string) string {
	s := stem(fold(low))
	if c, ok := relations()[s]; ok {
		return c
	}
	return s
}

// fold takes off the diacritics that English texts leave out as often as not.
func fold(low string) string {
	ascii := true
	for i := 0; i < len(low); i++ {
		if low[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return low
	}
	return folder().Replace(low)
}

var folder = sync.OnceValue(func() *strings.Replacer {
	const from, to = "áàâäãåāéèêëēěíìîïīóòôöõøōúùûüūýñçčćšśžźżřłğ", "aaaaaaaeeeeeeiiiiiooooooouuuuuyncccsszzzrlg"
	var pairs []string
	for i, r := range []rune(from) {
		pairs = append(pairs, string(r), to[i:i+1])
	}
	return strings.NewReplacer(pairs...)
})

// content lists the concepts of a text that carry meaning, in order and without repeats.
func content(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range tokens(text) {
		if !w.alpha() && !w.number() || functionWords()[w.low] || w.low == "s" {
			continue
		}
		c := concept(strings.ReplaceAll(w.low, ",", ""))
		if !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	return out
}

// set turns a list into a set.
func set(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}
