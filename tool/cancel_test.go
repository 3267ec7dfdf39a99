package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/limit"
	"github.com/seed-5817661a/concur/tool"
)

// TestInterruptedCalls checks that a call that its caller cancelled is not a failure of the backend, whether
// the tool ends with ctx, ignores ctx, or returns its own error first.
func TestInterruptedCalls(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for name, wait := range map[string]func(ctx context.Context) error{
		"polite": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		"blaming": func(ctx context.Context) error {
			<-ctx.Done()
			return &tool.BackendError{Kind: "upstream", Err: ctx.Err()}
		},
		"rude":  func(context.Context) error { <-release; return nil },
		"quick": func(context.Context) error { return errors.New("no such thing") },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			r, err := tool.New(named("waits", noArguments, func(ctx context.Context, _ json.RawMessage) (tool.Output, error) {
				cancel()
				return tool.Output{}, wait(ctx)
			}))
			if err != nil {
				t.Fatal(err)
			}
			res := r.Invoke(ctx, model.ToolCall{Name: "waits"}, time.Minute)
			if res.Error != "ERROR: cancelled(waits)" || res.Failure != tool.CallerFailure || res.Kind != tool.Cancelled || limit.ToolSpoke(res) {
				t.Errorf("%+v", res)
			}
		})
	}
}

func TestACancelledCallIsObservedAgain(t *testing.T) {
	var e *tool.ObservedError
	if err := tool.Observed("ERROR: cancelled(x)", tool.Cancelled); !errors.As(err, &e) || e.Failure != tool.CallerFailure {
		t.Errorf("%+v", err)
	}
}
