package offline_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline"
)

// TestSlotIsForComputing checks that calls wait for their latency concurrently, even with few slots, and that
// a call fails if it gets no slot.
func TestSlotIsForComputing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := offline.New(offline.Reader, offline.Options{Latency: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		req := model.Request{Messages: []model.Message{{Role: model.User, Content: "Who?"}}}
		ctx := slot.With(t.Context(), 1)
		start := time.Now()
		var running sync.WaitGroup
		for range 5 {
			running.Go(func() {
				if _, err := m.Complete(ctx, req); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		if took := time.Since(start); took != time.Second {
			t.Errorf("five calls side by side took %v, want their latency of 1 s", took)
		}

		leave, err := slot.Enter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		impatient, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		if _, err := m.Complete(impatient, req); model.KindOf(err) != model.ErrTimeout {
			t.Errorf("without a free slot: %v", err)
		}
	})
}
