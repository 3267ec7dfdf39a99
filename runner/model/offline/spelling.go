package offline

import (
	"math/big"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxShort bounds what is read of a short answer, in bytes.
const maxShort = 2 << 10

// letters are those that carry no separable diacritic, in the spelling of English texts.
var letters = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ð", "d", "þ", "th", "æ", "ae", "Æ", "Ae",
		"œ", "oe", "Œ", "Oe", "ß", "ss", "ı", "i", "’", "'", "‘", "'", "“", `"`, "”", `"`, "`", "'", "−", "-", "–", "-", "—", "-", "‐", "-", "‑", "-",
		"½", " 1/2", "¼", " 1/4", "¾", " 3/4", "⅓", " 1/3", "⅔", " 2/3", "⅛", " 1/8",
		"²", "^2", "³", "^3", "⁻", "^-", "⁰", "^0", "¹", "^1", "⁴", "^4", "⁵", "^5", "⁶", "^6", "⁷", "^7", "⁸", "^8", "⁹", "^9")
})

type notationPatterns struct {
	powers, unitPowers, science, exponent, groups, iso, month, ordinal, moneyFirst, minus, symbols, negated, dollars, parts *regexp.Regexp
}

var notations = sync.OnceValue(func() notationPatterns {
	re := regexp.MustCompile
	return notationPatterns{
		powers:     re(`\^(-?\d)((?:\^\d)+)`),
		unitPowers: re(`\b(km|m|cm|mm)\^([23])\b`),
		science:    re(`(\d[\d.,]*)\s*(?:[x×*·]|times)\s*10\s*\^\s*\(?(-?\d+)\)?`),
		exponent:   re(`\b(\d+(?:\.\d+)?)[eE]([+-]?\d{1,2})\b`),
		groups:     re(`\b\d{1,3}(?:[  '_]\d{3})+\b`),
		iso:        re(`(^|[^-\d])(\d{4})-(0\d|1[0-2])-([0-2]\d|3[01])\b`),
		month:      re(`(?i)\b(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?(,? \d)|(\d(?:st|nd|rd|th)? (?:of )?)(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?`),
		ordinal:    re(`(?i)\b(january|february|march|april|may|june|july|august|september|october|november|december) (\d{1,2})(?:st|nd|rd|th)\b`),
		moneyFirst: re(`(?i)(US\$|[$€£¥]|\b(?:usd|eur|gbp|jpy)\b)\s*(\d[\d.,]*)(?:\s*(k|m|mn|bn|b|tn|thousand|million|billion|trillion)\b)?`),
		minus:      re(`(?i)\b(?:minus|negative) (\d)`),
		symbols:    re(`\b([A-Za-z])(\+\+|#)`),
		dollars:    re(`(?i)\b(?:us|u\.s\.|american) dollars?\b`),
		parts:      re(`(?i)\b(?:(\d+|an?)[ -])?(half|halves)\b|\b(\d+|a)[ -](3rd|thirds?|quarters?|4th|fourths?|5th|fifths?|10th|tenths?)\b`),
		negated:    re(`(?i)\b([a-z]+)n't\b`),
	}
})

