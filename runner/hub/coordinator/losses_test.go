package coordinator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/hub/coordinator"
)

// A trace with which workers disappear runs alone in the third, and ends as infra with it: no fourth worker begins it.
// That a worker is lost is known one AckWait after another got the trace, and the coordinator waits for this once.
func TestLosses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.ask("q1")
	f.until("the trace is asked for", func() bool { return f.messages(run.Work()) == 1 })
	replaced, err := f.link.Conn.SubscribeSync(run.WorkSubject(job("q1")))
	if err != nil {
		t.Fatal(err)
	}
	if a := f.asks("w1"); len(a.Losses) != 0 || a.Wait || a.Done {
		t.Errorf("the first worker: %+v", a)
	}
	f.begins("w1", false)
	if a := f.asks("w2"); fmt.Sprint(a.Losses) != "[w1]" || a.Wait {
		t.Errorf("the second worker: %+v", a)
	}
	f.begins("w2", false)
	if a := f.asks("w3"); fmt.Sprint(a.Losses) != "[w1 w2]" || a.Wait {
		t.Errorf("the third worker: %+v", a)
	}
	f.begins("w3", true)
	for _, worker := range []string{"w4", "w5"} {
		if a := f.asks(worker); !a.Wait && !a.Done { // done if this machine is slow
			t.Errorf("%s: %+v", worker, a)
		}
	}
	f.waiting.Wait()
	if cause, want := f.causes["q1"], "lost by 3 workers: w1, w2, w3"; cause != want {
		t.Errorf("cause %q, want %q", cause, want)
	}
	if a := f.asks("w6"); !a.Done {
		t.Errorf("after the end of the trace: %+v", a)
	}
	f.until("the trace is no longer asked for", func() bool { return f.messages(run.Work()) == 0 })
	if n, _, _ := replaced.Pending(); n != 0 {
		t.Errorf("the trace was asked for again %d times: the next worker would begin it without a question", n)
	}
	if n := f.end(true); n.Infra != 1 || n.Losses != 3 {
		t.Errorf("counts %+v", n)
	}
}

// Without a limit of losses, a trace also runs alone after two of them, for the sake of the traces beside it. It never
// ends as infra.
func TestNoLimitOfLosses(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *coordinator.Options) { o.Losses = 0 })
	f.ask("q1")
	f.until("the trace is asked for", func() bool { return f.messages(run.Work()) == 1 })
	f.begins("w1", false)
	f.begins("w2", false)
	f.begins("w3", false)
	f.until("it must run alone", func() bool { return f.work().Alone() })
	for i := 4; i < 8; i++ {
		worker := fmt.Sprint("w", i)
		if a := f.asks(worker); a.Wait || len(a.Losses) < 3 {
			t.Errorf("%s: %+v", worker, a)
		}
		f.begins(worker, true)
	}
	f.send(f.parts(delivery("q1", 10))...)
	f.waiting.Wait()
	if n := f.end(true); n.Infra != 0 {
		t.Errorf("counts %+v", n)
	}
}

// Workers that begin a trace without an answer of the coordinator, which may be starting again, are lost as well.
func TestLossesWithoutAdvice(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.ask("q1")
	f.until("the trace is asked for", func() bool { return f.messages(run.Work()) == 1 })
	f.begins("w1", false)
	f.begins("w2", false)
	f.begins("w3", false)
	f.until("it must run alone", func() bool { return f.work().Alone() })
	if names := fmt.Sprint(f.work().Losses); !strings.Contains(names, "w1") || !strings.Contains(names, "w2") {
		t.Errorf("losses %s", names)
	}
	f.begins("w4", true) // w3 disappears, which did not run it alone
	f.begins("w5", true) // w4 disappears
	f.waiting.Wait()
	if cause := f.causes["q1"]; !strings.HasPrefix(cause, "lost by ") || !strings.Contains(cause, "w4") {
		t.Errorf("cause %q", cause)
	}
	f.until("the trace is no longer asked for", func() bool { return f.messages(run.Work()) == 0 })
	if n := f.end(true); n.Infra != 1 || n.Losses < 3 {
		t.Errorf("counts %+v", n)
	}
}
