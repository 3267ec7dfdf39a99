package cite

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scale multiplies by the scale words at the offset: 1.2 million, 3bn, 120万. k, M and B
// are scale words only in an amount of money, or where no space parts M, B and bn.
func scale(n number, text string, at int, isMoney bool) (number, int) {
	for range 2 {
		factor, end := scaleWord(text[at:], isMoney)
		if factor == nil {
			break
		}
		at += end
		n.num = new(big.Rat).Mul(n.num, factor)
		n.step = new(big.Rat).Mul(n.step, factor)
	}
	return n, at
}

func scaleWord(rest string, isMoney bool) (*big.Rat, int) {
	if _, n := wideUnit(rest); n > 0 {
		return nil, 0 // 千米 is a kilometre
	}
	first, width := utf8.DecodeRuneInString(rest)
	if e, ok := wideScale(first); ok {
		return tenTo(e), width
	}
	skip := 0
	if first == ' ' || first == '-' {
		skip = 1
	}
	w := letters(rest[skip:min(len(rest), skip+16)])
	word := rest[skip : skip+w]
	if e, ok := scaleName(strings.ToLower(word)); ok {
		return tenTo(e), skip + w
	}
	if strings.EqualFold(word, "dozen") {
		return big.NewRat(12, 1), skip + w
	}
	if e, ok := scaleLetter(word); ok && (isMoney || skip == 0 && word != "k" && word != "K" && word != "m") {
		return tenTo(e), skip + w
	}
	return nil, 0
}

func wideScale(r rune) (int, bool) {
	switch r {
	case '百':
		return 2, true
	case '千':
		return 3, true
	case '万', '萬':
		return 4, true
	case '亿', '億':
		return 8, true
	case '兆':
		return 12, true
	}
	return 0, false
}

func scaleName(word string) (int, bool) {
	switch word {
	case "hundred":
		return 2, true
	case "thousand":
		return 3, true
	case "lakh":
		return 5, true
	case "million", "millions", "mln", "millionen", "millones":
		return 6, true
	case "crore":
		return 7, true
	case "billion", "billions", "bn", "milliarden", "milliards":
		return 9, true
	case "trillion", "trillions", "tn":
		return 12, true
	case "quadrillion":
		return 15, true
	}
	return 0, false
}

func scaleLetter(word string) (int, bool) {
	switch word {
	case "k", "K":
		return 3, true
	case "m", "M", "mn":
		return 6, true
	case "b", "B":
		return 9, true
	case "T":
		return 12, true
	}
	return 0, false
}

var (
	percentSign = regexp.MustCompile(`^(?:(?: ?%(?:-points?| points?)| ?pp\b|[ -]percentage points?| percent points?)|( ?%| ?‰|[ -]percent(?:age)?\b| per cent\b| pct\b))`)
	// unitWords is up to four words that may name a unit.
	unitWords = regexp.MustCompile(`^(?:[ -]?[°℃℉]? ?[\p{L}µμΩ][\p{L}²³⁻¹²/·^0-9]*(?:[ -][\p{L}][\p{L}²³/]*){0,3}| ?[°℃℉])`)
	moneySign = regexp.MustCompile(`(?:(?:[A-Z]{1,3})?[$€£¥₹₩₽₺₫฿]|\b[A-Z]{3}) ?-?$`)
)

// maxSuffix bounds the bytes behind a number in which its unit is looked for.
const maxSuffix = 80

