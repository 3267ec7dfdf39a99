// Package memo remembers what functions have computed: the traces of a run ask the same of the same texts.
package memo

import "sync"

// most is the number of values above which a Memo starts again, so that a server does not grow without end.
const most = 4096

// Memo holds values by key. The zero value is ready, and several goroutines may use one.
type Memo[K comparable, V any] struct {
	lock   sync.Mutex
	values map[K]V
}

// Get gives the value of a key, which compute makes unless it is remembered. Callers that come at once may each
// compute it; the value must depend on the key alone, and nobody may change it.
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
	if m.values == nil || len(m.values) >= most {
		m.values = map[K]V{}
	}
	m.values[key] = value
	return value
}
