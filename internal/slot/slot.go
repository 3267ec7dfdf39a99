// Package slot bounds the work that a run does in this process at any one time: searches of a corpus, calculations,
// replies of the offline model. With as many slots as cores, work that has begun is soon done, and the rest waits in
// the order in which it came.
//
// Such work has no deadline, neither while it waits nor while it runs, because the load of the machine would then
// decide what a run finds. Its input bounds it instead. Whoever waits for something else, such as a model, a
// connection or a tool, does so before [Enter] or after leave.
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
