package queries

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/spool"
)

// Set is the queries of a dataset, or of a part of it, in the order of the dataset. Only a shard may be empty. Several
// goroutines may read it at once. Close it after use.
type Set struct {
	Name  string
	Tools []datasets.Tool // tools of the dataset for its agents; usually none
	Notes []string        // see datasets.Dataset
	Whole *Set            // the set that this one is a shard of; nil if it is not a shard
	Total int             // number of queries of the dataset, with those that the part leaves out

	heads      []head
	categories []string          // by their number
	memory     *datasets.Dataset // has the queries; nil if lines has them
	lines      *spool.Buffer     // has the line of each query, see datasets.Query.Line
}

// head is the part of a query that is always in memory.
type head struct {
	id                 string
	place              int64 // of the line in lines; index of the query in memory
	size               int32 // of the line in bytes
	category           int32 // its number
	steps              int32 // the query's MaxSteps
	turns              uint16
	condition, expects bool // the gold has a condition; the query expects calls of tools
}

// Of returns the set of a dataset that is in memory. The set reads the queries from there.
func Of(d *datasets.Dataset) *Set {
	s := &Set{Name: d.Name, Tools: d.Tools, Notes: d.Notes, Total: len(d.Queries), memory: d}
	numbers := map[string]int32{}
	for i := range d.Queries {
		s.add(&d.Queries[i], int64(i), 0, numbers)
	}
	return s
}

// Open reads a part of a built-in dataset or a file, as datasets.Open and datasets.Dataset.Filter do, and with their
// errors. The file is read to its end, once: it may change or vanish afterwards.
func Open(nameOrPath string, part datasets.Part) (_ *Set, err error) {
	s := &Set{lines: &spool.Buffer{}}
	defer func() {
		if err != nil {
			s.lines.Close()
		}
	}()
	chosen, numbers, place := part.Chooser(), map[string]int32{}, int64(0)
	d, err := datasets.Scan(nameOrPath, func(q *datasets.Query) error {
		if s.Total++; !chosen.Takes(q) {
			return nil
		}
		line, err := q.Line()
		if err == nil {
			_, err = s.lines.Write(line)
		}
		if err != nil {
			return fmt.Errorf("load dataset %s: %w", nameOrPath, err)
		}
		s.add(q, place, int32(len(line)), numbers)
		place += int64(len(line))
		return nil
	})
	if err == nil {
		err = chosen.Err(d.Name, datasets.Stream(nameOrPath))
	}
	if err != nil {
		return nil, err
	}
	s.Name, s.Tools, s.Notes = d.Name, d.Tools, d.Notes
	return s, nil
}

// add adds the head of the next query; numbers has the numbers of the categories.
func (s *Set) add(q *datasets.Query, place int64, size int32, numbers map[string]int32) {
	number, known := numbers[q.Category]
	if !known {
		number = int32(len(s.categories))
		numbers[q.Category], s.categories = number, append(s.categories, q.Category)
	}
	s.heads = append(s.heads, head{id: q.ID, place: place, size: size, category: number,
		steps: int32(min(q.MaxSteps, math.MaxInt32)), turns: uint16(min(len(q.History), math.MaxUint16)),
		condition: q.Gold.Condition != "", expects: q.Expects != nil})
}

// Only returns the queries with the ids that keep returns true for, in their order. They may be none. The set that is
// returned reads the queries of s, so that closing one closes both.
func (s *Set) Only(keep func(id string) bool) *Set {
	part := *s
	part.heads = nil
	for _, h := range s.heads {
		if keep(h.id) {
			part.heads = append(part.heads, h)
		}
	}
	return &part
}

// Shard returns the queries of Only as a shard of this set.
func (s *Set) Shard(keep func(id string) bool) *Set {
	part := s.Only(keep)
	part.Whole = s
	return part
}

// All returns the set that this one is a shard of, and a set that is not a shard itself.
func (s *Set) All() *Set { return cmp.Or(s.Whole, s) }

// Len returns the number of queries.
func (s *Set) Len() int { return len(s.heads) }

