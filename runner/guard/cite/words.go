package cite

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// numberWord is a word that a number in words can begin with, and what may go on.
var (
	numberWord  = regexp.MustCompile(`(?i)\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|half an?|an?)\b(?:[ -](?:and|point|an?|half|quarters?|thirds?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|trillion|dozen)\b){0,8}`)
	ordinalWord = regexp.MustCompile(`(?i)\b(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|fortieth|fiftieth|hundredth)\b`)
)

// words keeps the numbers in words between two offsets.
func (s scanner) words(from, to int, keep func(number, span) bool) bool {
	text := s.text[from:to]
	ordinals := ordinalWord.FindAllStringIndex(text, s.limit)
	for _, m := range ordinals {
		n := number{text: text[m[0]:m[1]], inWords: true, ordinal: true, step: big.NewRat(1, 1)}
		value, ok := ordinal(n.text)
		if !ok {
			continue
		}
		n.num, n.mantissa = value, value
		if !keep(settle(n), span{from + m[0], from + m[1]}) {
			return false
		}
	}
	text = blank(text, ordinals) // twenty-first holds no twenty
	for _, m := range numberWord.FindAllStringIndex(text, s.limit) {
		value, length := longestInWords(text[m[0]:m[1]])
		if value == nil {
			continue
		}
		start, end := from+m[0], from+m[0]+length
		n := number{num: value, mantissa: value, step: roundStep(value), inWords: true, hedge: hedgeBefore(s.text[:start])}
		end = s.suffix(&n, start, end)
		n.text = s.text[start:end]
		n.counts = n.kind == bare && nounFollows(s.text[end:])
		if !keep(settle(n), span{start, end}) {
			return false
		}
	}
	return true
}

func ordinal(text string) (*big.Rat, bool) {
	k, err := answer.Normalize(text, answer.Integer, answer.Options{})
	if err != nil {
		return nil, false
	}
	body, ok := strings.CutPrefix(k.Key, "int:")
	if !ok {
		return nil, false
	}
	return new(big.Rat).SetString(body)
}

// longestInWords drops words from the end until a number is left.
func longestInWords(text string) (*big.Rat, int) {
	for text = strings.TrimRight(text, " -"); text != ""; {
		if value, ok := rational(text); ok {
			return value, len(text)
		}
		cut := strings.LastIndexAny(text, " -")
		if cut < 0 {
			break
		}
		text = strings.TrimRight(text[:cut], " -")
	}
	return nil, 0
}

// roundStep is the precision of a number in words: three million is to the million.
func roundStep(value *big.Rat) *big.Rat {
	if !value.IsInt() {
		return new(big.Rat)
	}
	for _, e := range []int{12, 9, 6} {
		if value.Sign() != 0 && new(big.Rat).Quo(value, tenTo(e)).IsInt() {
			return tenTo(e)
		}
	}
	return big.NewRat(1, 1)
}

var between = regexp.MustCompile(`^ ?(?:-|to|or|and|bis|至|到) ?[$€£¥~]?$`)

// shareRanges gives the first number of a range a second reading, with the scale word
// and unit of the last.
func (s scanner) shareRanges(numbers []number, spans []span) {
	for i := range len(numbers) - 1 {
		a, b := &numbers[i], numbers[i+1]
		if a.kind == opaque || b.kind == opaque || spans[i].end > spans[i+1].start || spans[i+1].start-spans[i].end > 8 {
			continue
		}
		if !between.MatchString(s.text[spans[i].end:spans[i+1].start]) || b.mantissa.Sign() == 0 {
			continue
		}
		factor := new(big.Rat).Quo(b.num, b.mantissa)
		if a.kind != bare && a.kind != b.kind || a.kind == b.kind && factor.Cmp(big.NewRat(1, 1)) == 0 {
			continue
		}
		second := *a
		second.kind, second.unit, second.also = b.kind, b.unit, nil
		if a.num.Cmp(a.mantissa) == 0 {
			second.num = new(big.Rat).Mul(a.num, factor)
			second.step = new(big.Rat).Mul(a.step, factor)
		}
		second = settle(second)
		a.also = &second
	}
}
