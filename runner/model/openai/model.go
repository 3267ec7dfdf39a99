package openai

import (
	"context"
	"fmt"
	"io"
	"maps"
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

// New makes a model. It touches no network. The error says which option is wrong.
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

// String is the name under which errors speak of the model: that of the endpoint, a colon,
// and the model's.
func (m *Model) String() string { return m.peer.Model }

// Complete sends one request once. Every error is a *model.Error that names the host,
// the status and a way out, and never the key.
//
// What the endpoint does not understand (Endpoint.Omit) is left out. A tool message
// without content is sent as "(no output)", since some endpoints refuse an empty one. A
// conversation in which a call is not answered by exactly one tool message, before anybody
// else speaks, is refused unsent. An endpoint that knows no response schema is asked for a
// JSON object: its form then rests on the prompt.
//
// A refusal beside the content is the agent's own answer: it stands in Content, and the
// reason to finish is stop. Reasoning (reasoning_content, reasoning, or parts of the
// content that are thinking) is the Thought; the fields that Endpoint.Keep names are kept
// in Message.Opaque and sent back with that message. Arguments of tool calls are passed on
// as the model wrote them; where they arrive as JSON rather than text, they become its
// text, and null becomes the empty text.
//
// OutputTokens holds the reasoning, also where an endpoint counts it in the total alone.
// Where a reply tells no usage, Usage is zero, which is unknown.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return m.call(ctx, req, m.endpoint.Stream == endpoints.StreamAlways, nil)
}

// Stream is Complete with the reply's Content told while it comes. A stream that ends
// before the reply is complete is a failure of the endpoint, which may be asked again. An
// endpoint that does not stream, or answers in one piece all the same, is told once.
func (m *Model) Stream(ctx context.Context, req model.Request, onText func(string)) (model.Response, error) {
	told := wire.NewLive(m.peer.Key, onText)
	r, err := m.call(ctx, req, m.endpoint.Stream != endpoints.StreamNever, told)
	if err == nil {
		told.Rest(r.Message.Content)
	}
	return r, err
}

func (m *Model) call(ctx context.Context, req model.Request, stream bool, told *wire.Live) (model.Response, error) {
	body, err := m.write.body(req, stream)
	if err != nil {
		return model.Response{}, m.peer.Fail(model.ErrBadRequest, "encode request: "+err.Error(), nil)
	}
	ctx, cancel := context.WithTimeout(ctx, m.peer.Timeout)
	defer cancel()
	header := maps.Clone(m.endpoint.Headers)
	if key, _ := m.peer.Key(); key != "" {
		if header == nil {
			header = map[string]string{}
		}
		header["Authorization"] = "Bearer " + key
	}
	return wire.Exchange(ctx, m.peer, wire.Request{
		Client: m.http, Path: []string{"chat", "completions"}, Header: header, Body: body, Stream: stream,
	}, wire.Reader[model.Response]{
		Whole:    m.whole,
		Stream:   func(events io.Reader) (model.Response, error) { return m.stream(events, told) },
		Rejected: m.rejected,
	})
}
