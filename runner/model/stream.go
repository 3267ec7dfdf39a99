package model

import "context"

// Streamer is a Model that can also report its reply while it arrives.
type Streamer interface {
	Model
	// Stream answers like Complete. Meanwhile onText gets the pieces of the reply's Content
	// in order, never two at once; together they are the Content of the Response. After an
	// error, they are the beginning of an incomplete reply.
	Stream(ctx context.Context, req Request, onText func(string)) (Response, error)
}

// Stream asks m and passes the reply's Content to onText: in pieces if m is a Streamer,
// else at once.
func Stream(ctx context.Context, m Model, req Request, onText func(string)) (Response, error) {
	if s, ok := m.(Streamer); ok {
		return s.Stream(ctx, req, onText)
	}
	resp, err := m.Complete(ctx, req)
	if err == nil && resp.Message.Content != "" {
		onText(resp.Message.Content)
	}
	return resp, err
}

// Watch gives a Model that answers like m and passes every reply's Content to onText. Put
// decorators that repeat calls around it: onText then gets every attempt.
func Watch(m Model, onText func(string)) Model { return watchedModel{m, onText} }

type watchedModel struct {
	inner  Model
	onText func(string)
}

func (w watchedModel) Complete(ctx context.Context, req Request) (Response, error) {
	return Stream(ctx, w.inner, req, w.onText)
}
