package external_test

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// hostile are replies that need much memory for their size, each given as parts and the number of repetitions
// of one of them.
var hostile = map[string]struct {
	open, one, end string
	times          int
	want           string // a part of a guard event, or of the cause
}{
	"steps":          {`{"answer":"4","steps":[`, `{"thought":"a"},`, `{"thought":"z"}]}`, 900_000, "kept the first 10000 of 900001 steps (agent.reply.steps)"},
	"empty steps":    {`{"answer":"4","steps":[`, `{},`, `{}]}`, 1_000_000, "of 1000001 steps"},
	"documents":      {`{"answer":"4","evidence":[`, `{"id":"a_1","text":"x"},`, `{}]}`, 600_000, "kept the first 1000 of 600001 documents (agent.reply.documents)"},
	"a long message": {`{"message":"`, `aaaaaaaaaa`, ` Answer: 4"}`, 1_500_000, "1 text cut to 1024 KiB (agent.reply.text_kb)"},
	"a long thought": {`{"answer":"4","steps":[{"thought":"`, `aaaaaaaaaa`, `"}]}`, 1_500_000, "1 text cut to 1024 KiB"},
	"long observations": {`{"answer":"4","steps":[`,
		`{"action":{"name":"t","input":1},"observation":"` + strings.Repeat("b", 500_000) + `"},`, `{}]}`, 30, "texts of 4096 KiB (agent.reply.total_kb)"},
	"a long list":        {`{"answer":[`, `1,`, `1]}`, 7_000_000, "the answer is a list of more than 1024 KiB"},
	"unknown fields":     {`{`, `"x":1,`, `"y":2}`, 1_000_000, `the reply has "x", "y", and no answer, message`},
	"lines":              {``, "\n", `{"answer":"4"}`, 4_000_000, ""},
	"lines with objects": {``, "{\"a\":1}\n", `{"answer":"4"}`, 400_000, "400000 lines of the output besides the reply"},
	"nested":             {`{"answer":"4","steps":[{"thought":"a","observation":`, `[`, ``, 9_000_000, "the output has no JSON object"},
}

// TestHostileReplies reads replies of the maximum size, 32 at once, with limited memory. The parts beyond the
// limits are cut and named.
func TestHostileReplies(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector; TestWhatAnAgentGivesBack starts the same goroutines")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // GOGC may let the heap grow to several times of what is in use
	var peak uint64
	stop, sampled := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sampled)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse+m.StackInuse)
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	var running sync.WaitGroup
	for range 3 {
		for name, h := range hostile {
			running.Go(func() {
				var r recorder
				a := &external.Agent{Config: configuration(nil), Transport: &external.Command{Argv: []string{os.Args[0]}, Env: []string{"BEHAVIOUR=repeats", "HOSTILE=" + name}}}
				got := a.Run(t.Context(), task("What is 2+2?", answer.Integer, nil, &r))
				said := got.Cause
				for _, e := range r.events {
					if g, is := e.(trace.Guard); is {
						said += "\n" + g.Detail
					}
				}
				if !strings.Contains(said, h.want) {
					t.Errorf("%s: %s, %q, want %q", name, got.Outcome, said, h.want)
				}
			})
		}
	}
	running.Wait()
	close(stop)
	<-sampled
	if peak > 500<<20 {
		t.Errorf("the heap had %d MiB, want at most 500", peak>>20)
	}
	t.Logf("the heap had %d MiB at most", peak>>20)
}

// TestBoundsCanBeSet checks that the limits of the configuration apply, and that a reply within them is kept
// completely.
func TestBoundsCanBeSet(t *testing.T) {
	const reply = `{"message":"It is so [a_1]. Answer: 4","steps":[{"thought":"one"},{"thought":"two"},{"thought":"three"}],` +
		`"evidence":[{"id":"a_1","text":"4"},{"id":"a_2","text":"5"}]}`
	for name, c := range map[string]struct {
		limits config.ReplyLimits
		want   []string
	}{
		"defaults":  {config.ReplyLimits{}, nil},
		"exact":     {config.ReplyLimits{Steps: 3, Documents: 2}, nil},
		"steps":     {config.ReplyLimits{Steps: 2}, []string{"kept the first 2 of 3 steps (agent.reply.steps)"}},
		"documents": {config.ReplyLimits{Documents: 1}, []string{"kept the first 1 of 2 documents (agent.reply.documents)"}},
	} {
		var r recorder
		conf := configuration(nil)
		conf.Agent.External.Reply = c.limits
		a := &external.Agent{Config: conf, Transport: &external.Command{Argv: []string{os.Args[0]}, Env: []string{"BEHAVIOUR=prints", "OUTPUT=" + reply}}}
		got := a.Run(t.Context(), task("What is 2+2?", answer.Integer, nil, &r))
		if got.Answer != "4" || got.Steps != 3 {
			t.Errorf("%s: answer %q, %d steps", name, got.Answer, got.Steps)
		}
		var cut []string
		for _, e := range r.events {
			if g, is := e.(trace.Guard); is && g.Decision == "cut" {
				cut = append(cut, g.Detail)
			}
		}
		if fmt.Sprint(cut) != fmt.Sprint(c.want) {
			t.Errorf("%s: cut %q, want %q", name, cut, c.want)
		}
	}
}
