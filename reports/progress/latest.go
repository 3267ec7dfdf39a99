package progress

import "sync"

// latest is a value that one goroutine sets and another reads.
type latest[T any] struct {
	mu    sync.Mutex
	value T
}

func newLatest[T any](value T) *latest[T] { return &latest[T]{value: value} }

func (l *latest[T]) set(value T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.value = value
}

func (l *latest[T]) get() T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value
}
