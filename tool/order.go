package tool

import (
	"context"
	"sync"
)

// Order numbers the calls of a trace in the order in which agents request them. Calls of one turn run
// concurrently, so the order in which they reach the tools would differ between runs. The zero value is ready
// to use. It is safe for concurrent use.
type Order struct {
	mu      sync.Mutex
	numbers map[[2]string]int // by path and id of the call
	steps   map[[2]string]int // the turn of each call, by path and id
	next    map[[2]string]int // by path and name of the tool
}

// Request numbers a call of a tool by the agent at a path. Numbers begin at 0 for each tool and path. step is the turn
// of the agent that requested the call.
func (o *Order) Request(path, call, name string, step int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.numbers == nil {
		o.numbers, o.next, o.steps = map[[2]string]int{}, map[[2]string]int{}, map[[2]string]int{}
	}
	o.steps[[2]string{path, call}] = step
	o.numbers[[2]string{path, call}] = o.next[[2]string{path, name}]
	o.next[[2]string{path, name}]++
}

// Number returns the number of a call among the calls of its tool; ok is false for a call that was not
// requested.
func (o *Order) Number(path, call string) (n int, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, ok = o.numbers[[2]string{path, call}]
	return n, ok
}

// WithOrder returns a context of a trace with the Order that numbers its calls.
func WithOrder(ctx context.Context, o *Order) context.Context {
	s := scopeOf(ctx)
	s.order = o
	return s.within(ctx)
}

// NumberOf returns the number of a call, from the context of the Call. It counts the calls of this tool that
// the same agent of the trace requested. ok is false if the context has no Order.
func NumberOf(ctx context.Context) (n int, ok bool) {
	s := scopeOf(ctx)
	if s.order == nil {
		return 0, false
	}
	return s.order.Number(s.Path, s.Call)
}

// Parents returns the header traceparent of the request with which a tool sends a call to another server; "" sends no
// header.
type Parents func(c Caller, step int) string

// WithParents returns a context of a trace with its Parents. Use it after WithOrder.
func WithParents(ctx context.Context, of Parents) context.Context {
	s := scopeOf(ctx)
	s.parents = of
	return s.within(ctx)
}

// TraceparentOf returns, from the context of a Call, the traceparent of its request; "" if the run sends no spans.
func TraceparentOf(ctx context.Context) string {
	s := scopeOf(ctx)
	if s.parents == nil || s.order == nil || s.invoker == nil {
		return ""
	}
	s.order.mu.Lock()
	step, requested := s.order.steps[[2]string{s.Path, s.Call}]
	s.order.mu.Unlock()
	if !requested {
		return ""
	}
	return s.parents(s.Caller, step)
}
