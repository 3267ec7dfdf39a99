package tool_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
)

// TestOwnDeadline checks that a tool that limits its calls itself gets the time limit, and that only its
// caller can end it. Any other tool is ended when the time has passed.
func TestOwnDeadline(t *testing.T) {
	const timeout = time.Second
	slow := func(own bool) fake {
		f := named("slow", noArguments, func(ctx context.Context, _ json.RawMessage) (tool.Output, error) {
			told, invoked := tool.TimeoutOf(ctx)
			if _, deadline := ctx.Deadline(); told != timeout || !invoked || deadline == own {
				t.Errorf("told of %v (%t), deadline %t", told, invoked, deadline)
			}
			time.Sleep(time.Minute) // ignores its context
			return tool.Output{}, nil
		})
		f.spec.OwnDeadline = own
		return f
	}
	for _, c := range []struct {
		own    bool
		cancel time.Duration // 0 means never
		kind   string
		took   time.Duration
	}{
		{own: false, kind: "timeout", took: timeout},
		{own: true, kind: "", took: time.Minute},
		{own: true, cancel: 2 * time.Second, kind: tool.Cancelled, took: 2 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, err := tool.New(slow(c.own))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			if c.cancel > 0 {
				time.AfterFunc(c.cancel, cancel)
			}
			defer cancel()
			res := r.Invoke(ctx, model.ToolCall{Name: "slow"}, timeout)
			if res.Kind != c.kind || res.Duration != c.took {
				t.Errorf("%+v: %q after %v", c, res.Kind, res.Duration)
			}
			time.Sleep(time.Minute) // until the call that was left running has ended
		})
	}
	if _, invoked := tool.TimeoutOf(t.Context()); invoked {
		t.Error("a time for no call")
	}
}
