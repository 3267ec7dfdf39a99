package value

import (
	"fmt"
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
	Currency
}

type currencyTable struct {
	forms  []currencyForm // those that begin with another before it
	starts map[byte][]int // places in forms, by first byte
}

var currencies = sync.OnceValue(func() currencyTable { return load("currencies.tsv", readCurrencyTable) })

func readCurrencyTable(file, content string) (currencyTable, error) {
	t := currencyTable{starts: map[byte][]int{}}
	rows, err := readRows(file, content, 4)
	if err != nil {
		return t, err
	}
	seen := once{}
	for _, r := range rows {
		c := Currency{Label: r.cells[1], Codes: strings.Fields(r.cells[2]), Minor: r.cells[3] == "cents"}
		if !c.Minor && r.cells[3] != "" || len(c.Codes) == 0 || len(c.Codes) > 1 && c.Label == "" {
			return t, fmt.Errorf("%s: want codes, a label where there are several, and cents or nothing", r.place)
		}
		for _, code := range c.Codes {
			if !IsCurrencyCode(code) {
				return t, fmt.Errorf("%s: %q is not a code of ISO 4217", r.place, code)
			}
		}
		for _, form := range r.forms(0) {
			if err := seen.add(form, r); err != nil {
				return t, err
			}
			t.forms = append(t.forms, currencyForm{form, c})
		}
	}
	slices.SortStableFunc(t.forms, func(a, b currencyForm) int { return len(b.form) - len(a.form) })
	for i, f := range t.forms {
		t.starts[f.form[0]] = append(t.starts[f.form[0]], i)
	}
	return t, nil
}

// newCodes are codes of ISO 4217 that golang.org/x/text/currency does not know yet.
var newCodes = []string{"SLE", "VED", "XCG", "ZWG"}

// IsCurrencyCode reports whether a text is a code of ISO 4217, in capitals.
func IsCurrencyCode(code string) bool {
	if len(code) != 3 || strings.ToUpper(code) != code {
		return false
	}
	_, err := currency.ParseISO(code)
	return err == nil || slices.Contains(newCodes, code)
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
	t := currencies()
	for _, i := range t.starts[low[0]] {
		f := t.forms[i]
		if !strings.HasPrefix(low, f.form) || !names && f.isName() {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(f.form)
		if !unicode.IsLetter(last) || text.IsUnspaced(last) || !text.StartsWord(low[len(f.form):]) {
			return f.Currency, len(f.form)
		}
	}
	letters := 0
	for letters < len(low) && low[letters] >= 'a' && low[letters] <= 'z' {
		letters++
	}
	if letters != 3 || text.StartsWord(s[3:]) || !IsCurrencyCode(strings.ToUpper(s[:3])) {
		return Currency{}, 0
	}
	// A code in lower case is one only where a person would write it so: all, top and try
	// are words.
	if low[:3] == s[:3] && !slices.Contains(lowerCodes, low[:3]) {
		return Currency{}, 0
	}
	return Currency{Codes: []string{strings.ToUpper(s[:3])}}, 3
}

// lowerCodes are the codes that are read in lower case too.
var lowerCodes = strings.Fields("usd eur gbp jpy cny inr aud cad chf krw rub brl mxn sek nok dkk pln czk nzd sgd hkd twd zar thb idr myr php vnd")

// isName tells a name, of three letters or more, from a sign.
func (f currencyForm) isName() bool {
	letters := 0
	for _, r := range f.form {
		if !unicode.IsLetter(r) && r != ' ' && r != '.' {
			return false
		}
		letters++
	}
	return letters > 2 && f.form[0] < utf8.RuneSelf && f.form != "rs."
}

func isCurrencySign(r rune) bool { return unicode.Is(unicode.Sc, r) }
