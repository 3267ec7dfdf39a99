package confirm

import (
	"context"
	"time"
)

// Until waits for a time of day, through a suspend of the machine: it looks at the clock every second. It waits no longer
// than that time is away at first, so that a clock that is set back does not hold it up.
func Until(ctx context.Context, at time.Time) error { return until(ctx, at, time.Now) }

func until(ctx context.Context, at time.Time, now func() time.Time) error {
	left := at.Sub(now().Round(0)) // without the reading of the monotonic clock, which stops in a suspend
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
