// Package memo caches results of functions, because the traces of a run often compute the same result from
// the same text.
package memo

import "sync"

// most is the number of values above which a Memo is emptied, so that it does not grow without limit in a
// server.
const most = 4096

// Memo caches values by key. The zero value is ready, and several goroutines may use one Memo.
type Memo[K comparable, V any] struct {
	lock   sync.Mutex
	values map[K]V
}

// Get returns the cached value of a key, or the result of compute, which it caches. Concurrent callers may
// each call compute. The value must depend only on the key, and callers must not modify it.
func (m *Memo[K, V]) Get(key K, compute func() V) V {
	m.lock.Lock()
	value, known := m.values[key]
	m.lock.Unlock()
	if known {
		return value
	}
	value = compute()
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.values == nil {
		m.values = map[K]V{}
	}
	if len(m.values) >= most {
		clear(m.values) // clear keeps the memory of the map
	}
	m.values[key] = value
	return value
}
