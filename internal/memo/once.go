package memo

import (
	"context"
	"sync"
)

// Once caches values by key, without a limit, and computes each only once even for concurrent callers. It is
// for values that cost a request or a read. The zero value is ready to use, also by several goroutines.
type Once[K comparable, V any] struct {
	lock    sync.Mutex
	entries map[K]*entry[V]
}

type entry[V any] struct {
	found chan struct{} // closed when the computation has ended
	value V
	ok    bool
}

// Get returns the value of a key. If several callers need it at the same time, one computes it and all get it;
// if keep is true, it is also stored for later callers. An error of find is returned only to the caller that
// computed, and the next waiting caller computes again. Get returns the error of ctx if ctx ends while it waits
// for another caller.
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

// fill calls find and always releases the waiting callers, even if find panics.
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
