package value

import (
	"math/big"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// maxInWords is the largest number that is read in words. maxNumberWords is the maximum number of words of a
// number.
const (
	maxInWords     = 1_000_000_000_000_000
	maxNumberWords = 40
)

// numberForm is the grammar of numbers in words. Each letter of the grammar means one kind of word:
//
//	z zero  d one to nine  e ten to nineteen  t twenty to ninety  h hundred  k dozen
//	s scale: thousand and larger
//	D E T H S the same as ordinals  F first and second  f half  q quarters, thirds
//	a the article a, an  n the word and  p the word point
//	o Chinese zero  c Chinese digits  w places within ten thousand  m places above
//
// A number has one of these forms: a cardinal, perhaps with decimals or a share after it; a share; an ordinal;
// a Chinese number, written with places or digit by digit.
var numberForm = sync.OnceValue(func() *regexp.Regexp {
	const (
		small     = `(?:[de]|td?)` // under a hundred
		group     = small + `(?:h(?:n?` + small + `)?|k)?`
		first     = `(?:a(?:h(?:n?` + small + `)?|k)|` + group + `)`
		thousands = `(?:a|` + first + `)s(?:n?` + group + `s)*`
		cardinal  = thousands + `(?:n?` + group + `)?|` + first + `|z`
		ordinal   = `(?:` + thousands + `n?)?(?:(?:` + small + `hn?)?(?:t?[FD]|[ET])|` + small + `?[HS])`
		share     = `f|[ade][fqDET]`
		section   = `(?:(?:o?c?w)+(?:o?c)?|o?c)`
		chinese   = `(?:` + section + `m)+(?:o?` + section + `)?|` + section + `|o`
	)
	form := regexp.MustCompile(`^(?:(` + cardinal + `|` + ordinal + `|` + chinese + `)` +
		`(?:p([zd]+)(s?)|n(` + share + `))?|(` + share + `|fa[sk])|([oc]{2,}))`)
	form.Longest()
	return form
})

// spoken is a word or sign of a number, with its row in numbers.tsv.
type spoken struct {
	entry
	end int // the offset after it
}

// scanWords reads the longest number in words at the start of s: "twenty-one", "one hundred
// and five", "three point five", "a dozen", "half a million", "two and a half", "three
// quarters", "twenty-first", 三百五十万, 二〇二四. n is 0 if s does not start with one.
func scanWords(s string) (v Number, n int, ordinal bool) {
	words, letters := splitWords(s)
	if len(words) == 0 {
		return v, 0, false
	}
	at := numberForm().FindStringSubmatchIndex(letters)
	if at == nil {
		return v, 0, false
	}
	part := func(i int) []spoken { return words[max(at[2*i], 0):max(at[2*i+1], 0)] }
	whole, ok := sum(part(1))
	if !ok {
		return v, 0, false
	}
	v.Rat = new(big.Rat).SetInt64(whole)
	for _, last := range words[max(at[3]-1, 0):max(at[3], 0)] {
		ordinal = last.class == "ordinal"
		if last.form == "s" && last.value >= 1e6 {
			v.Place = zeros(last.value) // three million has the precision of a million
		}
	}
	for _, digit := range part(2) {
		v.Place--
		v.Rat.Add(v.Rat, new(big.Rat).Mul(pow(big.NewRat(10, 1), v.Place), big.NewRat(digit.value, 1)))
	}
	for _, scale := range part(3) {
		v.times(big.NewRat(scale.value, 1))
		v.Place += zeros(scale.value)
	}
	for _, digit := range part(6) {
		v.Rat.Add(v.Rat.Mul(v.Rat, big.NewRat(10, 1)), big.NewRat(digit.value, 1))
	}
	if parts := append(part(4), part(5)...); len(parts) > 0 {
		v.Rat.Add(v.Rat, product(parts))
		v.Fraction = !v.Rat.IsInt()
	}
	return v, words[at[1]-1].end, ordinal
}

// splitWords splits the beginning of s into the words of a number. It stops at the first word that is not part
// of a number. Words are separated by a space, a hyphen, or a comma before a space. A Chinese sign is a word.
// letters has the letter of the grammar for each word.
func splitWords(s string) (words []spoken, letters string) {
	hyphen := false
	for at := 0; len(words) < maxNumberWords; {
		r, size := utf8.DecodeRuneInString(s[at:])
		word := s[at : at+size]
		if !text.IsUnspaced(r) {
			word, _ = text.FirstWord(s[at:])
		}
		e := numberWords()[word]
		if of := numberWords()[strings.TrimSuffix(word, "s")]; e.form == "" && of.form != "" &&
			strings.Contains("DETq", of.form) {
			e = entry{"share", of.value, "q"}
		}
		// "Twenty second" may mean twenty seconds.
		if e.form == "" || word == "second" && len(words) > 0 && !hyphen && !strings.HasSuffix(letters, "n") {
			break
		}
		at += len(word)
		words, letters = append(words, spoken{e, at}), letters+e.form
		gap := wordGap.FindString(s[at:])
		if at, hyphen = at+len(gap), gap == "-"; gap == "" && !text.IsUnspaced(r) {
			break
		}
	}
	return words, letters
}

var wordGap = lazy.Compile(`^(?:,? |-)`)

// sum computes a whole number from its words. A hundred, a dozen or a Chinese place multiplies the number
// before it. A scale, such as thousand, multiplies the whole section before it. Places and scales must become
// smaller from word to word.
func sum(words []spoken) (total int64, ok bool) {
	var section, last int64
	place, limit := int64(maxInWords), int64(maxInWords)*10
	for _, w := range words {
		switch w.form {
		case "h", "H", "k", "w":
			if w.value >= place {
				return 0, false
			}
			section, last, place = section+max(last, 1)*w.value, 0, w.value
		case "s", "S", "m":
			if section = max(section+last, 1); w.value >= limit || section > maxInWords/w.value {
				return 0, false
			}
			total, section, last, place, limit = total+section*w.value, 0, 0, maxInWords, w.value
		default:
			last += w.value
		}
		if section+last >= limit || total+section+last > maxInWords {
			return 0, false
		}
	}
	return total + section + last, true
}

// product multiplies the words of a share: half a million, three quarters.
func product(words []spoken) *big.Rat {
	r := big.NewRat(1, 1)
	for _, w := range words {
		factor := big.NewRat(w.value, 1)
		if strings.Contains("fqDET", w.form) {
			factor.Inv(factor)
		}
		r.Mul(r, factor)
	}
	return r
}

// zeros returns the number of zeros of a power of ten.
func zeros(n int64) int { return len(big.NewInt(n).String()) - 1 }
