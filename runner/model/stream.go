package model

import "context"

// Streamer is a Model that can also tell what its reply says while it is being written.
type Streamer interface {
	Model
	// Stream answers like Complete. Meanwhile onText gets the pieces of the reply's
	// Content, one after another and never two at once; together they are the Content of
	// the Response. Where an error comes back, what was told is the beginning of a reply
	// that did not arrive.
	Stream(ctx context.Context, req Request, onText func(string)) (Response, error)
}

// Stream asks m, and tells onText what the reply says: piece by piece where m is a
// Streamer, else once it is there.
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

// Watch gives a Model that answers as m does and tells onText of every reply. Decorators
// that repeat calls go around it: onText then hears every attempt.
func Watch(m Model, onText func(string)) Model { return watched{m, onText} }

type watched struct {
	inner  Model
	onText func(string)
}

func (w watched) Complete(ctx context.Context, req Request) (Response, error) {
	return Stream(ctx, w.inner, req, w.onText)
}
