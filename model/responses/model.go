package responses

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/wire"
)

// Model is one model behind a Responses API. It is safe for concurrent use.
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
		Endpoint: e, APIKey: o.APIKey, Model: o.Model, MaxTokens: o.MaxTokens, Timeout: o.Timeout, Transport: o.Transport,
		API: "an API that speaks OpenAI Responses", Header: e.Headers, KeyIn: "Authorization: Bearer ", Example: "gpt-5-mini",
	})
	if err == nil && e.Kind != endpoints.Responses {
		err = fmt.Errorf("%s is of kind %s, which this package does not support", e.Name, e.Kind)
	}
	if err != nil {
		return nil, fmt.Errorf("make Responses model %q: %w", o.Model, err)
	}
	m := &Model{name: o.Model, maxTokens: o.MaxTokens, endpoint: e, peer: peer}
	m.api = wire.API{Path: []string{"responses"}, Models: []string{"models"}, Encode: m.body, Read: m.reader}
	return m, nil
}

// String returns the model's name in errors: endpoint:model.
func (m *Model) String() string { return m.peer.Name }

// Complete sends one request once. Every error is a *model.Error with the host, the status and an action to
// take, and never the key.
//
// The Content is the text of the messages of phase final_answer, or of all messages if no message has that
// phase. Messages of phase commentary are Thought, like summaries and texts of reasoning. A refusal is
// Content with the finish reason content_filter. All items of a reply are kept in Message.Opaque and sent
// back unchanged with that message. If a caller has changed the message, the changed text or call replaces
// its item, and the other items are unchanged.
//
// The API has no seed and no stop sequences: a seed is sent only if the endpoint's SeedField names a field
// for it, and the Content is cut at the first stop sequence after it has arrived. Settings that have other
// names in chat completions (reasoning_effort, verbosity, response_format) are converted to this API. If a
// model refuses to send encrypted reasoning, the request is sent once more without asking for it.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return m.peer.Complete(ctx, m.api, req, m.endpoint.Stream == endpoints.StreamAlways, nil)
}

// Stream does the same as Complete, and passes the reply's Content on as it arrives; with stop sequences, at
// the end. If the stream ends before the reply is complete, that is a failure of the endpoint, which may be
// retried.
func (m *Model) Stream(ctx context.Context, req model.Request, onText func(string)) (model.Response, error) {
	return m.peer.Complete(ctx, m.api, req, m.endpoint.Stream != endpoints.StreamNever, onText)
}

func (m *Model) reader(req model.Request, live *wire.Live) wire.Reader[model.Response] {
	if len(req.Stop) > 0 {
		live = nil // the content is known only at the end
	}
	return wire.Reader[model.Response]{
		Whole: func(r wire.Reply) (model.Response, error) { return m.whole(r, req.Stop) },
		Stream: func(events io.Reader) (model.Response, error) {
			in, err := readStream(events, live)
			if err != nil {
				return model.Response{}, err
			}
			return m.decode(in, req.Stop)
		},
		Rejected: m.rejection,
	}
}

// The defaults of Options.
const (
	DefaultBaseURL = "https://api.openai.com/v1"
	DefaultTimeout = wire.DefaultTimeout
)

// Options are the settings of one model. Model is required.
type Options struct {
	// Endpoint describes the endpoint and names it in errors: an entry of a configuration, merged with its
	// preset if there is one. The zero value means OpenAI's endpoint.
	Endpoint endpoints.Endpoint
	BaseURL  string // the URL before /responses; default Endpoint's or, without one, DefaultBaseURL
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
			Name: "openai", AddressEnv: "OPENAI_BASE_URL", Kind: endpoints.Responses, BaseURL: DefaultBaseURL,
			Auth: endpoints.Auth{Env: []string{"OPENAI_API_KEY"}},
		})
	}
	e.BaseURL = cmp.Or(o.BaseURL, e.BaseURL)
	return e.Fitted(o.Model)
}
