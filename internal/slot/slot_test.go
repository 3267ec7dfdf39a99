package slot_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/internal/slot"
)

// work computes for a second in each of n goroutines, and gives how long that took.
func work(t *testing.T, ctx context.Context, n int) time.Duration {
	start := time.Now()
	var running sync.WaitGroup
	for range n {
		running.Go(func() {
			leave, err := slot.Enter(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			defer leave()
			time.Sleep(time.Second)
		})
	}
	running.Wait()
	return time.Since(start)
}

func TestSlotsBoundWhatRuns(t *testing.T) {
	for _, c := range []struct{ slots, work, seconds int }{{1, 3, 3}, {2, 3, 2}, {2, 8, 4}, {4, 4, 1}} {
		t.Run(fmt.Sprintf("%d in %d", c.work, c.slots), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if took := work(t, slot.With(t.Context(), c.slots), c.work); took != time.Duration(c.seconds)*time.Second {
					t.Errorf("took %v, want %d s", took, c.seconds)
				}
			})
		})
	}
}

func TestWithoutSlotsNothingWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if took := work(t, t.Context(), 50); took != time.Second {
			t.Errorf("took %v, want 1 s", took)
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := slot.With(t.Context(), 1)
		leave, err := slot.Enter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		impatient, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		if _, err := slot.Enter(impatient); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("no slot was free: %v", err)
		}
		leave()
		if _, err := slot.Enter(impatient); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a slot is free, but the context is done: %v", err)
		}
		if took := work(t, ctx, 1); took != time.Second { // none was lost
			t.Errorf("took %v, want 1 s", took)
		}
	})
}
