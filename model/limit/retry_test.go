package limit_test

import (
	"context"
	"errors"
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/limit"
)

func half() float64 { return 0.5 }

func TestRetryMendsWhatMayPass(t *testing.T) {
	for _, c := range []struct {
		name   string
		errs   []error
		waited time.Duration
	}{
		{"well", nil, 0},
		{"broken twice", []error{broken(), broken()}, 1500 * time.Millisecond},
		{"every kind that passes", []error{rateLimited(0), reset(), slowReply()}, 3500 * time.Millisecond},
		{"told when to come back", []error{rateLimited(20 * time.Second)}, 20500 * time.Millisecond},
		{"an error of no type", []error{errors.New("out of order")}, 500 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &script{errs: c.errs}
			var told []limit.Again
			start := time.Now()
			resp, err := (&limit.Retry{Name: name, Model: m, Jitter: half, OnRetry: func(a limit.Again) { told = append(told, a) }}).
				Complete(t.Context(), model.Request{Identity: model.Identity{Query: "q"}})
			if err != nil || resp.Attempts != len(c.errs)+1 || resp.Waited != c.waited || time.Since(start) != c.waited {
				t.Errorf("%s: %+v, %v; want %v waited", c.name, resp, err, c.waited)
			}
			if len(told) != len(c.errs) {
				t.Fatalf("%s: told of %+v", c.name, told)
			}
			for i, a := range told {
				if a.Attempt != i+1 || a.Err != c.errs[i] || a.Request.Query != "q" {
					t.Errorf("%s: told of %+v", c.name, a)
				}
			}
		})
	}
}

func TestRetryLeavesWhatStays(t *testing.T) {
	for _, kind := range []model.ErrorKind{
		model.ErrAuth, model.ErrQuota, model.ErrBadRequest, model.ErrContextOverflow, model.ErrContentFilter, model.ErrCancelled, model.ErrBudget,
	} {
		m := &script{errs: []error{fail(kind, errors.New("no"))}}
		_, err := (&limit.Retry{Name: name, Model: m}).Complete(t.Context(), model.Request{})
		if e := wantKind(t, err, kind, "no"); m.calls != 1 || e.Attempts != 1 || e.Waited != 0 {
			t.Errorf("%s: %d calls, %+v", kind, m.calls, e)
		}
	}
}

func TestRetryGivesUp(t *testing.T) {
	always := func(err error) fake {
		return func(context.Context, model.Request) (model.Response, error) { return model.Response{}, err }
	}
	for _, c := range []struct {
		name   string
		retry  limit.Retry
		tries  int
		waited time.Duration
		says   string
	}{
		{"no sense", limit.Retry{Model: always(fail(model.ErrMalformed, io.EOF)), Tries: 20, Jitter: half}, 6, 15500 * time.Millisecond, "no tries are left"},
		{"tries", limit.Retry{Model: always(broken()), Jitter: half}, 6, 15500 * time.Millisecond, "status 500; no tries are left: gave up after 6 attempts and 15.5s of waiting"},
		{"one try", limit.Retry{Model: always(broken()), Tries: 1}, 1, 0, "gave up after 1 attempt and 0s"},
		{"total", limit.Retry{Model: always(broken()), Jitter: half, Tries: 100, Total: 10 * time.Second}, 5, 7500 * time.Millisecond, "the limit of 10s of waiting is reached"},
		{"asked for an absurd wait", limit.Retry{Model: always(rateLimited(time.Hour)), Jitter: func() float64 { return 0 }}, 3, 2 * time.Minute, "the endpoint asks to wait 1h0m0s, and 0s of waiting is left"},
		{"too slow", limit.Retry{Model: always(slowReply()), Jitter: half}, 2, 500 * time.Millisecond, "it timed out twice: lower --concurrency"},
		{"too slow in between", limit.Retry{Model: &script{errs: []error{slowReply(), broken(), slowReply(), nil}}, Jitter: half}, 3, 1500 * time.Millisecond, "it timed out twice"},
		{"asked for more than is left", limit.Retry{Model: always(rateLimited(50 * time.Second)), Jitter: func() float64 { return 0 }}, 3, 100 * time.Second, "asks to wait 50s, and 20s"},
		{"without a cause", limit.Retry{Model: always(&model.Error{Kind: model.ErrTimeout, Model: name}), Tries: 1}, 1, 0, "no cause was given; no tries"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c.retry.Name = name
			start := time.Now()
			_, err := c.retry.Complete(t.Context(), model.Request{})
			e := wantKind(t, err, model.KindOf(err), c.says)
			if e.Attempts != c.tries || e.Waited != c.waited || time.Since(start) != c.waited {
				t.Errorf("%s: %d attempts, %v waited in %v; want %d and %v", c.name, e.Attempts, e.Waited, time.Since(start), c.tries, c.waited)
			}
		})
	}
}

