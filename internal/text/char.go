package text

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// IsWord reports whether a rune can be part of a word or a number: a letter, a mark or a digit.
func IsWord(r rune) bool {
	if r >= 0 && r < utf8.RuneSelf {
		return wordBytes[r]
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// wordBytes marks the ASCII letters and digits.
var wordBytes = func() (is [256]bool) {
	for c := range byte(utf8.RuneSelf) {
		is[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	return is
}()

// IsUnspaced reports whether a rune belongs to a script without spaces between words, or to Hangul, in which
// particles are joined to words.
func IsUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// IsASCII reports whether a text has ASCII characters only.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// StartsWord reports whether s begins with a letter, a mark or a digit.
func StartsWord(s string) bool {
	for _, r := range s {
		return IsWord(r)
	}
	return false
}

// FirstWord returns the letters, marks and digits at the start of s, and the rest.
func FirstWord(s string) (word, rest string) {
	for i, r := range s {
		if !IsWord(r) {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// IsInvisible reports whether a rune is not visible: a format character, a variation selector, or a letter or
// mark that Unicode defines as invisible.
func IsInvisible(r rune) bool {
	return r >= 0x80 && unicode.In(r, unicode.Cf, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point)
}

// Partners returns, for each byte of s that is a bracket, the place of the bracket that closes or opens it.
// Other bytes, and brackets without a partner, have -1. kinds has the pairs of brackets, such as "()[]". A
// bracket that is closed by another kind has no partner. If s has no brackets, the result is nil.
func Partners(s, kinds string) []int {
	if !strings.ContainsAny(s, kinds) {
		return nil
	}
	pair := make([]int, len(s))
	var open []int
	for i := range len(s) {
		pair[i] = -1
		kind := strings.IndexByte(kinds, s[i])
		if n := len(open); kind >= 0 && kind%2 == 0 {
			open = append(open, i)
		} else if kind > 0 && n > 0 && s[open[n-1]] == kinds[kind-1] {
			pair[i], pair[open[n-1]] = open[n-1], i
			open = open[:n-1]
		}
	}
	return pair
}

//go:embed signs.tsv
var signTable string

// signs maps characters to one form if they have the same meaning but NFKC keeps them different: dashes,
// quotes, separators. plainLetters gives the spelling of letters that Unicode does not treat as accented: Łódź
// is Lodz, and Jørn is Jorn.
var signs, plainLetters = table(&signTable, "sign"), table(&signTable, "letter")

// withoutMarks returns a letter without its diacritics. For a rune that is only a diacritic, it returns "".
func withoutMarks(r rune) string {
	if plain, ok := plainLetters()[string(r)]; ok {
		return plain
	}
	var b strings.Builder
	for _, d := range norm.NFKD.String(string(r)) {
		if !unicode.Is(unicode.Mn, d) {
			b.WriteRune(d)
		}
	}
	return b.String()
}

// Rows reads a table that has one row per line and tabs between cells. If a row has fewer cells than the given
// number, empty cells are added. Empty lines, and comments, which begin with #, are skipped.
func Rows(table string, cells int) [][]string {
	var rows [][]string
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		row := strings.Split(line, "\t")
		for len(row) < cells {
			row = append(row, "")
		}
		rows = append(rows, row)
	}
	return rows
}

// table returns a function that reads the rows of one class from a table. A row has three cells: forms,
// separated by spaces; the value of these forms; the class. The result maps each form to its value.
func table(content *string, class string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		m := map[string]string{}
		for _, row := range Rows(*content, 3) {
			for form := range strings.FieldsSeq(row[0]) {
				if row[2] == class {
					m[form] = row[1]
				}
			}
		}
		return m
	})
}

// unify replaces a dash, quotation mark, digit or separator with its ASCII form.
func unify(r rune) rune {
	if r < 0x80 {
		return r
	}
	if sign, ok := signs()[string(r)]; ok {
		return rune(sign[0])
	}
	if !unicode.Is(unicode.Nd, r) {
		return r
	}
	// Unicode has digits in sets of ten, each beginning with zero. Several sets may follow each other directly.
	digit := '0'
	for before := r - 1; unicode.Is(unicode.Nd, before); before-- {
		if digit++; digit > '9' {
			digit = '0'
		}
	}
	return digit
}
