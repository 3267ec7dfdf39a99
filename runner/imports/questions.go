package imports

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/seed-5817661a/concur/datasets"
)

// digest stands for a text, so that the memory for it does not depend on its length.
type digest [16]byte

// digestOf returns the digest of texts. It depends on where each ends.
func digestOf(texts ...string) (out digest) {
	hash := sha256.New() // its Write returns no error
	for _, t := range texts {
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(t))))
		hash.Write([]byte(t))
	}
	copy(out[:], hash.Sum(nil))
	return out
}

// questions knows the queries of conversations by digests of their texts.
type questions struct {
	numbers map[digest]int32  // of queries, by the digest of their ids
	texts   map[digest]digest // of the question and what was said before, by that of the recorded id
	graded  []bool            // whether a conversation of the query with this number has a gold
	renamed int               // conversations whose id another question has
}

// note returns a query with its id in the run, its number, and whether it is a new one. The id is the recorded one, or
// else made of the question and what was said before.
func (a *questions) note(q datasets.Query) (_ datasets.Query, number int32, fresh bool) {
	key, all := "", []string{q.Text}
	for _, turn := range q.History {
		key += turn.Content + "\x00"
		all = append(all, turn.Role, turn.Content)
	}
	content := digestOf(all...)
	if key += q.Text; q.ID == "" {
		q.ID = key
	} else if known, is := a.texts[digestOf(q.ID)]; is && known != content {
		a.renamed++
		q.ID += " " + key
	}
	recorded := digestOf(q.ID)
	if _, is := a.texts[recorded]; !is {
		a.texts[recorded] = content
	}
	q = completed(q, queryID(q))
	id := digestOf(q.ID)
	number, known := a.numbers[id]
	if !known {
		number = int32(len(a.graded))
		a.numbers[id], a.graded = number, append(a.graded, false)
	}
	a.graded[number] = a.graded[number] || q.Gold.Answer != ""
	return q, number, !known
}

// ungraded counts the queries without a gold.
func (a *questions) ungraded() (n int) {
	for _, graded := range a.graded {
		if !graded {
			n++
		}
	}
	return n
}