func TestRetryKeepsTheCause(t *testing.T) {
	own := rateLimited(time.Hour)
	_, err := (&limit.Retry{Name: name, Model: &script{errs: []error{own}}, Tries: 1}).Complete(t.Context(), model.Request{})
	if e := wantKind(t, err, model.ErrRateLimited, "429"); e.RetryAfter != time.Hour {
		t.Errorf("%+v", e)
	}
	if own.(*model.Error).Attempts != 0 {
		t.Error("the model's own error was changed")
	}
}

func TestRetryEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		start := time.Now()
		_, err := (&limit.Retry{Name: name, Model: &script{errs: []error{rateLimited(time.Minute)}}}).Complete(ctx, model.Request{})
		if e := wantKind(t, err, model.ErrCancelled, "status 429"); time.Since(start) != 3*time.Second || e.Waited != 3*time.Second || !errors.Is(err, context.Canceled) {
			t.Errorf("after %v: %v", time.Since(start), err)
		}

		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		told := 0
		_, err = (&limit.Retry{Name: name, Model: slow(time.Hour, answer), OnRetry: func(limit.Again) { told++ }}).Complete(ctx, model.Request{})
		if e := wantKind(t, err, model.ErrTimeout, ""); e.Attempts != 1 || told != 0 {
			t.Errorf("told %d times: %v", told, err)
		}
	})
}

// For any failures, a call makes at most Tries attempts and waits at most Total. It never waits less than the
// endpoint demands, unless that is more than a minute.
func TestRetryStaysWithinItsLimits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		errs := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) error {
			e := fail(rapid.SampledFrom([]model.ErrorKind{model.ErrRateLimited, model.ErrUnavailable, model.ErrTimeout, model.ErrAuth}).Draw(rt, "kind"), errors.New("no"))
			e.RetryAfter = time.Duration(rapid.Int64Range(-1, int64(3*time.Minute)).Draw(rt, "after"))
			return e
		}), 0, 30).Draw(rt, "errs")
		r := limit.Retry{Name: name, Tries: rapid.IntRange(0, 40).Draw(rt, "tries"), Total: time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(rt, "total"))}
		r.Jitter = func() float64 { return rapid.Float64Range(0, math.Nextafter(1, 0)).Draw(rt, "jitter") }
		r.OnRetry = func(a limit.Again) {
			if e, _ := errors.AsType[*model.Error](a.Err); a.Wait < min(e.RetryAfter, time.Minute) || a.Wait < 0 {
				rt.Errorf("waits %v, asked for %v", a.Wait, e.RetryAfter)
			}
		}
		synctest.Test(t, func(t *testing.T) {
			m := &script{errs: errs}
			r.Model = m
			start := time.Now()
			resp, err := r.Complete(t.Context(), model.Request{})
			attempts, waited := resp.Attempts, resp.Waited
			if e, ok := errors.AsType[*model.Error](err); ok {
				attempts, waited = e.Attempts, e.Waited
			}
			tries, total := r.Tries, r.Total
			if tries == 0 {
				tries = limit.DefaultTries
			}
			if total == 0 {
				total = limit.DefaultTotal
			}
			if attempts != m.calls || attempts > tries || waited != time.Since(start) || waited > total {
				rt.Errorf("%d attempts of %d, %v waited of %v: %v", attempts, tries, waited, total, err)
			}
		})
	})
}
