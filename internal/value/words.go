package value

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxInWords is the largest number that is read in words.
const maxInWords = 1_000_000_000_000_000

// maxNumberWords bounds what is still looked at as a number in words.
const maxNumberWords = 40

// spoken are the words of a number, with what numbers.tsv says of them.
type spoken []spokenWord

type spokenWord struct {
	entry
	text   string
	hyphen bool // before it
	end    int  // the offset behind it
}

// at is the i-th word, the zero word beyond the last.
func (w spoken) at(i int) spokenWord {
	if i >= len(w) {
		return spokenWord{}
	}
	return w[i]
}

// scanWords reads the longest English number in words at the start of s: "twenty-one",
// "one hundred and five", "three point five", "a dozen", "half a million", "two and
// a half", "three quarters", "twenty-first". n is 0 if s does not start with one.
func scanWords(s string) (v Number, n int, ordinal bool) {
	w := splitWords(s)
	negative := w.at(0).text == "minus" || w.at(0).text == "negative"
	if negative {
		w = w[1:]
	}
	v, next, ordinal := w.number()
	if next == 0 {
		return Number{}, 0, false
	}
	if negative {
		v.Rat.Neg(v.Rat)
	}
	return v, w[next-1].end, ordinal
}

// splitWords splits the start of s at spaces, hyphens and commas before a space, up to the
// first word that belongs to no number.
func splitWords(s string) (words spoken) {
	hyphen := false
	for i := 0; len(words) < maxNumberWords; {
		start := i
		for i < len(s) && s[i] >= 'a' && s[i] <= 'z' {
			i++
		}
		e, known := numberWords()[s[start:i]]
		if of := shareOf(s[start:i]); of > 0 && !known {
			e, known = entry{"share", of}, true
		}
		if !known || text.StartsWord(s[i:]) {
			break
		}
		words = append(words, spokenWord{e, s[start:i], hyphen, i})
		hyphen = strings.HasPrefix(s[i:], "-")
		switch {
		case strings.HasPrefix(s[i:], ", "):
			i += 2
		case hyphen || strings.HasPrefix(s[i:], " "):
			i++
		default:
			return words
		}
	}
	return words
}

// shareOf is the number of parts that a word divides into: 3 for third and thirds, 0 for
// others. "Second" is not one: it counts seconds.
func shareOf(word string) int64 {
	for _, form := range []string{word, strings.TrimSuffix(word, "s")} {
		if e := numberWords()[form]; e.class == "share" || e.class == "ordinal" && e.value > 2 {
			return e.value
		}
	}
	return 0
}

// number reads a number without sign and returns how many words it has.
func (w spoken) number() (v Number, next int, ordinal bool) {
	whole, next, ordinal := w.cardinal()
	if share, end := w.share(); end > 0 && (!ordinal || end > next) {
		return Number{Rat: share, Fraction: !share.IsInt()}, end, false
	}
	v.Rat = new(big.Rat).SetInt64(whole)
	if next == 0 || ordinal {
		return v, next, ordinal
	}
	for _, million := range []int64{1e6, 1e9, 1e12} { // three million is to the million
		if whole != 0 && whole%million == 0 {
			v.Place = zeros(million)
		}
	}
	switch w.at(next).text {
	case "point":
		return w.decimals(v, next)
	case "and":
		if share, end := w[next+1:].share(); end > 0 && share.Cmp(big.NewRat(1, 1)) < 0 {
			v.Rat.Add(v.Rat, share)
			v.Fraction = true
			next += 1 + end
		}
	}
	return v, next, false
}

// zeros counts the zeros of a power of ten.
func zeros(n int64) int { return len(big.NewInt(n).String()) - 1 }

// decimals reads the digits behind a "point", and a scale behind them.
func (w spoken) decimals(v Number, point int) (Number, int, bool) {
	next := point + 1
	for ; w.at(next).class == "small" && w[next].value < 10; next++ {
		v.Place = point - next
		v.Rat.Add(v.Rat, new(big.Rat).Mul(pow(big.NewRat(10, 1), v.Place), big.NewRat(w[next].value, 1)))
	}
	if next == point+1 {
		return v, point, false
	}
	if scale := w.at(next); scale.class == "scale" {
		v.times(big.NewRat(scale.value, 1))
		v.Place += zeros(scale.value)
		next++
	}
	return v, next, false
}