// respell writes an answer in one notation: plain letters, signs and separators, counted
// numbers in figures, dates as "20 July 1969", amounts of money with the currency behind.
func respell(text string) string {
	if len(text) > maxShort {
		text = strings.ToValidUTF8(text[:maxShort], "")
	}
	text = letters().Replace(strings.ToValidUTF8(text, " "))
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r), r == '*':
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, norm.NFKD.String(text))
	p := notations()
	text = p.powers.ReplaceAllStringFunc(text, func(s string) string { return "^" + strings.ReplaceAll(s, "^", "") })
	text = p.unitPowers.ReplaceAllString(text, "$1$2")
	text = p.groups.ReplaceAllStringFunc(text, func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return r
			}
			return -1
		}, s)
	})
	text = p.science.ReplaceAllStringFunc(text, func(s string) string { return plainPower(p.science.FindStringSubmatch(s)) })
	text = p.exponent.ReplaceAllStringFunc(text, func(s string) string { return plainPower(p.exponent.FindStringSubmatch(s)) })
	text = p.iso.ReplaceAllStringFunc(text, func(s string) string {
		m := p.iso.FindStringSubmatch(s)
		return m[1] + date{year: smallInt(m[2]), month: smallInt(m[3]), day: smallInt(m[4])}.dayText()
	})
	text = p.month.ReplaceAllStringFunc(text, func(s string) string {
		m := p.month.FindStringSubmatch(s)
		return m[3] + fullMonth(m[1]+m[4]) + m[2]
	})
	text = p.ordinal.ReplaceAllString(text, "$1 $2")
	text = p.moneyFirst.ReplaceAllStringFunc(text, func(s string) string { return currencyBehind(p.moneyFirst.FindStringSubmatch(s)) })
	text = p.symbols.ReplaceAllStringFunc(text, func(s string) string {
		return s[:1] + map[byte]string{'+': "plusplus", '#': "sharp"}[s[1]]
	})
	text = p.negated.ReplaceAllString(text, "$1 not")
	text = inFigures(text)
	text = p.dollars.ReplaceAllString(text, "usd")
	text = p.parts.ReplaceAllStringFunc(text, func(s string) string { return partOf(p.parts.FindStringSubmatch(s)) })
	text = p.minus.ReplaceAllString(text, "-$1")
	return strings.TrimSpace(strings.Join(strings.Fields(text), " "))
}

// maxPower bounds the powers of ten that are written out.
const maxPower = 40

// plainPower writes "3 × 10^8" as 300000000.
func plainPower(m []string) string {
	mantissa, ok := new(big.Rat).SetString(ungroup(strings.TrimRight(m[1], ".,")))
	power, sign := smallInt(strings.TrimPrefix(m[2], "+")), 1
	if power < 0 {
		power, sign = -power, -1
	}
	if !ok || power > maxPower {
		return m[0]
	}
	ten := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil))
	if sign < 0 {
		ten.Inv(ten)
	}
	return decimal(mantissa.Mul(mantissa, ten))
}

// decimal writes a number without needless zeros.
func decimal(r *big.Rat) string {
	s := r.FloatString(maxPower + 20)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// partOf writes "one half" and "two thirds", their numbers in figures already, as 1/2
// and 2/3.
func partOf(m []string) string {
	count := m[1] + m[3]
	if count == "" || strings.HasPrefix(strings.ToLower(count), "a") {
		count = "1"
	}
	switch part := strings.ToLower(m[2] + m[4]); part[:1] {
	case "h":
		return count + "/2"
	case "q", "4":
		return count + "/4"
	case "3":
		return count + "/3"
	case "5":
		return count + "/5"
	case "1":
		return count + "/10"
	default: // the plurals
		return count + "/" + map[string]string{"thi": "3", "fou": "4", "fif": "5", "ten": "10"}[part[:3]]
	}
}

func fullMonth(short string) string {
	low := strings.ToLower(short)
	for name := range months() {
		if len(low) >= 3 && strings.HasPrefix(name, low[:3]) {
			return strings.ToUpper(name[:1]) + name[1:]
		}
	}
	return short
}

// currencies gives the code of what names a currency.
var currencies = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines("usd: $ us$ usd dollar dollars\neur: € eur euro euros\ngbp: £ gbp sterling\njpy: ¥ jpy yen\n") {
		code, names, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for _, n := range strings.Fields(names) {
			m[n] = code
		}
	}
	return m
})

func currencyBehind(m []string) string {
	magnitude := map[string]string{"k": "thousand", "m": "million", "mn": "million", "b": "billion", "bn": "billion", "tn": "trillion"}
	size := strings.ToLower(m[3])
	if long, ok := magnitude[size]; ok {
		size = long
	}
	number := strings.TrimRight(m[2], ".,")
	return " " + number + " " + size + " " + currencies()[strings.ToLower(m[1])] + m[2][len(number):]
}
