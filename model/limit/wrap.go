package limit

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/model"
)

// Endpoint has the limits that all models with the same address and key share. A nil field means no limit.
type Endpoint struct {
	Rate *Rate
	// Permit replaces Rate if other processes send requests, too. It waits until a request with this estimated number of
	// tokens may be sent, and returns an error only if the context is done.
	Permit      func(ctx context.Context, tokens int) error
	Concurrency *Concurrency
	Circuit     *Circuit
}

// Options are the limits of one model.
type Options struct {
	Name     string   // provider:model, for errors
	Endpoint Endpoint // shared with the other models of the endpoint
	Retry    Retry    // Wrap sets its Name and Model
	Budget   *Budget  // shared with the other models of the run; may be nil
	// Price returns the cost of a usage of this model in USD; nil means unknown, which a Budget in USD does
	// not accept.
	Price func(model.Usage) float64
}

// Wrap returns a model with its limits, in the order of the package documentation. It returns an error if the
// budget needs a price and the model's price is unknown.
func Wrap(m model.Model, o Options) (model.Model, error) {
	e := o.Endpoint
	if e.Rate != nil {
		m = e.Rate.Wrap(o.Name, m)
	}
	if e.Permit != nil {
		m = permitted(o.Name, m, e.Permit)
	}
	if e.Concurrency != nil {
		m = e.Concurrency.Wrap(o.Name, m)
	}
	if e.Circuit != nil {
		m = e.Circuit.Watch(o.Name, m)
	}
	retry := o.Retry
	retry.Name, retry.Model = o.Name, m
	m = &retry
	if e.Circuit != nil {
		m = e.Circuit.Guard(o.Name, m)
	}
	if o.Budget == nil {
		return m, nil
	}
	return o.Budget.Wrap(o.Name, m, o.Price)
}

// permitted returns a model whose calls wait for permits.
func permitted(name string, m model.Model, permit func(context.Context, int) error) model.Model {
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		if permit(ctx, total(estimate(req, 0))) != nil {
			return model.Response{}, waitError(ctx, name, "limits.rpm and limits.tpm")
		}
		return m.Complete(ctx, req)
	})
}

// complete is a Model that is a function.
type complete func(context.Context, model.Request) (model.Response, error)

func (f complete) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

// waitError returns the error of a call whose ctx ended during a wait.
func waitError(ctx context.Context, name, what string) error {
	return &model.Error{Kind: model.KindOf(ctx.Err()), Model: name,
		Err: fmt.Errorf("wait for %s: %w", what, context.Cause(ctx))}
}

// asError returns a failure as a new *model.Error, which the caller may change.
func asError(name string, err error) *model.Error {
	if e, ok := err.(*model.Error); ok { // taking a wrapped error would lose the text around it
		own := *e
		if own.Err == nil {
			own.Err = errors.New("no cause was given")
		}
		return &own
	}
	own := &model.Error{Kind: model.KindOf(err), Model: name, Err: err}
	if e, ok := errors.AsType[*model.Error](err); ok {
		own.RetryAfter, own.Attempts, own.Waited = e.RetryAfter, e.Attempts, e.Waited
	}
	return own
}
