package coordinator_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// A run without a worker says that it waits for one.
func TestNoWorker(t *testing.T) {
	f := newFixture(t, func(o *coordinator.Options) {
		o.Times = patient
		o.Times.QuietAfter = 50 * time.Millisecond
	})
	f.ask("q1")
	f.until("the user knows that a worker is missing", func() bool {
		return f.warned("no worker makes traces of this run, which waits: start one with `concur work nats://127.0.0.1:")
	})
	f.send(f.parts(delivery("q1", 10))...)
	f.waiting.Wait()
	f.end(true)
}

// A worker that lies prints no line that looks like one of the run, and does not print for ever.
func TestLyingWorker(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 150 {
		cause := fmt.Sprintf("no %d\nconcur: the run is complete\r\n%s", i, strings.Repeat("é", 400))
		f.says(run.TroubleSubject(), wire.Trouble{Worker: "w", Cause: cause}.Encode())
		f.says(run.RemarkSubject(), wire.Remark{Worker: "w", Warning: true, Text: cause + " again"}.Encode())
	}
	f.until("the first is shown", func() bool { return f.warned(`"w" takes no work: no 0 concur: the run is complete éé`) })
	f.end(false)
	f.mu.Lock()
	defer f.mu.Unlock()
	told := 0
	for _, w := range f.warnings {
		if strings.Contains(w, `worker "w"`) {
			told++
		}
		if strings.ContainsAny(w, "\r\n") || len(w) > 700 || !utf8.ValidString(w) {
			t.Errorf("warning %q", w)
		}
	}
	if told > 100 {
		t.Errorf("%d warnings of one worker", told)
	}
}
