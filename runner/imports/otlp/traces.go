package otlp

import (
	"slices"

	"github.com/seed-5817661a/concur/internal/spool"
)

// traceSpans has the spans of a trace.
type traceSpans struct {
	entries []entry
	units   []unit
	found   counts
}

// trace reads the spans of a trace. first is the place of its first span in the index.
func (s *Store) trace(first int64) (t traceSpans, err error) {
	if t.entries, err = s.index.trace(first); err == nil {
		t.units, t.found, err = s.unitsOf(t.entries)
	}
	return t, err
}

// kept has the entries of conversations in a temporary file. Conversations are read again in the order of their
// queries: without it, a trace of 100,000 spans would be read, and divided, again for each of them.
type kept struct {
	file    spool.Buffer
	entries int64
}

// add keeps the entries of a conversation, and returns where they are.
func (k *kept) add(s *Store, t traceSpans, u unit) (Ref, error) {
	r := Ref{store: s, first: k.entries, members: int32(len(u.members)), above: int32(len(u.above)),
		root: int32(slices.Index(u.members, u.root))}
	err := writeEntries(&k.file, func(yield func(entry) bool) {
		for _, list := range [][]int{u.members, u.above} {
			for _, i := range list {
				if !yield(t.entries[i]) {
					return
				}
			}
		}
	})
	k.entries += int64(len(u.members) + len(u.above))
	return r, err
}

// read reads the entries of a conversation, which is the only one in them.
func (r Ref) read() (entries []entry, u unit, err error) {
	entries, err = readEntries(&r.store.kept.file, r.first, r.first+int64(r.members+r.above), nil)
	for i := range entries {
		if i < int(r.members) {
			u.members = append(u.members, i)
		} else {
			u.above = append(u.above, i)
		}
	}
	u.root = int(r.root)
	return entries, u, err
}
