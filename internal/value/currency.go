package value

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"github.com/seed-5817661a/concur/internal/text"
)

// currencyForm is one way to write a currency, in lower case.
type currencyForm struct {
	form string
	name bool // letters alone, three or more
	Currency
}

// currencyForms holds the forms by their first byte, those that begin with another before it.
type currencyForms map[byte][]currencyForm

var currencies = sync.OnceValue(func() currencyForms {
	t := currencyForms{}
	loadTable("currencies.tsv", 4, t.read)
	for _, forms := range t {
		slices.SortStableFunc(forms, func(a, b currencyForm) int { return len(b.form) - len(a.form) })
	}
	return t
})

func (t currencyForms) read(r *row) {
	c := Currency{Label: r.cells[1], Codes: strings.Fields(r.cells[2]), Minor: r.cells[3] == "cents"}
	if !c.Minor && r.cells[3] != "" || len(c.Codes) == 0 || len(c.Codes) > 1 && c.Label == "" {
		r.fail("want codes, a label where there are several, and cents or nothing")
	}
	for _, code := range c.Codes {
		if !IsCurrencyCode(code) {
			r.fail("%q is not a code of ISO 4217", code)
		}
	}
	for _, form := range r.entries(0, "") {
		letters := strings.Count(form, "") - 1 - strings.Count(form, " ") - strings.Count(form, ".")
		name := letters > 2 && form[0] < utf8.RuneSelf && !strings.ContainsFunc(form, isCurrencySign)
		t[form[0]] = append(t[form[0]], currencyForm{form, name, c})
	}
}

// IsCurrencyCode reports whether a text is a code of ISO 4217, in capitals.
func IsCurrencyCode(code string) bool {
	if len(code) != 3 || strings.ToUpper(code) != code {
		return false
	}
	_, err := currency.ParseISO(code)
	return err == nil || inList("new code", code)
}

// scanCurrency reads a code, sign or, with names, a name of a currency at the start of s,
// as written.
func scanCurrency(s string, names bool) (c Currency, n int) {
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) && !isCurrencySign(first) {
		return Currency{}, 0
	}
	const longest = 40 // bytes of the longest name, with what follows it
	low := lower(s[:min(len(s), longest)])
	for _, f := range currencies()[low[0]] {
		if !strings.HasPrefix(low, f.form) || f.name && !names {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(f.form)
		if !unicode.IsLetter(last) || text.IsUnspaced(last) || !text.StartsWord(low[len(f.form):]) {
			return f.Currency, len(f.form)
		}
	}
	code, _ := text.FirstWord(s[:min(len(s), longest)])
	if upper := strings.ToUpper(code); IsCurrencyCode(upper) && (code != lower(code) || inList("lower code", code)) {
		return Currency{Codes: []string{upper}}, len(code)
	}
	return Currency{}, 0
}

func isCurrencySign(r rune) bool { return unicode.Is(unicode.Sc, r) }