// share reads half, half a million, a quarter, two thirds.
func (w spoken) share() (*big.Rat, int) {
	one := func(i int) bool { word := w.at(i).text; return word == "a" || word == "an" || word == "one" }
	parts, of := w.at(0).value, shareOf(w.at(1).text)
	switch scale := w.at(2); {
	case w.at(0).text == "half" && one(1) && (scale.class == "scale" || scale.class == "dozen"):
		return big.NewRat(scale.value, 2), 3
	case w.at(0).text == "half":
		return big.NewRat(1, 2), 1
	case of > 0 && one(0):
		return big.NewRat(1, of), 2
	case of > 0 && w.at(0).class == "small" && parts > 0:
		return big.NewRat(parts, of), 2
	}
	return nil, 0
}

// cardinal adds up the words of a whole number. Words below a hundred, a hundred and a dozen
// make a group; a scale multiplies it, and the next scale must be smaller. The last word may
// be an ordinal, which counts as its cardinal.
func (w spoken) cardinal() (n int64, next int, ordinal bool) {
	var total, group int64
	limit, last := int64(maxInWords)*10, "" // the scale before; the class of the word before
	for i := 0; i < len(w) && !ordinal; i++ {
		class, v := w[i].class, w[i].value
		if ordinal = class == "ordinal"; ordinal {
			// Twenty second may be twenty seconds.
			if v == 2 && i > 0 && !w[i].hyphen && last != "and" {
				return n, next, false
			}
			if class = classOf(v); last == "" && v >= 100 {
				group, last = 1, "article"
			}
		}
		opens := last == "" || last == "and" || last == "hundred" || last == "scale"
		multiplies := last != "" && last != "and" && last != "scale" && v < limit
		switch {
		case w[i].text == "and" && (last == "hundred" || last == "scale"):
			last = "and"
			continue
		case i == 0 && (w[i].text == "a" || w[i].text == "an"):
			group, last = 1, "article"
			continue
		case class == "small" && last == "tens" && v > 0 && v < 10,
			(class == "small" || class == "tens") && opens && (group == 0 || ordinal || shareOf(w.at(i+1).text) == 0):
			group += v
		case (class == "hundred" || class == "dozen") && multiplies && group > 0 && group < 100:
			group *= v
		case class == "scale" && multiplies && group <= maxInWords/v:
			total, group, limit = total+group*v, 0, v
		default:
			return n, next, false
		}
		if total+group > maxInWords || group >= limit {
			return n, next, false
		}
		n, next, last = total+group, i+1, class
	}
	return n, next, ordinal
}

// classOf is the class of a number that an ordinal stands for.
func classOf(n int64) string {
	switch {
	case n < 20:
		return "small"
	case n < 100:
		return "tens"
	case n == 100:
		return "hundred"
	}
	return "scale"
}

// maxCJKBytes bounds a number in Chinese characters.
const maxCJKBytes = 120

// scanCJK reads a number in Chinese characters at the start of s: 二十一, 三百五十万, and
// digit by digit 二〇二四. n is 0 if s does not start with one.
func scanCJK(s string) (v Number, n int) {
	var total, section int64
	var digits []byte                                    // those that no place follows
	place, myriad := int64(10_000), int64(maxInWords)*10 // the ones before; the next must be smaller
	digit := func(missing int64) int64 {
		if len(digits) == 0 {
			return missing
		}
		return int64(digits[0] - '0')
	}
	for _, r := range s[:min(len(s), maxCJKBytes)] {
		e := numberWords()[string(r)]
		if r < utf8.RuneSelf || e.class != "cjk" && e.class != "place" && e.class != "myriad" {
			break
		}
		switch {
		case e.class == "cjk" && e.value == 0 && len(digits) == 0 && section > 0:
			// the zero of 三百〇五 only fills a place
		case e.class == "cjk":
			digits = append(digits, byte('0'+e.value))
		case len(digits) > 1:
			return Number{}, 0
		case e.class == "place" && e.value < place:
			section += e.value * digit(1)
			digits, place = nil, e.value
		case e.class == "myriad" && e.value < myriad && section+digit(0) > 0 && section+digit(0) <= maxInWords/e.value:
			total += (section + digit(0)) * e.value
			section, digits, place, myriad = 0, nil, 10_000, e.value
		default:
			return Number{}, 0
		}
		n += utf8.RuneLen(r)
	}
	switch {
	case n == 0 || len(digits) > 1 && total+section > 0:
		return Number{}, 0
	case len(digits) > 1:
		v.Rat, _ = new(big.Rat).SetString(string(digits))
		v.Plain = true
	default:
		v.Rat = new(big.Rat).SetInt64(total + section + digit(0))
	}
	return v, n
}
