package replay

import (
	"context"
	"errors"

	"github.com/seed-5817661a/concur/runner/model"
)

// Model answers as a recording says. Nothing may stand between it and whoever records:
// the recording has what came of all tries, so that one more try asks for what is not there.
type Model struct {
	Recorded *Recording
	// Name is the model as configured; it stands in errors.
	Name string
	// Missing is asked for what the recording does not hold; nil makes that an error.
	Missing model.Model
	// OnMissing is told of every request that goes to Missing; nil tells no one. It must
	// not block for long, and calls may come side by side.
	OnMissing func(model.Identity)
}

// Complete gives the recorded answer of a request: a response, or an error of the same
// kind and text. A request that is not the recorded one is a *Difference, one that the
// recording does not hold, or holds as cancelled or out of budget, an *Unrecorded; both
// come within a *model.Error of kind bad_request, which is never held against the agent.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, &model.Error{Kind: model.KindOf(err), Model: m.Name, Err: err}
	}
	x, err := m.Recorded.answer(req)
	if _, unrecorded := errors.AsType[*Unrecorded](err); unrecorded {
		return m.missing(ctx, req, err)
	}
	switch {
	case isDifference(err):
		return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: m.Name, Err: err}
	case err != nil:
		return model.Response{}, &model.Error{Kind: model.ErrUnavailable, Model: m.Name, Err: err}
	case x.Failure != nil:
		return model.Response{}, x.Failure.err()
	default:
		return *x.Response, nil
	}
}

func (m *Model) missing(ctx context.Context, req model.Request, err error) (model.Response, error) {
	if m.Missing == nil {
		m.Recorded.unrecorded.Add(1)
		return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: m.Name, Err: err}
	}
	m.Recorded.asked.Add(1)
	if m.OnMissing != nil {
		m.OnMissing(req.Identity)
	}
	return m.Missing.Complete(ctx, req)
}
