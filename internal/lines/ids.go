package lines

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// IDs stores the first line of each id of a file. An id takes 14 to 24 bytes, whatever its length: a slot has
// 12 bytes, and some slots are free. It stores the first 8 bytes of the id's SHA-256; among a million ids, the
// probability that two have the same is 3 in 10^8. The zero value is empty.
type IDs struct {
	parts [256]idTable // by the first byte of the key, so that growing copies only a small part
}

// idTable is a hash table with linear probing.
type idTable struct {
	keys  []uint64 // 0 is a free slot
	lines []int32
	taken int
}

// First returns the line on which an id was first. If it is new, its line is number, and again is false.
func (s *IDs) First(id string, number int) (line int, again bool) {
	of, again := s.at(id, number)
	return int(*of), again
}

// Replace stores a number in place of the one that was stored with an id. If the id is new, before is number, and again
// is false.
func (s *IDs) Replace(id string, number int) (before int, again bool) {
	of, again := s.at(id, number)
	before, *of = int(*of), int32(number)
	return before, again
}

// at returns the number of an id, which is valid until the next call.
func (s *IDs) at(id string, number int) (line *int32, again bool) {
	sum := sha256.Sum256([]byte(id))
	return s.parts[sum[0]].first(max(1, binary.BigEndian.Uint64(sum[:])), int32(number))
}

func (t *idTable) first(key uint64, number int32) (line *int32, again bool) {
	if 6*t.taken >= 5*len(t.keys) {
		t.grow()
	}
	slot, again := t.find(key)
	if !again {
		t.keys[slot], t.lines[slot] = key, number
		t.taken++
	}
	return &t.lines[slot], again
}

// Merge adds the ids of another, and reports whether both have one.
func (s *IDs) Merge(other *IDs) (common bool) {
	for i := range other.parts {
		for slot, key := range other.parts[i].keys {
			if key != 0 {
				_, again := s.parts[i].first(key, other.parts[i].lines[slot])
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
	t.keys, t.lines = make([]uint64, size), make([]int32, size)
	for i, key := range old.keys {
		if key != 0 {
			slot, _ := t.find(key)
			t.keys[slot], t.lines[slot] = key, old.lines[i]
		}
	}
}
