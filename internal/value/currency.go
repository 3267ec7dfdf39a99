package value

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// isName matches three letters in a row. Names of currencies have them; signs such as us$ and rs. do not.
var isName = lazy.Compile(`[a-z]{3}`)

// currencies returns the names (key true) and the signs (key false) of currencies.tsv.
var currencies = sync.OnceValue(func() map[bool]*text.Phrases[Currency] {
	p := map[bool]*text.Phrases[Currency]{true: {}, false: {}}
	for _, row := range readTable("currencies.tsv", 4) {
		for _, form := range alternatives(row[0]) {
			p[isName.MatchString(form)].Add(form,
				Currency{Label: row[1], Codes: strings.Fields(row[2]), Minor: row[3] == "cents"})
		}
	}
	return p
})

// IsCurrencyCode reports whether a text is a code of ISO 4217, in capitals.
func IsCurrencyCode(code string) bool {
	if len(code) != 3 || strings.ToUpper(code) != code {
		return false
	}
	_, err := currency.ParseISO(code)
	return err == nil || inList("new code", code)
}

// scanCurrency reads a code or a sign of a currency at the beginning of s; if names is set, also a name.
func scanCurrency(s string, names bool) (c Currency, n int) {
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) && !isCurrencySign(first) {
		return Currency{}, 0
	}
	const longest = 40 // maximum bytes of a name and the character after it
	start := s[:min(len(s), longest)]
	if c, n = currencies()[false].Find(lower(start)); n == 0 && names {
		c, n = currencies()[true].Find(lower(start))
	}
	if n > 0 {
		return c, n
	}
	code, _ := text.FirstWord(start)
	if len(code) != 3 {
		return Currency{}, 0
	}
	if code == lower(code) && !inList("lower code", code) {
		return Currency{}, 0
	}
	if upper := strings.ToUpper(code); IsCurrencyCode(upper) {
		return Currency{Codes: []string{upper}}, len(code)
	}
	return Currency{}, 0
}

func isCurrencySign(r rune) bool { return unicode.Is(unicode.Sc, r) }
