package openai

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// Model is one model behind an OpenAI-compatible endpoint. It is safe for concurrent use.
type Model struct {
	name     string // of the model, as the endpoint knows it
	endpoint endpoints.Endpoint
	peer     *wire.Peer
	write    writer
	http     *http.Client
}

// New makes a model without using the network. The error names the wrong option.
func New(o Options) (*Model, error) {
	s, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("make OpenAI model %q: %w", o.Model, err)
	}
	return &Model{
		name: s.Model, endpoint: s.Endpoint,
		peer: &wire.Peer{
			Model: s.Endpoint.Name + ":" + s.Model, Base: s.base, Setting: s.Endpoint.AddressHint(), API: "an OpenAI-compatible API",
			Key: wire.NewKey(s.APIKey), KeyHint: s.Endpoint.KeyHint(), Timeout: s.Timeout,
		},
		write: writer{name: s.Model, maxTokens: s.MaxTokens, endpoint: s.Endpoint, extra: s.extra},
		http:  wire.Client(s.Transport),
	}, nil
}

// String is the model's name in errors: that of the endpoint, a colon, and the model's.
func (m *Model) String() string { return m.peer.Model }

// Complete sends one request once. Every error is a *model.Error that names the host,
// the status and a way out, and never the key.
//
// Fields that the endpoint does not support (Endpoint.Omit) are left out. A tool message
// without content is sent as "(no output)", because some endpoints refuse an empty one. A
// conversation in which a call is not followed by exactly one tool message is refused without
// sending it. An endpoint without response schemas is asked for a JSON object, whose form only
// the prompt describes.
//
// A refusal beside the content is added to Content, and the finish reason is stop. Reasoning
// (reasoning_content, reasoning, or thinking parts of the content) is the Thought; the fields
// in Endpoint.Keep are kept in Message.Opaque and sent back with that message. Arguments of
// tool calls are unchanged; if they arrive as JSON instead of a string, they become its text,
// and null becomes "".
//
// OutputTokens includes reasoning, even if the endpoint counts it only in the total. Without a
// usage in the reply, Usage is zero, which means unknown.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return m.call(ctx, req, m.endpoint.Stream == endpoints.StreamAlways, nil)
}

// Stream is Complete with the reply's Content passed on as it arrives. A stream that ends
// before the reply is complete is a failure of the endpoint, which may be retried. A reply
// in one piece is passed on once.
func (m *Model) Stream(ctx context.Context, req model.Request, onText func(string)) (model.Response, error) {
	live := wire.NewLive(m.peer.Key, onText)
	r, err := m.call(ctx, req, m.endpoint.Stream != endpoints.StreamNever, live)
	if err == nil {
		live.Rest(r.Message.Content)
	}
	return r, err
}

func (m *Model) call(ctx context.Context, req model.Request, stream bool, live *wire.Live) (model.Response, error) {
	body, err := m.write.body(req, stream)
	if err != nil {
		return model.Response{}, m.peer.Fail(model.ErrBadRequest, "encode request: "+err.Error(), nil)
	}
	ctx, cancel := context.WithTimeout(ctx, m.peer.Timeout)
	defer cancel()
	return wire.Exchange(ctx, m.peer, wire.Request{
		Client: m.http, Path: []string{"chat", "completions"}, Header: m.header(), Body: body, Stream: stream,
	}, wire.Reader[model.Response]{
		Whole:    m.whole,
		Stream:   func(events io.Reader) (model.Response, error) { return m.stream(events, live) },
		Rejected: m.rejection,
	})
}
