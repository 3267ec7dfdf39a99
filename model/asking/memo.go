package asking

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// Digest is a cache key.
type Digest [sha256.Size]byte

// DigestOf hashes parts, each with its length, so that different lists have different digests.
func DigestOf(parts ...string) Digest {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		h.Write([]byte(p))
	}
	return Digest(h.Sum(nil))
}

// Seed is a seed of 31 bits.
func (d Digest) Seed() int64 { return int64(binary.BigEndian.Uint32(d[:4]) >> 1) }

// Memo caches values, and computes each once even for concurrent callers. The zero value is empty and ready.
type Memo[V any] struct {
	mu      sync.Mutex
	entries map[Digest]*entry[V]
}

type entry[V any] struct {
	found chan struct{} // closed when the computation has ended
	value V
	ok    bool
}

// Remember gives the value of a key; a nil Memo computes it each time. Of concurrent
// callers one computes the value and all share it; keep also stores it for later callers.
// An error of find goes to its caller only, and the next waiting caller computes.
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

// fill always releases waiting callers, even after a panic of find.
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