// IDs gives the ids of the queries in their order, from memory.
func (s *Set) IDs() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, h := range s.heads {
			if !yield(h.id) {
				return
			}
		}
	}
}

// Bound is what limits the calls of a query's traces.
type Bound struct {
	ID       string
	MaxSteps int // the query's
	Turns    int // earlier messages of its conversation, at most 65,535
}

// Bounds gives the bound of each query in their order, from memory.
func (s *Set) Bounds() iter.Seq[Bound] {
	return func(yield func(Bound) bool) {
		for _, h := range s.heads {
			if !yield(Bound{h.id, int(h.steps), int(h.turns)}) {
				return
			}
		}
	}
}

// Queries gives the queries in their order. It reads them one at a time; the first error, such as of a full disk, is
// the last element.
func (s *Set) Queries() iter.Seq2[datasets.Query, error] {
	return func(yield func(datasets.Query, error) bool) {
		var line []byte
		for _, h := range s.heads {
			q, err := s.read(h, &line)
			if !yield(q, err) || err != nil {
				return
			}
		}
	}
}

// read reads a query, and its line into line.
func (s *Set) read(h head, line *[]byte) (datasets.Query, error) {
	if s.memory != nil {
		return s.memory.Queries[h.place], nil
	}
	if err := s.readLine(h, line); err != nil {
		return datasets.Query{}, err
	}
	return datasets.ReadLine(*line)
}

// readLine reads the line of a query into line, which grows where it is too short.
func (s *Set) readLine(h head, line *[]byte) (err error) {
	if s.memory != nil {
		*line, err = s.memory.Queries[h.place].Line()
		return err
	}
	*line = slices.Grow((*line)[:0], int(h.size))[:h.size]
	if _, err := s.lines.ReadAt(*line, h.place); err != nil {
		return fmt.Errorf("read query %s of %s from a temporary file: %w", h.id, s.Name, err)
	}
	return nil
}

// Hash returns the hash of the queries and tools, which is that of datasets.Load for the same queries. It reads all of
// them.
func (s *Set) Hash() (string, error) {
	sorted := s.heads
	byID := func(a, b head) int { return cmp.Compare(a.id, b.id) }
	if !slices.IsSortedFunc(sorted, byID) {
		sorted = slices.Clone(sorted)
		slices.SortFunc(sorted, byID)
	}
	return datasets.HashLines(s.Tools, func(yield func([]byte, error) bool) {
		var line []byte
		for _, h := range sorted {
			if err := s.readLine(h, &line); !yield(line, err) || err != nil {
				return
			}
		}
	})
}

// Categories returns the categories in the order in which they first occur, and the number of queries of each.
func (s *Set) Categories() (names []string, counts map[string]int) {
	counts = map[string]int{}
	for _, h := range s.heads {
		name := s.categories[h.category]
		if counts[name]++; counts[name] == 1 {
			names = append(names, name)
		}
	}
	return names, counts
}

// Conditions returns the ids of the queries whose gold has a condition, in their order.
func (s *Set) Conditions() (ids []string) {
	for _, h := range s.heads {
		if h.condition {
			ids = append(ids, h.id)
		}
	}
	return ids
}

// Expects reports whether a query expects calls of tools.
func (s *Set) Expects() bool {
	return slices.ContainsFunc(s.heads, func(h head) bool { return h.expects })
}

// Load reads all queries into memory.
func (s *Set) Load() (*datasets.Dataset, error) {
	hash, err := s.Hash()
	if err != nil {
		return nil, err
	}
	d := &datasets.Dataset{Name: s.Name, Tools: s.Tools, Notes: s.Notes, Hash: hash,
		Queries: make([]datasets.Query, 0, len(s.heads))}
	for q, err := range s.Queries() {
		if err != nil {
			return nil, err
		}
		d.Queries = append(d.Queries, q)
	}
	return d, nil
}

// Close removes the temporary file. The queries cannot be read after it.
func (s *Set) Close() error {
	if s.lines == nil {
		return nil
	}
	return s.lines.Close()
}
