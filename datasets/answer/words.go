package answer

import (
	"math/big"
	"strings"
)

// maxInWords is the largest number that is read in words.
const maxInWords = 1_000_000_000_000_000

// maxNumberWords bounds what is still looked at as a number in words.
const maxNumberWords = 40

// numberWord is one word of a text with the offset behind it.
type numberWord struct {
	text string
	end  int
}

// scanWords reads the longest English number in words at the start of s: "twenty-one",
// "one hundred and five", "three point five", "a dozen", "half a million", "two and
// a half", "three quarters". n is 0 if s does not start with one.
func scanWords(s string) (v value, n int) {
	w := numberWords(s)
	negative := len(w) > 0 && (w[0].text == "minus" || w[0].text == "negative")
	from := 0
	if negative {
		from = 1
	}
	v, next := readMagnitude(w, from)
	if next == from {
		return value{}, 0
	}
	if negative {
		v.rat.Neg(v.rat)
	}
	return v, w[next-1].end
}

// numberWords splits the start of s at spaces, hyphens and commas before a space. It
// stops at the first thing that is no word.
func numberWords(s string) []numberWord {
	var words []numberWord
	for i := 0; len(words) < maxNumberWords; {
		start := i
		for i < len(s) && s[i] >= 'a' && s[i] <= 'z' {
			i++
		}
		if i == start || startsWord(s[i:]) {
			break
		}
		words = append(words, numberWord{s[start:i], i})
		switch {
		case strings.HasPrefix(s[i:], ", "):
			i += 2
		case i < len(s) && (s[i] == ' ' || s[i] == '-'):
			i++
		default:
			return words
		}
	}
	return words
}

// readMagnitude reads a number without sign from w[i:] and returns where it ends.
func readMagnitude(w []numberWord, i int) (value, int) {
	if r, next := readShare(w, i); next > i {
		return value{rat: r}, next
	}
	whole, next := readCardinal(w, i)
	if next == i {
		return value{}, i
	}
	v := value{rat: new(big.Rat).SetInt64(whole)}
	if word(w, next) == "point" {
		return readPoint(w, next, v)
	}
	if word(w, next) == "and" {
		if r, end := readShare(w, next+1); end > next+1 && r.Cmp(big.NewRat(1, 1)) < 0 {
			v.rat.Add(v.rat, r)
			return v, end
		}
	}
	return v, next
}

// readPoint reads the digits after "point".
func readPoint(w []numberWord, i int, v value) (value, int) {
	next := i + 1
	unit := big.NewRat(1, 1)
	for ; next < len(w); next++ {
		digit, ok := smallNumber(w[next].text)
		if !ok || digit > 9 {
			break
		}
		unit.Quo(unit, big.NewRat(10, 1))
		v.rat.Add(v.rat, new(big.Rat).Mul(unit, big.NewRat(digit, 1)))
		v.decimals++
	}
	if v.decimals == 0 {
		return v, i
	}
	if factor := scaleWord(word(w, next)); factor > 0 {
		v.rat.Mul(v.rat, big.NewRat(factor, 1))
		v.decimals = max(0, v.decimals-len(big.NewInt(factor).String())+1)
		next++
	}
	return v, next
}

// readShare reads half, half a million, a quarter, two thirds.
func readShare(w []numberWord, i int) (*big.Rat, int) {
	if word(w, i) == "half" {
		half, next := big.NewRat(1, 2), i+1
		if isOne(word(w, next)) {
			factor := scaleWord(word(w, next+1))
			if word(w, next+1) == "dozen" {
				factor = 12
			}
			if factor > 0 {
				return half.Mul(half, big.NewRat(factor, 1)), next + 2
			}
		}
		return half, next
	}
	parts := int64(1)
	if !isOne(word(w, i)) {
		n, ok := smallNumber(word(w, i))
		if !ok || n == 0 {
			return nil, i
		}
		parts = n
	}
	if name := word(w, i+1); name != "" {
		if of := shareWord(name); of > 0 {
			return big.NewRat(parts, of), i + 2
		}
	}
	return nil, i
}

func isOne(word string) bool { return word == "a" || word == "an" || word == "one" }

// readCardinal reads a whole number: groups below a thousand, each with a scale
// smaller than the one before.
func readCardinal(w []numberWord, i int) (total int64, next int) {
	last := int64(maxInWords) * 10
	next = i
	for at := i; ; {
		group, end := readGroup(w, at)
		if end == at {
			break
		}
		factor := scaleWord(word(w, end))
		if factor == 0 {
			if group < last {
				total, next = total+group, end
			}
			break
		}
		if factor >= last || group > maxInWords/factor {
			break
		}
		total, next, last = total+group*factor, end+1, factor
		at = next
		if word(w, at) == "and" {
			at++
		}
	}
	if total > maxInWords {
		return 0, i
	}
	return total, next
}

// readGroup reads up to 9,900: "three hundred and five", "twelve hundred", "a dozen".
func readGroup(w []numberWord, i int) (n int64, next int) {
	n, next = readBelowHundred(w, i)
	if next == i && (word(w, i) == "a" || word(w, i) == "an") {
		if follows := word(w, i+1); follows == "hundred" || follows == "dozen" || scaleWord(follows) > 0 {
			n, next = 1, i+1
		}
	}
	switch {
	case next == i || n == 0:
		return n, next
	case word(w, next) == "dozen":
		return n * 12, next + 1
	case word(w, next) != "hundred":
		return n, next
	}
	n, next = n*100, next+1
	at := next
	if word(w, at) == "and" {
		at++
	}
	if rest, end := readBelowHundred(w, at); end > at && rest > 0 && shareWord(word(w, end)) == 0 {
		return n + rest, end
	}
	return n, next
}

func readBelowHundred(w []numberWord, i int) (n int64, next int) {
	if n, ok := smallNumber(word(w, i)); ok {
		return n, i + 1
	}
	tens, ok := tensWord(word(w, i))
	if !ok {
		return 0, i
	}
	if ones, ok := smallNumber(word(w, i+1)); ok && ones >= 1 && ones <= 9 {
		return tens + ones, i + 2
	}
	return tens, i + 1
}

// word is the i-th word, empty beyond the last.
func word(w []numberWord, i int) string {
	if i >= len(w) {
		return ""
	}
	return w[i].text
}
