package pace_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
)

func TestRetryAfter(t *testing.T) {
	const date, year = "Wed, 21 Oct 2026 07:28:00 GMT", 365 * 24 * time.Hour
	now := time.Date(2026, 10, 21, 7, 29, 0, 0, time.UTC)
	for _, c := range []struct {
		after, ms, date string
		now             time.Time
		want            time.Duration
		given           bool
	}{
		{"", "", date, now, 0, false},
		{"20", "", "", now, 20 * time.Second, true},
		{" 1.5 ", "", "", now, 1500 * time.Millisecond, true},
		{"20", "150", "", now, 150 * time.Millisecond, true},
		{"3", "soon", "", now, 3 * time.Second, true},
		{"Wed, 21 Oct 2026 07:29:30 GMT", "", date, now, 90 * time.Second, true},
		{"Wed, 21 Oct 2026 07:29:30 GMT", "", "", now, 30 * time.Second, true},
		{"Wed, 21 Oct 2026 07:29:30 GMT", "", "now", now, 30 * time.Second, true},
		{"Wed, 21 Oct 2026 07:29:30 GMT", "", date, time.Time{}, 90 * time.Second, true},
		{"Wed, 21 Oct 2026 07:29:30 GMT", "", "now", time.Time{}, 0, false},
		{"Wed, 21 Oct 2026 07:27:00 GMT", "", date, now, 0, true},
		{"Wed, 21 Oct 2015 07:28:00 GMT", "", "", now, 0, true},
		{"Fri, 31 Dec 9999 23:59:59 GMT", "", date, now, year, true},
		{"1e300", "", "", now, year, true},
		{"+Inf", "", "", now, year, true},
		{"-5", "", "", now, 0, true},
		{"NaN", "", "", now, 0, false},
		{"later", "", "", now, 0, false},
	} {
		h := http.Header{}
		for name, value := range map[string]string{"Retry-After": c.after, "retry-after-ms": c.ms, "Date": c.date} {
			if value != "" {
				h.Set(name, value)
			}
		}
		if got, given := pace.RetryAfter(h, c.now); got != c.want || given != c.given {
			t.Errorf("%v at %v: %v (%t), want %v (%t)", h, c.now, got, given, c.want, c.given)
		}
	}
}

func TestBackoff(t *testing.T) {
	for i, want := range []time.Duration{1, 2, 4, 8, 8} {
		if got := pace.Backoff(i+1, 2*time.Second, 16*time.Second, 0.5); got != want*time.Second {
			t.Errorf("after %d tries: %v, want %d s", i+1, got, want)
		}
	}
	if got := pace.Backoff(1000, time.Second, time.Minute, 0.5); got != 30*time.Second {
		t.Errorf("after many tries: %v", got)
	}
}

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if err := pace.Sleep(ctx, 700*time.Millisecond); err != nil || time.Since(start) != 700*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if err := pace.Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if err := pace.Sleep(ctx, 0); err == nil {
			t.Error("slept on after the end")
		}
	})
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "3", "-1", "1.5", "1e300", "NaN", "Inf", "Sun, 01 Mar 2026 12:00:07 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "soon"} {
		f.Add(s, "")
		f.Add("", s)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, seconds, milliseconds string) {
		d, ok := pace.RetryAfter(http.Header{"Retry-After": {seconds}, "Retry-After-Ms": {milliseconds}}, now)
		if d < 0 || d > 365*24*time.Hour || !ok && d != 0 {
			t.Fatalf("%s, %v", d, ok)
		}
	})
}
