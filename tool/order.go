package tool

import (
	"context"
	"sync"
)

// Order numbers the calls of a trace in the order in which agents request them. Calls of one turn run side by side, so
// the order in which tools are reached would differ from run to run. Its zero value is ready, and several goroutines
// may use it.
type Order struct {
	mu      sync.Mutex
	numbers map[[2]string]int // by path and call id
	next    map[[2]string]int // by path and tool
}

// Request numbers a call of a tool by the agent at a path, from 0 for each tool and path.
func (o *Order) Request(path, call, name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.numbers == nil {
		o.numbers, o.next = map[[2]string]int{}, map[[2]string]int{}
	}
	o.numbers[[2]string{path, call}] = o.next[[2]string{path, name}]
	o.next[[2]string{path, name}]++
}

// Number returns the number of a call among those of its tool; ok is false if it was not requested.
func (o *Order) Number(path, call string) (n int, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, ok = o.numbers[[2]string{path, call}]
	return n, ok
}

// WithOrder returns a context of a trace whose calls an order numbers.
func WithOrder(ctx context.Context, o *Order) context.Context {
	s := scopeOf(ctx)
	s.order = o
	return s.within(ctx)
}

// NumberOf returns, from the context of a Call, the number of this call among those that the same agent of the
// trace requested of this tool. ok is false where nothing numbers calls.
func NumberOf(ctx context.Context) (n int, ok bool) {
	s := scopeOf(ctx)
	if s.order == nil {
		return 0, false
	}
	return s.order.Number(s.Path, s.Call)
}
