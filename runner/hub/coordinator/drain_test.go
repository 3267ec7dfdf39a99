package coordinator_test

import (
	"errors"
	"testing"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// After Drain, no worker finds work. Traces that have begun go on, and the others end. A result of one of the others is
// kept at the hub for the next session.
func TestDrain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, patiently)
	f.ask("q1")
	f.until("q1 is asked for", func() bool { return f.messages(run.Work()) == 1 })
	others := make(chan error)
	makes := func(query string) {
		_, err := f.c.Run(t.Context(), runner.Job{ID: job(query)}, lines{f, query})
		others <- err
	}
	go makes("q2")
	go makes("q3")
	f.until("all are asked for", func() bool { return f.messages(run.Work()) == 3 })
	f.says(run.TakenSubject(), wire.Taken{Worker: "w", ID: job("q1")}.Encode())
	f.says(run.AliveSubject("w"), wire.Alive{Worker: "w", Places: 1}.Encode())
	f.until("both messages were heard", func() bool { return f.c.State().Workers == 1 })
	f.c.Drain()
	f.c.Drain()
	for range 2 {
		if err := <-others; !errors.Is(err, runner.ErrDrained) {
			t.Errorf("a trace that has not begun: %v", err)
		}
	}
	f.until("no work is at the hub", func() bool { return f.messages(run.Work()) == 0 })
	go makes("q4")
	if err := <-others; !errors.Is(err, runner.ErrDrained) {
		t.Errorf("a trace that was asked for afterwards: %v", err)
	}
	half := delivery("q1", 10)
	half.Lines = half.Lines[1:]
	f.send(f.parts(delivery("q2", 10))...)
	f.send(f.parts(half)...)
	f.send(f.parts(delivery("q1", 10))...)
	f.waiting.Wait()
	f.until("only the result that no Run awaits is left", func() bool { return f.messages(run.Done()) == 1 })
	if n := f.end(false); n.Refused != 1 || n.Early != 0 || f.messages(run.Work()) != 0 {
		t.Errorf("%d messages of work, counts %+v", f.messages(run.Work()), n)
	}
	f.begin() // on a busy machine, the lease may not be given back in time; then this waits for 4 s
	f.ask("q2")
	f.waiting.Wait()
	if n := f.end(true); n.Early > 1 || f.lines["q2"] != 3 {
		t.Errorf("the next session: counts %+v, %d lines", n, f.lines["q2"])
	}
}
