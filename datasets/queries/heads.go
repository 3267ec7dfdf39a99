package queries

import (
	"math"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/lines"
)

// heads is the part of the queries of a dataset that is in memory: 16 bytes and the id of each. It grows by chunks, so
// that nothing is copied, and has few pointers, so that collecting garbage takes no longer for many queries.
type heads struct {
	ids        lines.List
	chunks     [][]head
	facts      []facts // different ones
	numbers    map[facts]uint32
	categories []string
	category   map[string]int32 // numbers of the categories
	end        int64            // the place after the last query
	closed     bool             // the queries cannot be read any longer
}

// perChunk is the number of queries of a chunk.
const perChunk = 1024

// head is what is known of a query besides its id, in 12 bytes: an int64 would have to be at a multiple of 8.
type head struct {
	place [2]uint32 // where its line begins: the upper and the lower half
	facts uint32    // their number
}

// facts are what many queries have in common.
type facts struct {
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
	if s.numbers == nil {
		s.numbers, s.category = map[facts]uint32{}, map[string]int32{}
	}
	category, known := s.category[q.Category]
	if !known {
		category = int32(len(s.categories))
		s.category[q.Category], s.categories = category, append(s.categories, q.Category)
	}
	of := facts{
		category: category, steps: int32(min(q.MaxSteps, math.MaxInt32)),
		turns:    uint16(min(len(q.History), math.MaxUint16)),
		scripted: uint8(min(len(q.Turns), datasets.MostTurns)), has: featuresOf(q),
	}
	number, known := s.numbers[of]
	if !known {
		number = uint32(len(s.facts))
		s.numbers[of], s.facts = number, append(s.facts, of)
	}
	n := len(s.chunks)
	if n == 0 || len(s.chunks[n-1]) == perChunk {
		s.chunks = append(s.chunks, make([]head, 0, perChunk))
		n++
	}
	s.ids.Add(q.ID)
	place := [2]uint32{uint32(s.end >> 32), uint32(s.end)}
	s.chunks[n-1] = append(s.chunks[n-1], head{place, number})
	s.end += int64(size)
}

// len returns the number of queries.
func (s *heads) len() int { return s.ids.Len() }

// at returns the facts of a query.
func (s *heads) at(i int) *facts { return &s.facts[s.chunks[i/perChunk][i%perChunk].facts] }

// id returns the id of a query.
func (s *heads) id(i int) string { return s.ids.At(i) }

// line returns where the line of a query begins and ends.
func (s *heads) line(i int) (begin, end int64) {
	if end = s.end; i+1 < s.len() {
		end = s.place(i + 1)
	}
	return s.place(i), end
}

func (s *heads) place(i int) int64 {
	p := s.chunks[i/perChunk][i%perChunk].place
	return int64(p[0])<<32 | int64(p[1])
}
