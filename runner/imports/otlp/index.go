package otlp

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-5817661a/concur/internal/spool"
)

// entry is a span in the index.
type entry struct {
	traceID    [16]byte
	id, parent [8]byte
	start, end uint64
	at         int64 // in the temporary file
	size       int32
	service    int32
	kind       kind
	server     bool
	log        bool
	indexed    bool // the span is one of the K traces of a query
}

// entrySize is the number of bytes of an entry in a file.
const entrySize = 16 + 8 + 8 + 8 + 8 + 8 + 4 + 4 + 4

func byteOf(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// appendTo adds the bytes of the entry to a buffer.
func (e *entry) appendTo(to []byte) []byte {
	to = append(append(append(to, e.traceID[:]...), e.id[:]...), e.parent[:]...)
	for _, n := range []uint64{e.start, e.end, uint64(e.at)} {
		to = binary.BigEndian.AppendUint64(to, n)
	}
	to = binary.BigEndian.AppendUint32(to, uint32(e.size))
	to = binary.BigEndian.AppendUint32(to, uint32(e.service))
	return append(to, byte(e.kind), byteOf(e.server), byteOf(e.log), byteOf(e.indexed))
}

// entryOf reads an entry from its bytes.
func entryOf(raw []byte) (e entry) {
	copy(e.traceID[:], raw)
	copy(e.id[:], raw[16:])
	copy(e.parent[:], raw[24:])
	number := binary.BigEndian
	e.start, e.end, e.at = number.Uint64(raw[32:]), number.Uint64(raw[40:]), int64(number.Uint64(raw[48:]))
	e.size, e.service = int32(number.Uint32(raw[56:])), int32(number.Uint32(raw[60:]))
	e.kind, e.server, e.log, e.indexed = kind(raw[64]), raw[65] == 1, raw[66] == 1, raw[67] == 1
	return e
}

// isTimed reports whether the entry has a time at which it begins, and does not end before it.
func (e *entry) isTimed() bool { return e.end >= e.start && e.start > 0 }

// compare orders entries by traces and times.
func (e *entry) compare(other *entry) int {
	return cmp.Or(bytes.Compare(e.traceID[:], other.traceID[:]), cmp.Compare(e.start, other.start))
}

// index has the entries of all spans, in a temporary file. Entries are added in any order; merge puts them into the
// order of traces and times, and entries that are equal in that order into the order in which they were added. It
// sorts parts of a fixed size in memory, and merges these, so that memory does not grow with the number of spans.
type index struct {
	spans  int64
	part   []entry      // entries after the last sorted part
	parts  spool.Buffer // all sorted parts; each but the last has perPart entries
	sorted spool.Buffer // all entries in order, after merge
}

// perPart is the number of entries that are sorted in memory: 2.4 MB.
const perPart = 1 << 15

func (x *index) add(e entry) error {
	x.spans++
	if x.part = append(x.part, e); len(x.part) < perPart {
		return nil
	}
	return x.sortPart()
}

// sortPart moves the entries in memory to the file, in order.
func (x *index) sortPart() error {
	slices.SortStableFunc(x.part, func(a, b entry) int { return a.compare(&b) })
	err := writeEntries(&x.parts, slices.Values(x.part))
	x.part = x.part[:0]
	return err
}

// writeEntries writes entries to a file, many at a time.
func writeEntries(to io.Writer, all func(func(entry) bool)) error {
	out := bufio.NewWriterSize(to, 1<<16)
	var raw []byte
	for e := range all {
		raw = e.appendTo(raw[:0])
		if _, err := out.Write(raw); err != nil {
			return err
		}
	}
	return out.Flush()
}

// merge must be called after the last entry, and before read.
func (x *index) merge() error {
	if err := x.sortPart(); err != nil {
		return err
	}
	x.part = nil
	var parts cursors
	for first := int64(0); first < x.spans; first += perPart {
		c := &cursor{from: &x.parts, number: len(parts), next: first, end: min(first+perPart, x.spans)}
		if err := c.advance(); err != nil {
			return err
		}
		parts = append(parts, c)
	}
	heap.Init(&parts)
	var failed error
	err := writeEntries(&x.sorted, func(yield func(entry) bool) {
		for len(parts) > 0 && yield(parts[0].read[0]) {
			if failed = parts[0].advance(); failed != nil {
				return
			}
			if len(parts[0].read) > 0 {
				heap.Fix(&parts, 0)
			} else {
				heap.Pop(&parts)
			}
		}
	})
	return errors.Join(err, failed, x.parts.Close())
}

// trace reads the entries of a trace. first is the place of its first entry.
func (x *index) trace(first int64) (out []entry, err error) {
	for at, n := first, int64(perTrace); at < x.spans; n *= 2 {
		to := min(at+n, x.spans)
		if out, err = readEntries(&x.sorted, at, to, out); err != nil {
			return nil, err
		}
		for at < to {
			if out[at-first].traceID != out[0].traceID {
				return out[:at-first], nil
			}
			at++
		}
	}
	return out, nil
}

// perTrace is the number of entries that are read at first to find the end of a trace.
const perTrace = 16

// readEntries reads entries from a file, and appends them to a slice.
func readEntries(from *spool.Buffer, first, end int64, into []entry) ([]entry, error) {
	raw := make([]byte, (end-first)*entrySize)
	if _, err := from.ReadAt(raw, first*entrySize); err != nil {
		return nil, fmt.Errorf("read a temporary file: %w", err)
	}
	for ; len(raw) > 0; raw = raw[entrySize:] {
		into = append(into, entryOf(raw))
	}
	return into, nil
}

func (x *index) close() error {
	x.part = nil
	return errors.Join(x.parts.Close(), x.sorted.Close())
}

// cursor reads a sorted part, some entries at a time.
type cursor struct {
	from      *spool.Buffer
	number    int // of the part
	next, end int64
	read      []entry // from the current one; empty after the last one
	memory    []entry // of read
}

// perRead is the number of entries that a cursor reads at a time: 17 KB.
const perRead = 1 << 8

// advance goes to the first entry, or to the next one.
func (c *cursor) advance() (err error) {
	if len(c.read) > 1 {
		c.read = c.read[1:]
		return nil
	}
	to := min(c.next+perRead, c.end)
	c.memory, err = readEntries(c.from, c.next, to, c.memory[:0])
	c.next, c.read = to, c.memory
	return err
}

// cursors is a heap of cursors by their current entries.
type cursors []*cursor

func (c cursors) Len() int { return len(c) }

func (c cursors) Less(i, j int) bool {
	return cmp.Or(c[i].read[0].compare(&c[j].read[0]), cmp.Compare(c[i].number, c[j].number)) < 0
}

func (c cursors) Swap(i, j int) { c[i], c[j] = c[j], c[i] }

// Push is needed by the package heap; no cursor is added.
func (c *cursors) Push(x any) { *c = append(*c, x.(*cursor)) }

// Pop removes the last cursor.
func (c *cursors) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
