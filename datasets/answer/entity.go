package answer

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// readEntity reads a name.
func readEntity(s string) (Key, error) {
	name := entityName(s)
	if name == "" {
		return Key{}, errors.New(quote(s) + " is only punctuation")
	}
	return exactly("entity", name), nil
}

// entityName takes what does not tell names apart from one: initialisms lose their
// points, a leading article goes when more than one word remains. All other punctuation
// inside stays, so that C, C# and C++ are three names. It is empty for marks alone.
func entityName(s string) string {
	name := s
	for range maxPasses {
		// Removing points can join letters that Unicode composes.
		next, _ := clean(dropArticle(collapseInitialisms(name)))
		if next == name {
			break
		}
		name = next
	}
	if strings.Trim(name, " .,;:!?\"'*_`()[]{}。、") == "" {
		return ""
	}
	return name
}

// dropArticle removes a leading article. It leaves the first of two ("a a milne",
// "la la land") and a lone word after one ("the who"), which are more likely part
// of the name.
func dropArticle(s string) string {
	rest, found := strings.CutPrefix(s, "l'")
	if !found {
		var first string
		first, rest, found = strings.Cut(s, " ")
		if !found || !vocabulary().has("article", first) {
			return s
		}
	}
	second, _, more := strings.Cut(rest, " ")
	initial, _ := utf8.DecodeRuneInString(rest)
	if !more || vocabulary().has("article", second) || strings.HasPrefix(rest, "l'") || !text.IsWord(initial) {
		return s
	}
	return rest
}

// collapseInitialisms turns "u.s." into "us" and "j. r. r. tolkien" into
// "jrr tolkien": runs of single letters, each but the last followed by a point.
func collapseInitialisms(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	runes := []rune(s)
	out := make([]rune, 0, len(runes))
	for i := 0; i < len(runes); {
		atStart := i == 0 || !text.IsWord(runes[i-1]) && runes[i-1] != '\''
		n, letters := initials(runes[i:])
		if !atStart || n == 0 {
			out = append(out, runes[i])
			i++
			continue
		}
		out = append(out, letters...)
		i += n
	}
	return string(out)
}

// initials reads a run of initials and returns its length and letters.
func initials(s []rune) (n int, letters []rune) {
	i := 0
	for i+1 < len(s) && unicode.IsLetter(s[i]) && s[i+1] == '.' && (i+2 == len(s) || s[i+2] != '.') {
		letters = append(letters, s[i])
		i += 2
		n = i
		if i < len(s) && s[i] == ' ' && singleLetter(s[i+1:]) {
			i++
		}
	}
	if n == 0 {
		return 0, nil
	}
	if singleLetter(s[i:]) && (i+1 >= len(s) || s[i+1] != '.') {
		return i + 1, append(letters, s[i])
	}
	if n < len(s) && text.IsWord(s[n]) {
		// "a.name": the point joins words, it ends no initial.
		return 0, nil
	}
	return n, letters
}

// singleLetter reports whether s starts with a letter that is a word of its own.
func singleLetter(s []rune) bool {
	return len(s) > 0 && unicode.IsLetter(s[0]) && (len(s) == 1 || !text.IsWord(s[1]) && s[1] != '\'')
}
