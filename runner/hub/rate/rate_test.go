package rate_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/rate"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

const (
	run      = wire.Run("r")
	endpoint = "openai https://api.example.com"
)

func ExampleLimits_Spacing() {
	fmt.Println(rate.Limits{RPM: 10}.Spacing(), rate.Limits{RPM: 627}.Spacing())
	// Output: 6.8s 100ms
}

// Evenly spaced tokens, with seven more than fit, stay below the limit in any minute.
func TestSpacing(t *testing.T) {
	for rpm := 1; rpm <= 10_000; rpm++ {
		l := rate.Limits{RPM: rpm}
		// A request is sent up to a second after its token was made.
		in := int((61*time.Second)/l.Spacing()) + 1
		if extra := 6; rpm >= 70 && in+extra > rpm || in > rpm+1 {
			t.Fatalf("%d requests a minute: %d in 61 s", rpm, in)
		}
	}
}

func hubOf(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.Start(server.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Store: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func dialed(t *testing.T, s *server.Server) *link.Link {
	t.Helper()
	l, err := link.Dial(t.Context(), link.Options{URL: s.URL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

func valid(context.Context) error { return nil }

// giving gives out tokens until stop is called.
func giving(t *testing.T, hub *server.Server, l rate.Limits, ok func(context.Context) error) (stop func() error) {
	t.Helper()
	g, err := rate.NewGiver(t.Context(), dialed(t, hub), run, map[string]rate.Limits{endpoint: l}, ok)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- g.Give(ctx) }()
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { _ = stop() })
	return stop
}

// Four processes together get no more tokens than the spacing allows, also while the coordinator changes.
func TestWorkersShareTheLimit(t *testing.T) {
	hub := hubOf(t)
	limits := rate.Limits{RPM: 1247} // 50 ms
	const requests, changes = 60, 2
	var mu sync.Mutex
	var sent []time.Time
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	begin := time.Now()
	stop := giving(t, hub, limits, valid)
	var workers sync.WaitGroup
	for range 4 {
		taker := rate.NewTaker(dialed(t, hub), run)
		for range 4 {
			workers.Go(func() {
				for taker.Take(ctx, endpoint, 1) == nil {
					mu.Lock()
					if sent = append(sent, time.Now()); len(sent) == requests {
						cancel()
					}
					mu.Unlock()
				}
			})
		}
	}
	for n := 1; n <= changes; n++ {
		for count := 0; count < n*requests/(changes+1) && ctx.Err() == nil; {
			time.Sleep(time.Millisecond)
			mu.Lock()
			count = len(sent)
			mu.Unlock()
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		stop = giving(t, hub, limits, valid)
	}
	workers.Wait()
	if len(sent) < requests {
		t.Fatalf("only %d requests", len(sent))
	}
	for i, at := range sent {
		if most := int(at.Sub(begin)/limits.Spacing()) + 1 + changes; i+1 > most {
			t.Fatalf("%d requests in %v, at most %d are allowed", i+1, at.Sub(begin), most)
		}
	}
}

// A long request takes as many tokens as its text needs.
func TestText(t *testing.T) {
	hub := hubOf(t)
	begin := time.Now()                                        // before the giver, because a busy machine may store tokens before the first is taken
	giving(t, hub, rate.Limits{RPM: 1247, TPM: 60_000}, valid) // 50 of text each 50 ms
	taker := rate.NewTaker(dialed(t, hub), run)
	if err := taker.Take(t.Context(), endpoint, 500); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took < 9*50*time.Millisecond {
		t.Errorf("500 tokens of text at 1,000 a second came after %v", took)
	}
}

// A coordinator that was replaced is refused, and stops.
func TestReplaced(t *testing.T) {
	hub := hubOf(t)
	limits := rate.Limits{RPM: 6207} // 10 ms
	replaced := errors.New("replaced")
	first, err := rate.NewGiver(t.Context(), dialed(t, hub), run, map[string]rate.Limits{endpoint: limits},
		func(context.Context) error { return replaced })
	if err != nil {
		t.Fatal(err)
	}
	giving(t, hub, limits, valid)
	if err := rate.NewTaker(dialed(t, hub), run).Take(t.Context(), endpoint, 1); err != nil {
		t.Fatal(err)
	}
	if err := first.Give(t.Context()); !errors.Is(err, replaced) {
		t.Errorf("the first coordinator ended with %v", err)
	}
}

// Without tokens a request waits, and stops waiting when its context is done.
func TestNoTokens(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	err := rate.NewTaker(dialed(t, hubOf(t)), run).Take(ctx, endpoint, 1)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}
