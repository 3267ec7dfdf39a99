package value

import (
	"math/big"
	"strings"
	"unicode/utf8"
)

// maxCJKRunes bounds a number in Chinese characters.
const maxCJKRunes = 40

// scanCJK reads a number in Chinese characters at the start of s: 二十一, 三百五十万, and
// digit by digit 二〇二四. n is 0 if s does not start with one.
func scanCJK(s string) (v Number, n int) {
	if s == "" || s[0] < utf8.RuneSelf {
		return Number{}, 0
	}
	var digits []int64 // digits that no place follows
	var total, section int64
	last := int64(10_000) // the place before, within the section
	myriads := int64(maxInWords) * 10
	count := 0
	for _, r := range s {
		w, ok := numberWords().words[string(r)]
		if !ok || count >= maxCJKRunes {
			break
		}
		switch {
		case w.class == "cjk":
			if w.value == 0 && len(digits) == 0 && section > 0 {
				break // the zero of 三百〇五 only fills a place
			}
			digits = append(digits, w.value)
		case w.class == "place" && w.value < last && len(digits) <= 1:
			section += w.value * digitOr(digits, 1)
			digits, last = nil, w.value
		case w.class == "myriad" && w.value < myriads && len(digits) <= 1 && (section > 0 || len(digits) == 1):
			section += digitOr(digits, 0)
			if section > maxInWords/w.value {
				return Number{}, 0
			}
			total += section * w.value
			section, digits, last, myriads = 0, nil, 10_000, w.value
		default:
			return Number{}, 0
		}
		n += utf8.RuneLen(r)
		count++
	}
	if n == 0 || len(digits) > 1 && (total > 0 || section > 0) {
		return Number{}, 0
	}
	if len(digits) > 1 {
		var b strings.Builder
		for _, d := range digits {
			b.WriteByte(byte('0' + d))
		}
		r, _ := new(big.Rat).SetString(b.String())
		return Number{Rat: r, Plain: true}, n
	}
	return Number{Rat: new(big.Rat).SetInt64(total + section + digitOr(digits, 0))}, n
}

func digitOr(digits []int64, missing int64) int64 {
	if len(digits) == 0 {
		return missing
	}
	return digits[len(digits)-1]
}
