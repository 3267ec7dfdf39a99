package asking

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// Digest is the name of something to remember.
type Digest [sha256.Size]byte

// DigestOf hashes parts, each with its length, so that no two lists run together.
func DigestOf(parts ...string) Digest {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		h.Write([]byte(p))
	}
	return Digest(h.Sum(nil))
}

// Memo finds every value once, also for callers that come at the same time. The zero
// value is empty and ready.
type Memo[V any] struct {
	mu      sync.Mutex
	entries map[Digest]*entry[V]
}

type entry[V any] struct {
	found chan struct{} // closed when the search is over
	value V
	ok    bool
}

// Remember gives the value of a key; without a Memo it finds it each time. Of callers
// at the same time one finds it and all share what it found; keep says whether it is
// also for those who come later. Where find ends in an error, which is that caller's
// alone, the next one that waits takes over.
func Remember[V any](ctx context.Context, m *Memo[V], key Digest, find func() (v V, keep bool, err error)) (V, error) {
	if m == nil {
		v, _, err := find()
		return v, err
	}
	for {
		m.mu.Lock()
		e, known := m.entries[key]
		if !known {
			e = &entry[V]{found: make(chan struct{})}
			if m.entries == nil {
				m.entries = map[Digest]*entry[V]{}
			}
			m.entries[key] = e
			m.mu.Unlock()
			return m.fill(key, e, find)
		}
		m.mu.Unlock()
		select {
		case <-e.found:
			if e.ok {
				return e.value, nil
			}
		case <-ctx.Done():
			var none V
			return none, ctx.Err()
		}
	}
}

// fill releases those who wait in any case, a panic of find included.
func (m *Memo[V]) fill(key Digest, e *entry[V], find func() (V, bool, error)) (V, error) {
	keep := false
	defer func() {
		if !keep {
			m.mu.Lock()
			delete(m.entries, key)
			m.mu.Unlock()
		}
		close(e.found)
	}()
	v, kept, err := find()
	if err == nil {
		e.value, e.ok, keep = v, true, kept
	}
	return v, err
}
