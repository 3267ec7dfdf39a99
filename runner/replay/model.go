package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
)

// Model answers from a recording. Do not wrap it in a retrying decorator: the recording has only the result
// of the last try.
type Model struct {
	Recording *Recording
	Name      string      // the configured name, for errors
	Missing   model.Model // answers requests that are not in the recording; nil makes them an error
}

// Complete returns the recorded reply to a request: a response, or an error of the same kind and text. For a
// request that differs it returns a *Difference. For a request that is not in the recording, or that was
// cancelled or over budget there, it returns an *Unrecorded. Both are wrapped in a *model.Error of kind
// bad_request, which does not count against the agent.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, &model.Error{Kind: model.KindOf(err), Model: m.Name, Err: err}
	}
	x, err := m.Recording.find(req)
	left := StoppedBy(err)
	_, unrecorded := left.(*Unrecorded)
	switch {
	case unrecorded && m.Missing != nil:
		return m.Missing.Complete(ctx, req)
	case left != nil:
		return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: m.Name, Err: err}
	case err != nil:
		return model.Response{}, &model.Error{Kind: model.ErrUnavailable, Model: m.Name, Err: err}
	case x.Error != nil:
		return model.Response{}, failure(x)
	default:
		return model.Response{Message: *x.Response, Finish: model.FinishReason(*x.Finish), Usage: *x.Usage,
			Model: *x.Model, Attempts: x.Attempts, Sent: x.Sent}, nil
	}
}

// failure restores a recorded error with its kind and text.
func failure(x *exchange) error {
	e := &model.Error{Kind: model.ErrUnavailable, Err: errors.New(*x.Error), Attempts: x.Attempts}
	if x.ErrorKind != nil {
		e.Kind = *x.ErrorKind
	}
	return textError{*x.Error, e}
}

// textError is an error with a recorded text.
type textError struct {
	text string
	err  *model.Error
}

func (w textError) Error() string { return w.text }
func (w textError) Unwrap() error { return w.err }

// StoppedBy returns the *Difference or *Unrecorded in err; nil if err has neither.
func StoppedBy(err error) error {
	if d, ok := errors.AsType[*Difference](err); ok {
		return d
	}
	if u, ok := errors.AsType[*Unrecorded](err); ok {
		return u
	}
	return nil
}

// dialogue has the exchanges of one conversation, in recorded order.
type dialogue struct {
	mu      sync.Mutex
	entries []entry
}

type entry struct {
	step     int
	exchange *exchange // nil after it was used
}

// exchange is a recorded exchange with all messages of its request.
type exchange struct {
	store.Exchange
	messages []model.Message
}

// take returns the first exchange of a step that was not used yet. If there is no such exchange, why is the
// reason. If several requests have the same identity, the nth request gets the nth reply.
func (d *dialogue) take(step int) (x *exchange, why string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	recorded := 0
	for i := range d.entries {
		e := &d.entries[i]
		if e.step != step {
			continue
		}
		if recorded++; e.exchange != nil {
			x, e.exchange = e.exchange, nil
			return x, ""
		}
	}
	if recorded > 0 {
		return nil, fmt.Sprintf("the recording has only %d requests of this step", recorded)
	}
	return nil, fmt.Sprintf("the recording has %d exchanges of the conversation, but not this step", len(d.entries))
}

// readDialogues reads the conversations of a trace. A recording stores each message once, so readDialogues
// builds each request from all earlier exchanges.
func (r *Recording) readDialogues(of model.Identity) (map[model.Identity]*dialogue, error) {
	exchanges, err := r.source.Exchanges(of)
	if err != nil {
		return nil, err
	}
	out, before := map[model.Identity]*dialogue{}, map[model.Identity][]model.Message{}
	for _, x := range exchanges {
		if r.forgets(x.Query, x.Purpose) {
			continue
		}
		id := x.Identity.Conversation()
		if out[id] == nil {
			out[id] = &dialogue{}
		}
		if x.Kept < len(before[id]) {
			before[id] = slices.Clone(before[id]) // copied, because earlier requests keep the replaced messages
		}
		var messages []model.Message
		if messages, before[id], err = x.Conversation(before[id]); err != nil {
			return nil, err
		}
		out[id].entries = append(out[id].entries, entry{x.Step, &exchange{x, messages}})
	}
	return out, nil
}

// find returns the exchange that a request repeats, or an *Unrecorded, a *Difference or a read error.
func (r *Recording) find(req model.Request) (*exchange, error) {
	id := req.Identity
	what := fmt.Sprintf("exchange of %s trace %d step %d (%s, by %s)", id.Query, id.Trace, id.Step,
		id.Purpose, id.Agent)
	dialogues, err := loadOnce(&r.dialogues, id.OfTrace(), r.readDialogues)
	if err != nil {
		return nil, fmt.Errorf("read recorded %s: %w", what, err)
	}
	d := dialogues[id.Conversation()]
	if d == nil {
		return nil, &Unrecorded{what, r.reason(id)}
	}
	x, why := d.take(id.Step)
	if why != "" {
		return nil, &Unrecorded{what, why}
	}
	whole := x.Response != nil && x.Finish != nil && x.Usage != nil && x.Model != nil
	if whole == (x.Error != nil) || x.RequestSettings == nil {
		return nil, fmt.Errorf("read recorded %s: it must have either a complete response or an error: the "+
			"recording is damaged", what)
	}
	// The recorded run was stopped.
	if kind := x.ErrorKind; kind != nil && (*kind == model.ErrCancelled || *kind == model.ErrBudget) {
		return nil, &Unrecorded{what, "the recording was stopped before the reply"}
	}
	if diff := difference(x, req); len(diff.Fields) > 0 {
		diff.What = what
		return nil, diff
	}
	return x, nil
}
