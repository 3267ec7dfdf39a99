package value

import (
	"math/big"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxInWords is the largest number that is read in words.
const maxInWords = 1_000_000_000_000_000

// maxNumberWords bounds what is still looked at as a number in words.
const maxNumberWords = 40

// spokenWord is one word of a text with the offset behind it.
type spokenWord struct {
	text string
	end  int
}

// scanWords reads the longest English number in words at the start of s: "twenty-one",
// "one hundred and five", "three point five", "a dozen", "half a million", "two and
// a half", "three quarters". n is 0 if s does not start with one.
func scanWords(s string) (v Number, n int) {
	w := splitWords(s)
	negative := len(w) > 0 && (w[0].text == "minus" || w[0].text == "negative")
	from := 0
	if negative {
		from = 1
	}
	v, next := readMagnitude(w, from)
	if next == from {
		return Number{}, 0
	}
	if negative {
		v.Rat.Neg(v.Rat)
	}
	return v, w[next-1].end
}

// splitWords splits the start of s at spaces, hyphens and commas before a space. It
// stops at the first thing that is no word.
func splitWords(s string) []spokenWord {
	var words []spokenWord
	for i := 0; len(words) < maxNumberWords; {
		start := i
		for i < len(s) && s[i] >= 'a' && s[i] <= 'z' {
			i++
		}
		if i == start || text.StartsWord(s[i:]) {
			break
		}
		words = append(words, spokenWord{s[start:i], i})
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
func readMagnitude(w []spokenWord, i int) (Number, int) {
	if r, next := readShare(w, i); next > i {
		return Number{Rat: r, Fraction: !r.IsInt()}, next
	}
	whole, next := readCardinal(w, i)
	if next == i {
		return Number{}, i
	}
	v := Number{Rat: new(big.Rat).SetInt64(whole), Place: roundPlace(whole)}
	if word(w, next) == "point" {
		return readPoint(w, next, v)
	}
	if word(w, next) == "and" {
		if r, end := readShare(w, next+1); end > next+1 && r.Cmp(big.NewRat(1, 1)) < 0 {
			v.Rat.Add(v.Rat, r)
			v.Fraction = true
			return v, end
		}
	}
	return v, next
}

// roundPlace is the precision of a number in words: three million is to the million.
func roundPlace(n int64) int {
	for _, e := range []int{12, 9, 6} {
		if n != 0 && n%new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(e)), nil).Int64() == 0 {
			return e
		}
	}
	return 0
}

// readPoint reads the digits after "point".
func readPoint(w []spokenWord, i int, v Number) (Number, int) {
	next := i + 1
	unit := big.NewRat(1, 1)
	for ; next < len(w); next++ {
		digit, ok := smallNumber(w[next].text)
		if !ok || digit > 9 {
			break
		}
		unit.Quo(unit, big.NewRat(10, 1))
		v.Rat.Add(v.Rat, new(big.Rat).Mul(unit, big.NewRat(digit, 1)))
		v.Place--
	}
	if v.Place == 0 {
		return v, i
	}
	if factor := scaleWord(word(w, next)); factor > 0 {
		v.times(big.NewRat(factor, 1))
		v.Place += len(big.NewInt(factor).String()) - 1
		next++
	}
	return v, next
}

// readShare reads half, half a million, a quarter, two thirds.
func readShare(w []spokenWord, i int) (*big.Rat, int) {
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
func readCardinal(w []spokenWord, i int) (total int64, next int) {
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
func readGroup(w []spokenWord, i int) (n int64, next int) {
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

func readBelowHundred(w []spokenWord, i int) (n int64, next int) {
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
func word(w []spokenWord, i int) string {
	if i >= len(w) {
		return ""
	}
	return w[i].text
}

// scanOrdinal reads an ordinal in words at the start of s, "twenty-first", as its whole
// number. The last word must be the ordinal. "Second" counts only alone, after a hyphen or
// after "and": twenty second may be twenty seconds.
func scanOrdinal(s string) (v Number, n int) {
	words := splitWords(s)
	for _, w := range words {
		cardinal := cardinalWord(w.text)
		if cardinal == "" {
			continue
		}
		start := w.end - len(w.text)
		head := s[:start]
		switch {
		case cardinal == "two" && strings.HasSuffix(head, " ") && !strings.HasSuffix(head, " and "):
			return Number{}, 0
		case head == "" && needsOne(cardinal):
			head = "one "
		}
		whole := splitWords(head + cardinal)
		value, next := readCardinal(whole, 0)
		if next != len(whole) || next == 0 {
			return Number{}, 0
		}
		return Number{Rat: new(big.Rat).SetInt64(value)}, w.end
	}
	return Number{}, 0
}

// needsOne reports whether a word is a number only behind another: one hundred.
func needsOne(word string) bool {
	_, small := smallNumber(word)
	_, tens := tensWord(word)
	return !small && !tens
}
