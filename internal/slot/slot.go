// Package slot limits the work that a run does in this process at one time: searches of a corpus,
// calculations, replies of the offline model. With as many slots as cores, started work finishes soon, and
// the rest waits in order of arrival.
//
// Such work has no deadline, neither while it waits nor while it runs, because the load of the machine would
// then affect the results. The size of its input limits it. Do not wait for models, connections or tools
// while you hold a slot: wait before [Enter] or after leave.
package slot

import "context"

type key struct{}

// With returns a context whose work shares n slots.
func With(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, key{}, make(chan struct{}, n))
}

// Enter waits for one of the context's slots, which leave returns. In a context without slots it does not
// wait. The error is the context's, if it is done.
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
