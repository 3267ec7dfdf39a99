package inject

import (
	"iter"
	"slices"
	"strings"
)

// dictionary holds literals of two bytes and more, and finds all of them in one pass over a text.
type dictionary struct {
	literals []string
	numbers  map[string]int
	pairs    []int            // by two bytes: the literal that is these two, or -1
	slots    [slotCount][]int // by the hash of their first three bytes: the longer literals
}

const slotCount = 1 << 12

// add returns the numbers of literals, new ones where they are not yet known, without the sets
// that hold a single letter: nearly every text has it.
func (l *dictionary) add(needs [][]string) (numbers [][]int) {
	for _, need := range needs {
		if rarity(need) < minRarity {
			continue
		}
		var set []int
		for _, literal := range need {
			number, known := l.numbers[literal]
			if !known {
				number = len(l.literals)
				l.numbers[literal] = number
				l.literals = append(l.literals, literal)
				if len(literal) == 2 {
					l.pairs[pair(literal)] = number
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

func pair(s string) int { return int(s[0])<<8 | int(s[1]) }

func slotOf(s string) uint32 {
	return (uint32(s[0])<<16 | uint32(s[1])<<8 | uint32(s[2])) * 0x9E3779B1 >> 20 // Fibonacci hashing (Knuth, volume 3, 6.4)
}

// index tells which parts of a text hold a literal.
type index struct {
	parts   []string
	holders [][]uint64 // by literal: a bit for each part, nil where no part holds it
}

func (l *dictionary) index(parts []string) index {
	x := index{parts, make([][]uint64, len(l.literals))}
	for number, part := range parts {
		hold := func(literal int) {
			if x.holders[literal] == nil {
				x.holders[literal] = make([]uint64, (len(parts)+63)/64)
			}
			x.holders[literal][number/64] |= 1 << (number % 64)
		}
		for i := range len(part) - 1 {
			if literal := l.pairs[pair(part[i:])]; literal >= 0 {
				hold(literal)
			}
			if i+2 == len(part) {
				break
			}
			for _, literal := range l.slots[slotOf(part[i:])] {
				if strings.HasPrefix(part[i:], l.literals[literal]) {
					hold(literal)
				}
			}
		}
	}
	return x
}

// holds tells whether the text holds a literal of each set.
func (x *index) holds(sets [][]int) bool {
	for _, set := range sets {
		if !slices.ContainsFunc(set, func(literal int) bool { return x.holders[literal] != nil }) {
			return false
		}
	}
	return true
}

// holding returns the parts that hold a literal of each set.
func (x *index) holding(sets [][]int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range (len(x.parts) + 63) / 64 {
			all := ^uint64(0)
			for _, set := range sets {
				some := uint64(0)
				for _, literal := range set {
					if holders := x.holders[literal]; holders != nil {
						some |= holders[word]
					}
				}
				all &= some
			}
			for number := word * 64; all != 0 && number < len(x.parts); number++ {
				if all&1 != 0 && !yield(x.parts[number]) {
					return
				}
				all >>= 1
			}
		}
	}
}
