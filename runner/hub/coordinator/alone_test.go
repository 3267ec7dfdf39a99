package coordinator_test

import (
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/hub/coordinator"
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
