package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/wire"
)

// Model is one model behind an OpenAI-compatible endpoint. It is safe for concurrent use.
type Model struct {
	name      string // the model's name at the endpoint
	maxTokens int    // 0 means no limit
	endpoint  endpoints.Endpoint
	peer      *wire.Peer
	api       wire.API
}

// New returns a model; it does not use the network. The error names the wrong option.
func New(o Options) (*Model, error) {
	e := endpointOf(o)
	peer, err := wire.NewPeer(wire.Settings{
		Endpoint: e, APIKey: o.APIKey, Model: o.Model, MaxTokens: o.MaxTokens, Timeout: o.Timeout,
		Transport: o.Transport,
		API:       "an OpenAI-compatible API", Header: e.Headers, KeyIn: "Authorization: Bearer ", Example: "gpt-4o-mini",
	})
	if err == nil && e.Kind != endpoints.OpenAI {
		err = fmt.Errorf("%s is of kind %s, which this package does not support", e.Name, e.Kind)
	}
	if err != nil {
		return nil, fmt.Errorf("make OpenAI model %q: %w", o.Model, err)
	}
	m := &Model{name: o.Model, maxTokens: o.MaxTokens, endpoint: e, peer: peer}
	m.api = wire.API{Path: []string{"chat", "completions"}, Models: []string{"models"}, Encode: m.body,
		Read: func(_ model.Request, live *wire.Live) wire.Reader[model.Response] {
			return wire.Reader[model.Response]{
				Whole:    m.whole,
				Stream:   func(events io.Reader) (model.Response, error) { return m.stream(events, live) },
				Rejected: m.rejection,
			}
		}}
	return m, nil
}

// String returns the model's name in errors: endpoint:model.
func (m *Model) String() string { return m.peer.Name }

// Complete sends one request once. Every error is a *model.Error with the host, the status and an action to
// take, and never the key.
//
// Fields that the endpoint does not support (Endpoint.Omit) are omitted. If the endpoint has no response
// schemas, Complete requests any JSON object, and only the prompt describes its form. A refusal is added to
// Content. Reasoning (reasoning_content, reasoning, or thinking parts of the content) is the Thought; fields
// that Endpoint.Keep names are stored in Message.Opaque and sent back with that message. OutputTokens
// includes reasoning, even if the endpoint counts it only in the total. Without a usage in the reply, Usage
// is zero, which means unknown.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return m.complete(ctx, req, m.endpoint.Stream == endpoints.StreamAlways, nil)
}

// Stream does the same as Complete, and passes the reply's Content on as it arrives. If the stream ends
// before the reply is complete, that is a failure of the endpoint, which may be retried. A reply that is not
// a stream is passed on as a whole.
func (m *Model) Stream(ctx context.Context, req model.Request, onText func(string)) (model.Response, error) {
	return m.complete(ctx, req, m.endpoint.Stream != endpoints.StreamNever, onText)
}

func (m *Model) complete(
	ctx context.Context, req model.Request, stream bool, onText func(string),
) (model.Response, error) {
	out, err := m.peer.Complete(ctx, m.api, req, stream, onText)
	if refused, is := errors.AsType[malformedCall](err); is {
		return refused.reply(m.name), nil
	}
	return out, err
}

// The defaults of Options.
const (
	DefaultBaseURL = "https://api.openai.com/v1"
	DefaultTimeout = wire.DefaultTimeout
)

// Options are the settings of one model. Model is required.
type Options struct {
	// Endpoint describes the endpoint and names it in errors: a preset, or an entry of a configuration. The zero
	// value means an endpoint that supports the same fields as OpenAI's.
	Endpoint endpoints.Endpoint
	BaseURL  string // the URL before /chat/completions; default Endpoint's or, without one, DefaultBaseURL
	APIKey   string // sent as a bearer token unless empty
	Model    string // the model's name at the endpoint
	// MaxTokens limits a reply, including reasoning; 0 means no limit.
	MaxTokens int
	Timeout   time.Duration // limit of one call, from connecting to the last byte; default DefaultTimeout
	// Transport sends the requests; nil means a new pool for this model.
	Transport http.RoundTripper
}

// endpointOf returns the endpoint with its address and its settings for the model. An endpoint without a name
// is OpenAI's.
func endpointOf(o Options) endpoints.Endpoint {
	e := o.Endpoint
	if e.Name == "" {
		e = e.Over(endpoints.Endpoint{
			Name: "openai", AddressEnv: "OPENAI_BASE_URL", Kind: endpoints.OpenAI, BaseURL: DefaultBaseURL,
			Auth: endpoints.Auth{Env: []string{"OPENAI_API_KEY"}},
		})
	}
	e.BaseURL = cmp.Or(o.BaseURL, e.BaseURL)
	return e.Fitted(o.Model)
}
