package spool

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"slices"
)

// Sorter sorts texts by their keys. It keeps up to 1 MB of them in memory. More texts are in a Buffer, in sorted runs
// of 1 MB, which All merges. So memory hardly grows with the number of texts: a run takes 4 KB. Its zero value is
// empty. Close it after use.
type Sorter struct {
	recent []Keyed
	size   int     // bytes of recent
	runs   []int64 // where each run ends in sorted
	sorted Buffer
}

// Keyed is a text with the key by which it is sorted.
type Keyed struct {
	Key  string
	Text []byte
}

// Add adds a text, which must not be changed later.
func (s *Sorter) Add(key string, text []byte) error {
	s.recent = append(s.recent, Keyed{key, text})
	if s.size += len(key) + len(text); s.size < inMemory {
		return nil
	}
	return s.flush()
}

// flush writes the texts in memory as a sorted run: for each, the lengths of key and text, and then both.
func (s *Sorter) flush() error {
	slices.SortStableFunc(s.recent, func(a, b Keyed) int { return cmp.Compare(a.Key, b.Key) })
	end := int64(0)
	if n := len(s.runs); n > 0 {
		end = s.runs[n-1]
	}
	var head []byte
	for _, k := range s.recent {
		head = binary.AppendUvarint(head[:0], uint64(len(k.Key)))
		head = binary.AppendUvarint(head, uint64(len(k.Text)))
		head = append(head, k.Key...)
		for _, part := range [][]byte{head, k.Text} {
			if _, err := s.sorted.Write(part); err != nil {
				return err
			}
			end += int64(len(part))
		}
	}
	clear(s.recent)
	s.recent, s.size, s.runs = s.recent[:0], 0, append(s.runs, end)
	return nil
}

// All gives the texts in the order of their keys; texts with the same key come in the order in which they were added. A
// text is valid until the next one. Add nothing after All.
func (s *Sorter) All() iter.Seq2[Keyed, error] {
	return func(yield func(Keyed, error) bool) {
		all, err := s.merge()
		for err == nil && len(all) > 0 {
			if !yield(all[0].Keyed, nil) {
				return
			}
			if err = all[0].next(); err == nil {
				heap.Fix(&all, 0)
			} else if errors.Is(err, io.EOF) {
				heap.Pop(&all)
				err = nil
			}
		}
		if err != nil {
			yield(Keyed{}, err)
		}
	}
}

// merge opens the runs at their first texts.
func (s *Sorter) merge() (all merging, err error) {
	if len(s.recent) > 0 {
		err = s.flush()
	}
	begin := int64(0)
	for i, end := range s.runs {
		r := &run{number: i, in: bufio.NewReaderSize(io.NewSectionReader(&s.sorted, begin, end-begin), readAhead)}
		if err == nil {
			err = r.next()
		}
		all, begin = append(all, r), end
	}
	heap.Init(&all)
	return all, err
}

// readAhead is the number of bytes that are read of a run at once.
const readAhead = 4 << 10

// run is a sorted run, and its next text.
type run struct {
	Keyed
	number int
	in     *bufio.Reader
}

// next reads the next text. Only at the end of the run the error is io.EOF.
func (r *run) next() error {
	keyLength, err := binary.ReadUvarint(r.in)
	if err != nil {
		return err
	}
	if err = r.rest(keyLength); errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// rest reads what follows the length of the key.
func (r *run) rest(keyLength uint64) error {
	length, err := binary.ReadUvarint(r.in)
	if err != nil {
		return err
	}
	key := make([]byte, keyLength)
	if _, err := io.ReadFull(r.in, key); err != nil {
		return err
	}
	r.Key = string(key)
	r.Text = slices.Grow(r.Text[:0], int(length))[:length]
	_, err = io.ReadFull(r.in, r.Text)
	return err
}

// merging is a heap of runs by their next texts.
type merging []*run

func (m merging) Len() int { return len(m) }

func (m merging) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(m[i].Key, m[j].Key), cmp.Compare(m[i].number, m[j].number)) < 0
}

func (m merging) Swap(i, j int) { m[i], m[j] = m[j], m[i] }

// Push is for package heap, and is not used: no run is added later.
func (m *merging) Push(any) {}

// Pop removes the last run.
func (m *merging) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}

// Close removes the temporary file.
func (s *Sorter) Close() error {
	s.recent, s.size, s.runs = nil, 0, nil
	return s.sorted.Close()
}
