package answer

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// readMoney reads an amount of money. Where the sign or word belongs to several
// currencies ($, ¥, £, pesos) only [Options.Currency] decides; else the answer is
// ambiguous.
func readMoney(text string, o Options) (reading, error) {
	if o.Currency != "" && !isCurrencyCode(o.Currency) {
		return reading{}, fmt.Errorf("the currency option %s is no code of ISO 4217", quote(o.Currency))
	}
	q, err := parseAs(text, money)
	if err != nil {
		return reading{}, describe(text, err)
	}
	q.resolve(o)
	switch {
	case q.currency.none():
		q.flags = append(q.flags, FlagBare)
		if q.ambiguous {
			return ambiguous(text), nil
		}
	case q.ambiguous:
		return ambiguous(text), nil
	case q.currency.code() == "":
		return ambiguous(q.body()), nil
	}
	return q.reading(), nil
}

// resolve settles the currency as far as the options allow, and turns cents into
// the whole unit.
func (q *amount) resolve(o Options) {
	c := &q.currency
	if o.Currency != "" && (slices.Contains(c.codes, o.Currency) || c.none() && o.UnitOptional) {
		c.codes = []string{o.Currency}
	}
	if c.code() == "" || !c.minor {
		return
	}
	c.minor = false
	for _, v := range []*value{&q.low, &q.high} {
		if v.rat != nil {
			v.rat = new(big.Rat).Quo(v.rat, big.NewRat(100, 1))
			v.decimals += 2
		}
	}
}

// currency is what a sign, code or word stands for.
type currency struct {
	label string   // a way to write it that is read back, where several codes fit
	codes []string // that it may stand for
	minor bool     // a hundredth of it: cents, pence
}

func (c currency) none() bool { return len(c.codes) == 0 }

// code is the one code that fits, empty where there is none or several.
func (c currency) code() string {
	if len(c.codes) != 1 {
		return ""
	}
	return c.codes[0]
}

// name is the code, or the label where the code is open.
func (c currency) name() string {
	if code := c.code(); code != "" {
		return code
	}
	return c.label
}

// readCurrency reads a currency at the start of s, if there is one, and joins it
// with what is known: "$5 CAD" is in Canadian dollars, "€5 USD" is an error.
func (q *amount) readCurrency(s string) (string, error) {
	rest := strings.TrimPrefix(q.original(s), " ")
	c, n := scanCurrency(rest)
	if n == 0 {
		return s, nil
	}
	after := strings.TrimPrefix(rest[n:], " ")
	s = s[len(s)-len(after):]
	if q.currency.none() {
		q.currency = c
		return s, nil
	}
	var both []string
	for _, code := range q.currency.codes {
		if slices.Contains(c.codes, code) {
			both = append(both, code)
		}
	}
	if len(both) == 0 || c.minor != q.currency.minor {
		return s, errors.New("two different currencies")
	}
	if len(c.codes) < len(q.currency.codes) {
		q.currency.label = c.label
	}
	q.currency.codes = both
	return s, nil
}

// maxCurrencyBytes bounds the longest name of a currency, with what follows it.
const maxCurrencyBytes = 40

// scanCurrency reads a code, sign or name at the start of s, as written.
func scanCurrency(s string) (c currency, n int) {
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) && !isCurrencySign(first) && first != '\\' {
		return currency{}, 0
	}
	lower := lowerASCII(s[:min(len(s), maxCurrencyBytes)])
	for _, sign := range currencySigns() {
		if strings.HasPrefix(lower, sign.text) && (!endsInLetter(sign.text) || !startsWord(lower[len(sign.text):])) {
			return currency{label: sign.label, codes: strings.Fields(sign.codes)}, len(sign.text)
		}
	}
	letters := 0
	for letters < len(lower) && (lower[letters] >= 'a' && lower[letters] <= 'z') {
		letters++
	}
	if letters == 3 && isCurrencyCode(strings.ToUpper(s[:3])) && (lower[:3] != s[:3] || isCommonCode(lower[:3])) {
		return currency{codes: []string{strings.ToUpper(s[:3])}}, 3
	}
	for _, name := range currencyNames() {
		for form := range strings.SplitSeq(name.text, "|") {
			if rest, ok := strings.CutPrefix(lower, form); ok && !startsWord(rest) {
				return currency{label: name.label, codes: strings.Fields(name.codes), minor: name.minor}, len(form)
			}
		}
	}
	return currency{}, 0
}

func endsInLetter(s string) bool {
	c := s[len(s)-1]
	return c >= 'a' && c <= 'z'
}
