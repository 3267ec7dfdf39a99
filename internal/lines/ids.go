package lines

import (
	"hash/maphash"
	"math/bits"
)

// IDs stores the first line of each id of a file. An id takes 14 to 24 bytes, whatever its length: a slot has
// 12 bytes, and some slots are free. Without lines, when all numbers are 0, an id takes 10 to 16 bytes. It stores a
// hash of 64 bits of the id; among a million ids, the probability that two have the same is 3 in 10^8. The hash has a
// seed of this process, so that an attacker cannot write a file of ids with the same hash. The zero value is empty.
type IDs struct {
	parts [256]idTable // by the first byte of the key, so that growing copies only a small part
}

// idTable is a hash table with linear probing.
type idTable struct {
	keys  []uint64 // 0 is a free slot
	lines []int32  // nil if all are 0
	taken int
}

// First returns the line on which an id was first. If it is new, its line is number, and again is false.
func (s *IDs) First(id string, number int) (line int, again bool) {
	of, slot, again := s.at(id, number)
	return of.line(slot), again
}

// Replace stores a number in place of the one that was stored with an id. If the id is new, before is number, and again
// is false.
func (s *IDs) Replace(id string, number int) (before int, again bool) {
	of, slot, again := s.at(id, number)
	before = of.line(slot)
	of.set(slot, int32(number))
	return before, again
}

// at returns the table and the slot of an id, which are valid until the next call.
func (s *IDs) at(id string, number int) (of *idTable, slot int, again bool) {
	key := max(1, maphash.String(seed, id))
	of = &s.parts[key>>56]
	slot, again = of.first(key, int32(number))
	return of, slot, again
}

var seed = maphash.MakeSeed() // of the hashes of this process

func (t *idTable) first(key uint64, number int32) (slot int, again bool) {
	if 6*t.taken >= 5*len(t.keys) {
		t.grow()
	}
	slot, again = t.find(key)
	if !again {
		t.keys[slot] = key
		t.set(slot, number)
		t.taken++
	}
	return slot, again
}

func (t *idTable) line(slot int) int {
	if t.lines == nil {
		return 0
	}
	return int(t.lines[slot])
}

func (t *idTable) set(slot int, number int32) {
	if t.lines == nil && number != 0 {
		t.lines = make([]int32, len(t.keys))
	}
	if t.lines != nil {
		t.lines[slot] = number
	}
}

// Merge adds the ids of another, and reports whether both have one.
func (s *IDs) Merge(other *IDs) (common bool) {
	for i := range other.parts {
		of := &other.parts[i]
		for slot, key := range of.keys {
			if key != 0 {
				_, again := s.parts[i].first(key, int32(of.line(slot)))
				common = common || again
			}
		}
	}
	return common
}

// find returns the slot of a key, or the free slot for it.
func (t *idTable) find(key uint64) (slot int, known bool) {
	high, _ := bits.Mul64(key<<8, uint64(len(t.keys))) // without the first byte, which selects the part
	for slot = int(high); t.keys[slot] != 0; slot++ {
		if t.keys[slot] == key {
			return slot, true
		}
		if slot == len(t.keys)-1 {
			slot = -1
		}
	}
	return slot, false
}

// grow enlarges the table by half.
func (t *idTable) grow() {
	old := *t
	size := len(old.keys)*3/2 + 6
	t.keys, t.lines = make([]uint64, size), nil
	for i, key := range old.keys {
		if key != 0 {
			slot, _ := t.find(key)
			t.keys[slot] = key
			t.set(slot, int32(old.line(i)))
		}
	}
}
