package answer

import (
	"errors"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxUnitWords is the longest noun phrase that is still taken for a unit.
const maxUnitWords = 6

// readUnit checks that what follows a number is a unit or a noun phrase and
// nothing that could change the number. An error says why it is not.
func readUnit(s string) error {
	s = strings.TrimLeft(s, " -")
	if inner, ok := strings.CutPrefix(s, "("); ok && strings.HasSuffix(inner, ")") {
		s = strings.TrimSuffix(inner, ")")
	}
	words := strings.Fields(s)
	if len(words) > maxUnitWords {
		return errors.New("a sentence follows the number")
	}
	for _, word := range words {
		if err := checkUnitWord(strings.Trim(word, "()")); err != nil {
			return err
		}
	}
	return nil
}

func checkUnitWord(word string) error {
	switch {
	case isPoweredUnit(word):
		return nil
	case changesNumber(word):
		return errors.New(quote(word) + " after the number is not a unit")
	case isScaleWord(word):
		return errors.New("number words such as " + quote(word) + " are not read, write digits")
	}
	for _, r := range word {
		switch {
		case unicode.IsLetter(r), unicode.IsMark(r), isCurrencySign(r):
		case strings.ContainsRune("°/^·⋅-'.µ", r):
		default:
			return errors.New(quote(word) + " after the number is not a unit")
		}
	}
	return nil
}

// isPoweredUnit accepts the units that are written with a digit: m2, km^3, m/s2, co2.
func isPoweredUnit(word string) bool {
	for _, part := range strings.Split(word, "/") {
		base := strings.TrimRight(part, "0123456789")
		power := strings.TrimPrefix(part[len(base):], "^")
		base = strings.TrimRight(base, "^-")
		switch base {
		case "m", "mm", "cm", "dm", "km", "µm", "μm", "nm", "ft", "in", "yd", "mi", "s", "sec", "kg", "g",
			"mol", "l", "hz", "j", "n", "w", "pa", "v", "k", "co":
		default:
			return false
		}
		if len(power) > 1 {
			return false
		}
	}
	return true
}

// changesNumber lists the words that make the number before them something else.
func changesNumber(word string) bool {
	switch word {
	case "or", "and", "but", "not", "to", "than", "minus", "plus", "if", "no",
		"point", "half", "quarter", "percent", "percentage", "pct", "over", "squared",
		"cubed", "however", "because", "is", "was", "are", "factorial", "rather", "instead",
		"wrong", "incorrect", "oder", "und", "nicht", "et", "ou":
		return true
	}
	return isApproximately(word)
}

// cutScale reads a scale word directly after a number and returns its factor. A
// single letter (5k, 2.5m, 3b) is a scale in money and next to a currency sign;
// elsewhere it might as well be a unit, and then doubt is true. In a measure it is
// one.
func cutScale(s string, around syntax, currency bool) (factor *big.Rat, rest string, doubt bool) {
	currency = currency || around == money
	word, rest := firstWord(strings.TrimPrefix(s, " "))
	if len(word) > 3 {
		word = strings.TrimSuffix(word, "s")
	}
	if around == measure && len(word) == 1 {
		return nil, s, false
	}
	exponent := 0
	switch word {
	case "dozen":
		return big.NewRat(12, 1), rest, false
	case "hundred":
		exponent = 2
	case "thousand":
		exponent = 3
	case "lakh":
		exponent = 5
	case "million", "mn", "mln":
		exponent = 6
	case "crore":
		exponent = 7
	case "billion", "bn":
		exponent = 9
	case "trillion", "tn":
		exponent = 12
	case "quadrillion":
		exponent = 15
	case "k":
		exponent, doubt = 3, true
	case "m":
		exponent, doubt = 6, !strings.HasPrefix(s, " ")
		if strings.HasPrefix(s, " ") && !currency {
			return nil, s, false // metres
		}
	case "b":
		exponent, doubt = 9, true
	case "t":
		exponent, doubt = 12, true
	default:
		return nil, s, false
	}
	return pow(big.NewRat(10, 1), exponent), rest, doubt && !currency
}

func firstWord(s string) (word, rest string) {
	for i, r := range s {
		if !isWord(r) {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// isScaleWord knows the scale words that would be lost if they were dropped like
// a unit: the English ones out of place and those of other languages.
func isScaleWord(word string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "dozen", "hundred", "thousand", "million", "billion", "trillion", "quadrillion",
		"quintillion", "lakh", "crore", "mio", "mrd", "mln", "mld", "mille", "mil", "mila",
		"тыс", "млн", "млрд", "трлн", "тысяч", "тысяча", "тысячи", "ألف", "مليون", "مليار":
		return true
	}
	for _, stem := range []string{
		"tausend", "hundert", "million", "milliard", "millón", "millone", "milione", "milioni",
		"miliard", "milhão", "milhõe", "bilhão", "bilhõe", "billon", "миллион", "миллиард",
	} {
		if strings.HasPrefix(word, stem) {
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(word)
	return strings.ContainsRune("〇零一二两兩三四五六七八九十百千万萬亿億兆壹貳參백천만억조", first)
}

// cutCurrency cuts a currency sign (€, US$) or a common code (USD) off the front.
func cutCurrency(s string) (string, bool) {
	for i, r := range s {
		if isCurrencySign(r) {
			return strings.TrimPrefix(s[i+utf8.RuneLen(r):], " "), true
		}
		if i >= 3 || !unicode.IsLetter(r) {
			break
		}
	}
	word, rest := firstWord(s)
	switch word {
	case "usd", "eur", "gbp", "jpy", "cny", "inr", "aud", "cad", "chf", "krw", "rub", "brl", "mxn", "rs":
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "."), " ")
		if rest != "" && (isDigit(rest[0]) || rest[0] == '-' || rest[0] == '.') {
			return rest, true
		}
	}
	return s, false
}

func isCurrencySign(r rune) bool {
	return unicode.Is(unicode.Sc, r)
}
