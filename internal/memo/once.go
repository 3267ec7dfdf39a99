package memo

import (
	"context"
	"sync"
)

// Once holds values by key, without a bound, and computes each once even for concurrent callers: for values that cost a
// request or a read. The zero value is ready, and several goroutines may use one.
type Once[K comparable, V any] struct {
	lock    sync.Mutex
	entries map[K]*entry[V]
}

type entry[V any] struct {
	found chan struct{} // closed when the computation has ended
	value V
	ok    bool
}

// Get returns the value of a key. Of concurrent callers one computes it and all share it; keep also stores it for later
// callers. An error of find goes to its caller only, and the next waiting caller computes. Otherwise the error is that
// of ctx, which ends the wait for another caller.
func (o *Once[K, V]) Get(ctx context.Context, key K, find func() (v V, keep bool, err error)) (V, error) {
	for {
		o.lock.Lock()
		e, known := o.entries[key]
		if !known {
			e = &entry[V]{found: make(chan struct{})}
			if o.entries == nil {
				o.entries = map[K]*entry[V]{}
			}
			o.entries[key] = e
			o.lock.Unlock()
			return o.fill(key, e, find)
		}
		o.lock.Unlock()
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
func (o *Once[K, V]) fill(key K, e *entry[V], find func() (V, bool, error)) (V, error) {
	keep := false
	defer func() {
		if !keep {
			o.lock.Lock()
			delete(o.entries, key)
			o.lock.Unlock()
		}
		close(e.found)
	}()
	v, kept, err := find()
	if err == nil {
		e.value, e.ok, keep = v, true, kept
	}
	return v, err
}
