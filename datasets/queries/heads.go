package queries

import (
	"math"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/checks"
)

// perChunk is the number of queries of a chunk.
const perChunk = 1024

// heads is the part of the queries of a dataset that is in memory: 24 bytes and the id of each. It grows by chunks, so
// that nothing is copied.
type heads struct {
	chunks     []chunk
	ids        []byte // of the last chunk, until it is full
	categories []string
	numbers    map[string]int32 // of the categories
	end        int64            // the place after the last query
	closed     bool             // the queries cannot be read any longer
}

type chunk struct {
	ids   string // one after another
	heads []head
}

// head is what is known of a query besides its id.
type head struct {
	place    int64  // where its line begins
	idEnd    uint32 // where its id ends in the ids of the chunk
	category int32  // its number
	steps    int32  // the query's MaxSteps
	turns    uint16 // earlier messages
	scripted uint8  // turns of the scripted person; 0 unless the query is a conversation
	has      feature
}

// feature is a set of facts about a query.
type feature uint16

const (
	hasCondition feature = 1 << iota // the gold has a condition
	hasExpects                       // the query expects calls of tools
	hasChecks
	hasExec    // it has checks that are programs, or tests of programs
	hasSimilar // it has checks that need embeddings
	hasSQL     // its gold is a statement
	lacksGold  // its gold is Gold.None, which a line does not have
)

// featuresOf returns the features of a query.
func featuresOf(q *datasets.Query) (has feature) {
	if q.HasCondition() {
		has |= hasCondition
	}
	if q.ExpectsCalls() {
		has |= hasExpects
	}
	all := q.AllChecks()
	if len(all) > 0 {
		has |= hasChecks
	}
	if checks.Uses(all, checks.Exec) || checks.Uses(all, checks.Tests) {
		has |= hasExec
	}
	if checks.Uses(all, checks.Similar) {
		has |= hasSimilar
	}
	if len(q.Statements()) > 0 {
		has |= hasSQL
	}
	if q.Gold.None {
		has |= lacksGold
	}
	return has
}

// add adds the head of a query whose line has a size.
func (s *heads) add(q *datasets.Query, size int) {
	if n := len(s.chunks); n == 0 || len(s.chunks[n-1].heads) == perChunk {
		s.fill()
		s.chunks = append(s.chunks, chunk{heads: make([]head, 0, perChunk)})
	}
	number, known := s.numbers[q.Category]
	if !known {
		if s.numbers == nil {
			s.numbers = map[string]int32{}
		}
		number = int32(len(s.categories))
		s.numbers[q.Category], s.categories = number, append(s.categories, q.Category)
	}
	s.ids = append(s.ids, q.ID...)
	last := &s.chunks[len(s.chunks)-1]
	last.heads = append(last.heads, head{
		place: s.end, idEnd: uint32(len(s.ids)), category: number,
		steps: int32(min(q.MaxSteps, math.MaxInt32)), turns: uint16(min(len(q.History), math.MaxUint16)),
		scripted: uint8(min(len(q.Turns), datasets.MostTurns)), has: featuresOf(q),
	})
	s.end += int64(size)
}

// fill gives the last chunk its ids. It must be called after the last query, and before id.
func (s *heads) fill() {
	if n := len(s.chunks); n > 0 {
		s.chunks[n-1].ids, s.ids = string(s.ids), s.ids[:0]
	}
}

// len returns the number of queries.
func (s *heads) len() int {
	n := len(s.chunks)
	if n == 0 {
		return 0
	}
	return (n-1)*perChunk + len(s.chunks[n-1].heads)
}

// at returns the head of a query.
func (s *heads) at(i int) *head { return &s.chunks[i/perChunk].heads[i%perChunk] }

// id returns the id of a query.
func (s *heads) id(i int) string {
	begin := uint32(0)
	if i%perChunk > 0 {
		begin = s.at(i - 1).idEnd
	}
	return s.chunks[i/perChunk].ids[begin:s.at(i).idEnd]
}

// line returns where the line of a query begins and ends.
func (s *heads) line(i int) (begin, end int64) {
	if end = s.end; i+1 < s.len() {
		end = s.at(i + 1).place
	}
	return s.at(i).place, end
}