// suffix reads percent sign, currency or unit, and returns where they end.
func (s scanner) suffix(n *number, start, end int) int {
	rest := s.text[end:]
	rest = rest[:runeStart(rest, min(len(rest), maxSuffix))]
	if m := percentSign.FindStringSubmatchIndex(rest); m != nil {
		n.kind = points
		if m[2] >= 0 {
			n.kind = percent
		}
		if strings.Contains(rest[:m[1]], "‰") {
			tenth := big.NewRat(1, 10)
			n.num, n.step = new(big.Rat).Mul(n.num, tenth), new(big.Rat).Mul(n.step, tenth)
		}
		return end + m[1]
	}
	before := s.moneyBefore(start)
	if symbol, w := wideUnit(rest); w > 0 && before == "" {
		if u := s.units.quantity(symbol); u != nil {
			n.kind, n.unit = quantity, *u
			return end + w
		}
	}
	words := unitWords.FindString(rest)
	u, of, w := s.longest(before, words)
	if u == nil {
		of = money
		if symbol := firstRune(rest); unicode.Is(unicode.Sc, symbol) || symbol == '元' || symbol == '円' || symbol == '원' {
			u, w = s.units.currency(before, string(symbol)), utf8.RuneLen(symbol)
		} else if inner := strings.TrimPrefix(rest, " "); unicode.Is(unicode.Sc, firstRune(inner)) && len(inner) < len(rest) {
			u, w = s.units.currency(before, string(firstRune(inner))), 1+utf8.RuneLen(firstRune(inner))
		}
	}
	if u == nil {
		u, w = s.units.currency(before, ""), 0
	}
	if u != nil {
		n.kind, n.unit = of, *u
		return end + w
	}
	return end
}

// longest tries the most words first, so that "square kilometres" is not "square". A
// number behind a currency sign is no quantity.
func (s scanner) longest(before, words string) (*unit, kind, int) {
	for words != "" {
		name := strings.TrimLeft(words, " -")
		if !isOrdinaryWord(name) {
			if u := s.units.quantity(name); u != nil && before == "" {
				return u, quantity, len(words)
			}
			if u := s.units.currency(before, name); u != nil {
				return u, money, len(words)
			}
		}
		cut := strings.LastIndexAny(words, " -")
		if cut <= 0 {
			break
		}
		words = words[:cut]
	}
	return nil, bare, 0
}

// isOrdinaryWord knows words that are units by name, and hardly ever by meaning.
func isOrdinaryWord(word string) bool {
	switch strings.ToLower(word) {
	case "in", "as", "am", "at", "a", "an", "to", "by", "do", "and", "or", "all", "per", "pa", "h", "d", "c", "f", "s", "us":
		return word != "s" && word != "h" && word != "C" && word != "F" && word != "Pa"
	}
	return false
}

// moneyBefore is the currency sign or code at the end of what precedes a number.
func (s scanner) moneyBefore(start int) string {
	sign := strings.TrimRight(moneySign.FindString(s.text[runeStart(s.text, max(0, start-12)):start]), " -")
	if s.units.currency(sign, "") == nil {
		return ""
	}
	return sign
}

var nounWord = regexp.MustCompile(`^[ -](\p{L}{2,})`)

// nounFollows reports whether a word follows that is counted, as in "5 rivers".
func nounFollows(rest string) bool {
	m := nounWord.FindStringSubmatch(rest[:min(len(rest), 64)])
	if m == nil {
		return false
	}
	switch strings.ToLower(m[1]) {
	case "and", "or", "in", "on", "at", "by", "to", "from", "for", "of", "with", "as", "is", "was", "are", "were", "than", "but", "which",
		"while", "when", "the", "it", "its", "according", "after", "before", "since", "until", "during", "respectively":
		return false
	}
	return true
}

var hedgeWord = regexp.MustCompile(`(?i)(?:\b(about|around|approximately|approx\.?|roughly|circa|ca\.?|some|close to|nearly|almost|just under|an? estimated|estimated at)|([~≈]|约|約)|\b(over|more than|above|at least|exceeding|exceeds|upwards of|just over|greater than)|\b(under|less than|fewer than|below|up to|at most))(?: (?:the|an?|roughly|about))? ?[^\w\s]{0,3}$`)

// hedgeBefore reads what the words before a number say about its precision.
func hedgeBefore(before string) hedge {
	m := hedgeWord.FindStringSubmatch(before[runeStart(before, max(0, len(before)-40)):])
	switch {
	case m == nil:
		return exactly
	case m[1] != "", m[2] != "":
		return roughly
	case m[3] != "":
		return above
	}
	return below
}

// runeStart moves an offset forward to the beginning of a character.
func runeStart(s string, at int) int {
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return at
}
