package queries

import (
	"fmt"
	"iter"
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

	heads  *heads
	chosen []int32           // indexes of the set's queries in heads; nil if it has all
	memory *datasets.Dataset // has the queries; nil if lines has them
	lines  *spool.Buffer     // has the line of each query, see datasets.LineEncoder

	encoder *datasets.LineEncoder // of lines; nil if memory has the queries
}

// Of returns the set of a dataset that is in memory. The set reads the queries from there.
func Of(d *datasets.Dataset) *Set {
	s := &Set{Name: d.Name, Tools: d.Tools, Notes: d.Notes, Total: len(d.Queries), heads: &heads{}, memory: d}
	for i := range d.Queries {
		s.heads.add(&d.Queries[i], 0)
	}
	return s
}

// Collect returns the set of the queries that all gives, in their order. It keeps them in a temporary file. If all
// gives an error, Collect returns it.
func Collect(name string, all iter.Seq2[datasets.Query, error]) (*Set, error) {
	return read(func(s *Set) (*datasets.Dataset, error) {
		for q, err := range all {
			if err == nil {
				err = s.add(&q)
			}
			if err != nil {
				return nil, err
			}
			s.Total++
		}
		return &datasets.Dataset{Name: name}, nil
	})
}

// Open reads a part of a built-in dataset or a file, as datasets.Open and datasets.Dataset.Filter do, and with their
// errors. The file is read to its end, once: it may change or vanish afterwards.
func Open(nameOrPath string, part datasets.Part) (*Set, error) {
	return read(func(s *Set) (*datasets.Dataset, error) {
		chosen := part.Chooser()
		d, err := datasets.Scan(nameOrPath, func(q *datasets.Query) error {
			if s.Total++; !chosen.Takes(q) {
				return nil
			}
			return s.add(q)
		})
		if err == nil {
			err = chosen.Err(d.Name, datasets.Stream(nameOrPath))
		}
		return d, err
	})
}

// Lint opens a built-in dataset or a file as Open does, and looks for the findings of datasets.Lint. It keeps the first
// most of them.
func Lint(nameOrPath string, most int) (s *Set, found *datasets.Findings, err error) {
	s, err = read(func(s *Set) (d *datasets.Dataset, err error) {
		var line []byte
		each := func(q *datasets.Query) error {
			s.Total++
			return s.add(q)
		}
		d, found, err = datasets.ScanLint(nameOrPath, most, each, func(n int) (datasets.Query, error) {
			return s.query(n, &line)
		})
		return d, err
	})
	return s, found, err
}

// read returns the set that scan fills.
func read(scan func(*Set) (*datasets.Dataset, error)) (*Set, error) {
	s := &Set{heads: &heads{}, lines: &spool.Buffer{}, encoder: &datasets.LineEncoder{}}
	d, err := scan(s)
	if err != nil {
		s.lines.Close()
		return nil, err
	}
	s.Name, s.Tools, s.Notes = d.Name, d.Tools, d.Notes
	return s, nil
}

// add adds a query, and its line to lines.
func (s *Set) add(q *datasets.Query) error {
	line, err := s.encoder.Line(q)
	if err == nil {
		_, err = s.lines.Write(line)
	}
	if err != nil {
		return fmt.Errorf("keep query %s: %w", q.ID, err)
	}
	s.heads.add(q, len(line))
	return nil
}

// Len returns the number of queries.
func (s *Set) Len() int {
	if s.chosen != nil {
		return len(s.chosen)
	}
	return s.heads.len()
}

// all gives the index in heads and the id of each query.
func (s *Set) all() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for n := range s.Len() {
			i := n
			if s.chosen != nil {
				i = int(s.chosen[n])
			}
			if !yield(i, s.heads.id(i)) {
				return
			}
		}
	}
}

