// Package slot bounds the work that a run does in this process at any one time: searches of
// a corpus, calculations, replies of the offline model.
//
// Of thirty-two traces that all compute on two cores each takes sixteen times as long, and
// beside other programs longer still. With as many slots as cores a piece of work that has
// begun is soon done, and the others wait in the order in which they came.
//
// Such work has no deadline, neither while it waits nor while it runs: a machine that is busy with something else
// gives a process as little time as it likes, so that a deadline on the clock would let the load decide what a run
// finds. Its input bounds the work instead. Whoever waits for something else, such as a model, a connection or a
// tool, does so before [Enter] or after leave: a slot is for computing alone.
package slot

import "context"

type key struct{}

// With gives a context whose work shares n slots.
func With(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, key{}, make(chan struct{}, n))
}

// Enter waits for one of the context's slots, which leave gives back. In a context without
// slots there is nothing to wait for. The error is that of a context that is done.
func Enter(ctx context.Context) (leave func(), err error) {
	if err := ctx.Err(); err != nil { // select would take a free slot now and then
		return nil, err
	}
	slots, bounded := ctx.Value(key{}).(chan struct{})
	if !bounded {
		return func() {}, nil
	}
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
