//go:build soak

package rate_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/hub/rate"
)

// Four workers take at most 300 tokens in any minute, while the coordinator changes every 7 s and the one before gives
// out tokens for another second.
func TestSoakChanges(t *testing.T) {
	const (
		rpm     = 300
		lasts   = 150 * time.Second
		window  = time.Minute
		every   = 7 * time.Second
		overlap = time.Second
	)
	hub := hubOf(t)
	var mu sync.Mutex
	var sent []time.Time
	ctx, cancel := context.WithTimeout(t.Context(), lasts)
	defer cancel()
	var workers sync.WaitGroup
	for range 4 {
		taker := rate.NewTaker(dialed(t, hub), run)
		for range 4 {
			workers.Go(func() {
				for taker.Take(ctx, endpoint, 1) == nil {
					mu.Lock()
					sent = append(sent, time.Now())
					mu.Unlock()
				}
			})
		}
	}
	changes := 0
	for stop := func() error { return nil }; ctx.Err() == nil; changes++ {
		next := giving(t, hub, rate.Limits{RPM: rpm}, valid)
		time.Sleep(overlap)
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		stop = next
		time.Sleep(every - overlap)
	}
	workers.Wait()
	most, first := 0, 0
	for i, at := range sent {
		for at.Sub(sent[first]) >= window {
			first++
		}
		most = max(most, i-first+1)
	}
	t.Logf("%d requests in %v, at most %d in a minute; %d coordinators", len(sent), lasts, most, changes)
	if most > rpm {
		t.Errorf("%d requests in a minute", most)
	}
	if len(sent) < rpm {
		t.Error("hardly any requests: the test says nothing")
	}
}
