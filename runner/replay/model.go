package replay

import (
	"context"
	"errors"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
)

// Model answers from a recording. No retrying decorator may wrap it: the recording has the
// result of all tries, so a further try would not be found.
type Model struct {
	Recording *Recording
	Name      string      // the model as configured, for errors
	Missing   model.Model // answers requests that are not in the recording; nil makes them an error
}

// Complete gives the recorded reply to a request: a response, or an error of the same kind and text. A request that
// differs is a *Difference; one that is not in the recording, or was cancelled or out of budget there, an
// *Unrecorded. Both are wrapped in a *model.Error of kind bad_request, which does not count against the agent.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, &model.Error{Kind: model.KindOf(err), Model: m.Name, Err: err}
	}
	x, err := m.Recording.find(req)
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

// failure restores a recorded error with its kind and text.
func failure(x store.Exchange) error {
	e := &model.Error{Kind: model.ErrUnavailable, Err: errors.New(*x.Error), Attempts: x.Attempts}
	if x.ErrorKind != nil {
		e.Kind = *x.ErrorKind
	}
	if rest, ok := strings.CutPrefix(*x.Error, "call "); ok { // the text of a model.Error begins so
		if name, cause, ok := strings.Cut(rest, ": "+string(e.Kind)+": "); ok {
			e.Model, e.Err = name, errors.New(cause)
			return e
		}
	}
	return textError{*x.Error, e}
}

// textError is a model's error whose text was changed before it was recorded.
type textError struct {
	text string
	err  *model.Error
}

func (w textError) Error() string { return w.text }
func (w textError) Unwrap() error { return w.err }

// Left is the *Difference or *Unrecorded because of which a replay cannot go on; nil if it can.
func Left(err error) error {
	if d, ok := errors.AsType[*Difference](err); ok {
		return d
	}
	if u, ok := errors.AsType[*Unrecorded](err); ok {
		return u
	}
	return nil
}