// IDs gives the ids of the queries in their order, from memory.
func (s *Set) IDs() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, id := range s.all() {
			if !yield(id) {
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
	Scripted int // turns of the scripted person; 0 unless the query is a conversation
}

// Bounds gives the bound of each query in their order, from memory.
func (s *Set) Bounds() iter.Seq[Bound] {
	return func(yield func(Bound) bool) {
		for i, id := range s.all() {
			if h := s.heads.at(i); !yield(Bound{id, int(h.steps), int(h.turns), int(h.scripted)}) {
				return
			}
		}
	}
}

// Queries gives the queries in their order. It reads them one at a time; the first error, such as of a disk that
// cannot be read, is the last element.
func (s *Set) Queries() iter.Seq2[datasets.Query, error] {
	return func(yield func(datasets.Query, error) bool) {
		if err := s.check(); err != nil {
			yield(datasets.Query{}, err)
			return
		}
		var line []byte
		for i := range s.all() {
			q, err := s.query(i, &line)
			if !yield(q, err) || err != nil {
				return
			}
		}
	}
}

// query reads a query by its index in heads, and its line into line.
func (s *Set) query(i int, line *[]byte) (datasets.Query, error) {
	if s.memory != nil {
		return s.memory.Queries[i], nil
	}
	if err := s.readLine(i, line); err != nil {
		return datasets.Query{}, err
	}
	q, err := datasets.ReadLine(*line)
	q.Gold.None = s.heads.at(i).has&lacksGold != 0
	return q, err
}

// readLine reads the line of a query into line, which grows if it is too short.
func (s *Set) readLine(i int, line *[]byte) (err error) {
	if s.memory != nil {
		*line, err = new(datasets.LineEncoder).Line(&s.memory.Queries[i])
		return err
	}
	begin, end := s.heads.line(i)
	*line = slices.Grow((*line)[:0], int(end-begin))[:end-begin]
	if _, err := s.lines.ReadAt(*line, begin); err != nil {
		return fmt.Errorf("read query %d of %s from a temporary file: %w", i+1, s.Name, err)
	}
	return nil
}

// Hash returns the hash of the queries and tools, which is that of datasets.Load for the same queries. It reads all of
// them.
func (s *Set) Hash() (string, error) {
	if err := s.check(); err != nil {
		return "", err
	}
	return datasets.HashLines(s.Tools, func(yield func([]byte, error) bool) {
		var line []byte
		for _, i := range s.byID() {
			if err := s.readLine(int(i), &line); !yield(line, err) || err != nil {
				return
			}
		}
	})
}

// Categories returns the categories in the order in which they first occur, and the number of queries of each.
func (s *Set) Categories() (names []string, counts map[string]int) {
	counts = map[string]int{}
	for i := range s.all() {
		name := s.heads.categories[s.heads.at(i).category]
		if counts[name]++; counts[name] == 1 {
			names = append(names, name)
		}
	}
	return names, counts
}

// Conditions returns the ids of the queries whose gold has a condition, in their order.
func (s *Set) Conditions() (ids []string) { return s.with(hasCondition) }

// with returns the ids of the queries with a feature, in their order.
func (s *Set) with(f feature) (ids []string) {
	for i, id := range s.all() {
		if s.heads.at(i).has&f != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// Expects reports whether a query expects calls of tools.
func (s *Set) Expects() bool {
	for i := range s.all() {
		if s.heads.at(i).has&hasExpects != 0 {
			return true
		}
	}
	return false
}

// Load reads all queries into memory.
func (s *Set) Load() (*datasets.Dataset, error) {
	hash, err := s.Hash()
	if err != nil {
		return nil, err
	}
	d := &datasets.Dataset{Name: s.Name, Tools: s.Tools, Notes: s.Notes, Hash: hash,
		Queries: make([]datasets.Query, 0, s.Len())}
	for q, err := range s.Queries() {
		if err != nil {
			return nil, err
		}
		d.Queries = append(d.Queries, q)
	}
	return d, nil
}
