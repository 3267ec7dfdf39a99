package limit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

// Timeout ends a call that takes too long, with kind timeout.
type Timeout struct {
	Name  string // provider:model, as errors name it
	Model model.Model
	After time.Duration // 0 is no limit
}

// Complete asks the model within the time.
func (t *Timeout) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if t.After <= 0 {
		return t.Model.Complete(ctx, req)
	}
	inner, cancel := context.WithTimeout(ctx, t.After)
	defer cancel()
	resp, err := t.Model.Complete(inner, req)
	if err != nil && ctx.Err() == nil && errors.Is(inner.Err(), context.DeadlineExceeded) {
		return model.Response{}, &model.Error{Kind: model.ErrTimeout, Model: t.Name, Err: fmt.Errorf(
			"no reply within the %v that one request may take; allow more time, or ask for less: %w", t.After, err)}
	}
	return resp, err
}
