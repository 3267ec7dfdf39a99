package limit_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/limit"
)

// starts records the times when calls reach the endpoint.
type starts struct {
	mu sync.Mutex
	at []time.Time
}

func (s *starts) note() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = append(s.at, time.Now())
}

// most is the largest number of starts within any minute.
func (s *starts) most() int {
	most := 0
	for i := range s.at {
		for j := i; j < len(s.at) && s.at[j].Sub(s.at[i]) < time.Minute; j++ {
			most = max(most, j-i+1)
		}
	}
	return most
}

func TestRateHoldsRequestsPerMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s starts
		m := (&limit.Rate{RPM: 10}).Wrap(name, fake(func(context.Context, model.Request) (model.Response, error) {
			s.note()
			return answer, nil
		}))
		start := time.Now()
		var all sync.WaitGroup
		for range 35 {
			all.Go(func() {
				if _, err := m.Complete(t.Context(), model.Request{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if took := time.Since(start); s.most() != 10 || took != 3*time.Minute {
			t.Errorf("up to %d in a minute, %v for 35", s.most(), took)
		}
	})
}

func TestRateBelowItsLimitIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := (&limit.Rate{RPM: 500, TPM: 1 << 20}).Wrap(name, fake(func(context.Context, model.Request) (model.Response, error) { return answer, nil }))
		start := time.Now()
		for range 500 {
			if _, err := m.Complete(t.Context(), text(10)); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v", took)
		}
	})
}

func TestRateCorrectsEstimates(t *testing.T) {
	for _, c := range []struct {
		name   string
		usage  model.Usage
		err    error
		second time.Duration // the wait of a second call
	}{
		{"no usage: the estimate stands", model.Usage{}, nil, time.Minute},
		{"less than estimated", model.Usage{InputTokens: 100, OutputTokens: 10}, nil, 0},
		{"more than estimated", model.Usage{InputTokens: 600, OutputTokens: 5000}, nil, time.Minute},
		{"a failure gives back", model.Usage{}, rateLimited(0), 0},
		{"a timeout may have cost", model.Usage{}, slowReply(), time.Minute},
		{"nonsense", model.Usage{InputTokens: -5, OutputTokens: 1}, nil, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := (&limit.Rate{TPM: 1000, OutputGuess: 100}).Wrap(name, fake(func(context.Context, model.Request) (model.Response, error) {
				return model.Response{Usage: c.usage}, c.err
			}))
			_, _ = m.Complete(t.Context(), text(500))
			start := time.Now()
			_, _ = m.Complete(t.Context(), text(500))
			if waited := time.Since(start); waited != c.second {
				t.Errorf("%s: the second waited %v, want %v", c.name, waited, c.second)
			}
		})
	}
}

// A call that needs less than its estimate frees the difference at once for the next call.
func TestRateWakesOnCorrection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := (&limit.Rate{TPM: 1000, OutputGuess: 900}).Wrap(name, slow(5*time.Second, model.Response{Usage: model.Usage{InputTokens: 10}}))
		start := time.Now()
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() { _, _ = m.Complete(t.Context(), text(10)) })
		}
		both.Wait()
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestRateLetsTooLargeARequestGoAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := (&limit.Rate{TPM: 100}).Wrap(name, &script{})
		start := time.Now()
		for range 3 {
			if _, err := m.Complete(t.Context(), text(1000)); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 2*time.Minute {
			t.Errorf("took %v", took)
		}
	})
}

func TestRateEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endpoint := &script{}
		m := (&limit.Rate{RPM: 1}).Wrap(name, endpoint)
		_, _ = m.Complete(t.Context(), model.Request{})
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(7*time.Second, func() { cancel(errors.New("enough")) })
		start := time.Now()
		var waiting sync.WaitGroup
		for range 3 { // one is next, the others wait after it
			waiting.Go(func() {
				_, err := m.Complete(ctx, model.Request{})
				wantKind(t, err, model.ErrCancelled, "limits.rpm and limits.tpm: enough")
			})
		}
		waiting.Wait()
		if time.Since(start) != 7*time.Second || endpoint.calls != 1 {
			t.Errorf("after %v, %d calls", time.Since(start), endpoint.calls)
		}
	})
}

// In any minute, no more requests and tokens start than the limits allow, in any order of arrival.
func TestRateProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rpm, tpm := rapid.IntRange(1, 20).Draw(rt, "rpm"), rapid.IntRange(10, 2000).Draw(rt, "tpm")
		pauses := rapid.SliceOfN(rapid.IntRange(0, 20), 1, 60).Draw(rt, "pauses")
		size := rapid.IntRange(0, 8).Draw(rt, "size")
		synctest.Test(t, func(t *testing.T) {
			var s starts
			m := (&limit.Rate{RPM: rpm, TPM: tpm, OutputGuess: 1}).Wrap(name, fake(func(context.Context, model.Request) (model.Response, error) {
				s.note()
				return answer, nil
			}))
			var all sync.WaitGroup
			for _, p := range pauses {
				time.Sleep(time.Duration(p) * time.Second)
				all.Go(func() { _, _ = m.Complete(t.Context(), text(size)) })
			}
			all.Wait()
			if len(s.at) != len(pauses) || s.most() > rpm || s.most()*(size+1) > tpm {
				rt.Errorf("%d of %d calls, up to %d of %d tokens in a minute; limits %d, %d", len(s.at), len(pauses), s.most(), size+1, rpm, tpm)
			}
		})
	})
}
