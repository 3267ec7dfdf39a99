package confirm

import (
	"context"
	"time"
)

// Until waits until a time, even if the machine sleeps in between: it reads the clock every second. If the
// clock is set back, it waits no longer than the time that was left when it was called.
func Until(ctx context.Context, at time.Time) error { return until(ctx, at, time.Now) }

func until(ctx context.Context, at time.Time, now func() time.Time) error {
	left := at.Sub(now().Round(0)) // without the monotonic clock, which stops during suspension
	began := time.Now()
	for left > 0 && now().Round(0).Before(at) && time.Since(began) < left {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(min(time.Second, left-time.Since(began))):
		}
	}
	return nil
}
