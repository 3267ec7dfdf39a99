package replay

import (
	"context"
	"errors"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
)

// Model answers as a recording says. Nothing may stand between it and whoever records:
// the recording has the result of all tries, so that one more try asks for what is not there.
type Model struct {
	Recorded *Recording
	Name     string      // the model as configured, for errors
	Missing  model.Model // is asked for what the recording does not hold; nil makes that an error
}

// Complete gives the recorded answer of a request: a response, or an error of the same
// kind and text. A request that is not the recorded one is a *Difference, one that the
// recording does not hold, or holds as cancelled or out of budget, an *Unrecorded; both
// come within a *model.Error of kind bad_request, which is never held against the agent.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, &model.Error{Kind: model.KindOf(err), Model: m.Name, Err: err}
	}
	x, err := m.Recorded.find(req)
	_, unrecorded := errors.AsType[*Unrecorded](err)
	_, different := errors.AsType[*Difference](err)
	switch {
	case unrecorded && m.Missing != nil:
		return m.Missing.Complete(ctx, req)
	case unrecorded, different:
		return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: m.Name, Err: err}
	case err != nil:
		return model.Response{}, &model.Error{Kind: model.ErrUnavailable, Model: m.Name, Err: err}
	case x.Error != nil:
		return model.Response{}, failure(x)
	default:
		return model.Response{Message: *x.Response, Finish: model.FinishReason(*x.Finish), Usage: *x.Usage, Model: *x.Model, Attempts: x.Attempts}, nil
	}
}

// failure is a recorded error with its kind and text.
func failure(x store.Exchange) error {
	e := &model.Error{Kind: model.ErrUnavailable, Err: errors.New(*x.Error), Attempts: x.Attempts}
	if x.ErrorKind != nil {
		e.Kind = *x.ErrorKind
	}
	if rest, ok := strings.CutPrefix(*x.Error, "call "); ok { // so begins the text of a model.Error itself
		if name, cause, ok := strings.Cut(rest, ": "+string(e.Kind)+": "); ok {
			e.Model, e.Err = name, errors.New(cause)
			return e
		}
	}
	return wrapped{*x.Error, e}
}

// wrapped is a model's error whose text was changed on its way into the recording.
type wrapped struct {
	text string
	err  *model.Error
}

func (w wrapped) Error() string { return w.text }
func (w wrapped) Unwrap() error { return w.err }

// Left is why a replay cannot go on, a *Difference or an *Unrecorded; nil where it can.
func Left(err error) error {
	if d, ok := errors.AsType[*Difference](err); ok {
		return d
	}
	if u, ok := errors.AsType[*Unrecorded](err); ok {
		return u
	}
	return nil
}
