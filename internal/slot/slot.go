// Package slot limits the work that a run does in this process at the same time: searches of a corpus,
// calculations, replies of the offline model. With as many slots as cores, started work finishes soon, and
// other work waits in order of arrival.
//
// Such work has no deadline, neither while it waits nor while it runs, because results would then depend on the
// load of the machine. The size of its input is limited instead. Do not wait for models, connections or tools
// while you hold a slot: wait before [Enter] or after leave.
package slot

import "context"

type key struct{}

// With returns a context with n slots for the work done in it.
func With(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, key{}, make(chan struct{}, n))
}

// Enter waits for one of the context's slots; leave gives it back. In a context without slots it does not wait.
// It returns the context's error if the context is done.
func Enter(ctx context.Context) (leave func(), err error) {
	if err := ctx.Err(); err != nil { // select might still take a free slot
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
