package inject

import (
	"math/bits"
	"strings"

	"github.com/seed-5817661a/concur/internal/prefilter"
)

// dictionary has literals (fixed texts) of at least two bytes, and finds all of them in one pass over a text.
type dictionary struct {
	literals []string
	numbers  map[string]int
	pairs    []int            // by two bytes: the literal that is equal to them, or -1
	slots    [slotCount][]int // by the hash of the first three bytes: the longer literals
	rules    [][]int          // by literal: the numbers of the rules that have it in their first set
	count    int              // number of rules
}

const slotCount = 1 << 12

// add adds the literals that are new, and returns the numbers of all literals. It skips a set that has a
// literal of one letter, because nearly every text contains it.
func (l *dictionary) add(needs [][]string) (numbers [][]int) {
	for _, need := range needs {
		if prefilter.Rarity(need) < minRarity {
			continue
		}
		var set []int
		for _, literal := range need {
			number, known := l.numbers[literal]
			if !known {
				number = len(l.literals)
				l.numbers[literal] = number
				l.literals, l.rules = append(l.literals, literal), append(l.rules, nil)
				if len(literal) == 2 {
					l.pairs[pairIndex(literal)] = number
				} else {
					slot := &l.slots[slotOf(literal)]
					*slot = append(*slot, number)
				}
			}
			set = append(set, number)
		}
		numbers = append(numbers, set)
	}
	return numbers
}

// addRule adds the literals of a rule. It returns the number of the rule, and the numbers of its literals. The
// first set should be the rarest one.
func (l *dictionary) addRule(needs [][]string) (number int, literals [][]int) {
	number, literals = l.count, l.add(needs)
	if len(literals) > 0 {
		for _, literal := range literals[0] {
			l.rules[literal] = append(l.rules[literal], number)
		}
	}
	l.count++
	return number, literals
}

func pairIndex(s string) int { return int(s[0])<<8 | int(s[1]) }

func slotOf(s string) uint32 {
	// Fibonacci hashing (Knuth, volume 3, 6.4).
	return (uint32(s[0])<<16 | uint32(s[1])<<8 | uint32(s[2])) * 0x9E3779B1 >> 20
}

// index records, for each literal, which parts of a text contain it. Part 0 is the whole text.
type index struct {
	of    *dictionary
	text  string
	parts []span
	words int      // number of 64-bit words with one bit for each part
	bits  []uint64 // the bits of each literal that was found
	place []int32  // for each literal: where its bits begin
	first []bool   // for each rule: a literal of its first set was found
}

// index finds the literals in a text and in its parts. The parts are in order and may overlap.
func (l *dictionary) index(text string, parts []span) index {
	x := index{of: l, text: text, parts: append([]span{{0, len(text)}}, parts...)}
	x.words = (len(x.parts) + 63) / 64
	x.bits, x.place, x.first = make([]uint64, x.words), make([]int32, len(l.literals)), make([]bool, l.count)
	first := 1 // the first part that ends after i
	for i := range len(text) - 1 {
		for first < len(x.parts) && x.parts[first].end <= i {
			first++
		}
		if literal := l.pairs[pairIndex(text[i:])]; literal >= 0 {
			x.hold(literal, span{i, i + 2}, first)
		}
		if i+2 == len(text) {
			break
		}
		for _, literal := range l.slots[slotOf(text[i:])] {
			if form := l.literals[literal]; strings.HasPrefix(text[i:], form) {
				x.hold(literal, span{i, i + len(form)}, first)
			}
		}
	}
	return x
}

// hold records that a literal was found at a place. first is the first part that may contain it.
func (x *index) hold(literal int, at span, first int) {
	if x.place[literal] == 0 {
		x.place[literal] = int32(len(x.bits))
		x.bits = append(x.bits, make([]uint64, x.words)...)
		for _, rule := range x.of.rules[literal] {
			x.first[rule] = true
		}
	}
	holders := x.bits[x.place[literal]:]
	holders[0] |= 1
	for p := first; p < len(x.parts) && x.parts[p].start <= at.start; p++ {
		if at.end <= x.parts[p].end {
			holders[p/64] |= 1 << (p % 64)
		}
	}
}

// holding returns the parts that contain at least one literal of each set. whole reports whether the whole text
// does.
func (x *index) holding(sets [][]int) (parts []string, whole bool) {
	for word := range x.words {
		all := ^uint64(0)
		for _, set := range sets {
			some := uint64(0)
			for _, literal := range set {
				some |= x.bits[int(x.place[literal])+word]
			}
			if all &= some; all == 0 {
				break
			}
		}
		if word == 0 {
			if whole = all&1 != 0; !whole {
				return nil, false
			}
			all &^= 1
		}
		for ; all != 0; all &= all - 1 {
			if p := word*64 + bits.TrailingZeros64(all); p < len(x.parts) {
				parts = append(parts, x.text[x.parts[p].start:x.parts[p].end])
			}
		}
	}
	return parts, whole
}
