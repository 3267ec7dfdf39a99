package running

import (
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/reports/transcript"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/outputtest"
	"github.com/seed-5817661a/concur/trace"
)

// closing is a terminal that somebody closes.
type closing struct {
	strings.Builder
	closed atomic.Bool
}

func (c *closing) Write(p []byte) (int, error) {
	if c.closed.Load() {
		return 0, errors.New("the terminal is closed")
	}
	return c.Builder.Write(p)
}

// TestAskAsOutput: standard error of a question has the events as they came.
func TestAskAsOutput(t *testing.T) {
	outputtest.Test(t, func(_ testing.TB, run outputtest.Run) outputtest.Subject {
		var errs closing
		a := &askSession{Console: &console.Console{Err: &errs}, live: &transcript.LiveText{W: &errs}, debug: true,
			open: &assemble.Session{Draft: run.Draft, Plan: run.Plan}, last: map[int][]trace.Event{}}
		shown := func(call any) string {
			var b strings.Builder
			if e, is := call.(trace.Event); is {
				if err := transcript.WriteLive(&b, e, true); err != nil {
					return err.Error()
				}
			}
			return b.String()
		}
		return outputtest.Subject{Output: &questionOutput{askSession: a, begun: -1}, Keeps: shown,
			Break: func() { errs.closed.Store(true) },
			Kept: func(testing.TB) string {
				var b strings.Builder
				for line := range strings.Lines(errs.String()) {
					if !strings.HasPrefix(line, "── trace ") {
						b.WriteString(line)
					}
				}
				return b.String()
			}}
	})
}

// TestAskSaysWhatItWaitsFor: unless the model is just writing, or nothing is to be shown.
func TestAskSaysWhatItWaitsFor(t *testing.T) {
	var errs strings.Builder
	a := &askSession{Console: &console.Console{Err: &errs}, live: &transcript.LiveText{W: &errs}, log: &progress.Log{W: io.Discard}}
	a.waits("no request has ended")
	if got := errs.String(); got != "concur: no request has ended\n" {
		t.Errorf("%q", got)
	}
	errs.Reset()
	a.live.Show("")
	a.waits("no request has ended")
	a.live, a.quiet = &transcript.LiveText{W: &errs}, true
	a.waits("no request has ended")
	if errs.Len() > 0 {
		t.Errorf("%q", errs.String())
	}
}
