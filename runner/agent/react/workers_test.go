package react_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// tool_workers limits the concurrent calls of a turn. The record has the calls in their order, whichever ends
// first.
func TestToolWorkers(t *testing.T) {
	for workers, want := range map[int]time.Duration{1: 21 * time.Second, 2: 12 * time.Second, 0: 7 * time.Second} { // 0 means 5
		synctest.Test(t, func(t *testing.T) {
			slow := fakeTool{name: "slow", evidence: true, call: func(ctx context.Context, text string) (tool.Output, error) {
				seconds, err := time.ParseDuration(text)
				if err != nil {
					return tool.Output{}, err
				}
				time.Sleep(seconds)
				return tool.Output{Documents: []trace.Document{{Backend: "corpus", Ref: text}}}, nil
			}}
			a := newAgent(t, slow)
			a.Config.Plan.Workers, a.Config.Guards = workers, []string{config.GuardCalls}
			var calls []model.ToolCall
			var names []string
			for n := 6; n >= 1; n-- {
				calls = append(calls, call(fmt.Sprint("c", n), "slow", fmt.Sprintf(`{"text":"%ds"}`, n)))
				names = append(names, fmt.Sprintf("c%d corpus_%d %ds", n, 7-n, n))
			}
			begin := time.Now()
			p := play(t, t.Context(), a, question("?"), use("", calls...), say("Answer: x"))
			p.ended(t, trace.Answered, trace.Final, "x")
			took := time.Since(begin)
			if workers == 1 && took != want || took > want || workers != 1 && took < 6*time.Second {
				t.Errorf("%d workers took %s, want %s at most", workers, took, want)
			}
			var got []string
			for _, e := range p.events {
				if o, ok := e.Body.(trace.Observation); ok {
					for _, d := range o.Documents {
						got = append(got, fmt.Sprintf("%s %s %s", o.CallID, d.ID, d.Ref))
					}
				}
			}
			if diff := cmp.Diff(names, got); diff != "" {
				t.Errorf("%d workers, documents (-want +got):\n%s", workers, diff)
			}
			if slices.ContainsFunc(p.events, func(e trace.Event) bool { o, ok := e.Body.(trace.Observation); return ok && o.Error != nil }) {
				t.Error("a call failed")
			}
		})
	}
}
