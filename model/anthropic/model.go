package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/wire"
)

// apiVersion is the version of the API that this package uses.
const apiVersion = "2023-06-01"

// Model is one model behind a Messages API. It is safe for concurrent use.
type Model struct {
	peer    *wire.Peer
	options Options // without the key
	api     wire.API
}

// New returns a model; it does not use the network. The error names the wrong option.
func New(o Options) (*Model, error) {
	peer, err := o.peer()
	if err != nil {
		return nil, fmt.Errorf("make Anthropic model %q: %w", o.Model, err)
	}
	o.APIKey = "" // remove the key, because a Model may be printed
	m := &Model{peer: peer, options: o}
	m.api = wire.API{
		Path:   []string{"v1", "messages"},
		Models: []string{"v1", "models"},
		Encode: func(req model.Request, stream bool) ([]byte, error) { return encode(o, req, stream) },
		Read:   m.reader,
	}
	return m, nil
}

// String returns the model's name in errors.
func (m *Model) String() string { return m.peer.Name }

// Complete sends one request once. Every error is a *model.Error with the host, the status and an action to
// take, and never the key.
//
// The seed is not sent, a temperature above 1 is sent as 1, system messages are moved to the front, and blank
// texts are omitted. A call whose arguments are not a JSON object is sent back as {"arguments": "<the model's
// text>"}. A Schema is sent as a tool whose input becomes the reply's Content. The model must call that tool,
// unless Choice requires one of Tools. Options.NoForcedTool selects another method. Blocks other than text
// and calls, such as thinking, are kept in Message.Opaque and sent back unchanged. InputTokens includes
// tokens read from and written to the cache.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return m.peer.Complete(ctx, m.api, req, m.options.Stream, nil)
}

// Stream does the same as Complete, and passes the reply's Content on as it arrives. If the stream ends
// before the reply is complete, that is a failure of the endpoint, which may be retried. A reply that is not
// a stream, and the input of a Schema's tool, are passed on as a whole.
func (m *Model) Stream(ctx context.Context, req model.Request, onText func(string)) (model.Response, error) {
	return m.peer.Complete(ctx, m.api, req, true, onText)
}

func (m *Model) reader(req model.Request, live *wire.Live) wire.Reader[model.Response] {
	schema := ""
	if req.Schema != nil && !m.options.NoForcedTool {
		schema, live = req.Schema.Name, nil // the content is known only at the end
	}
	return wire.Reader[model.Response]{
		Whole: func(r wire.Reply) (model.Response, error) { return m.whole(r, schema) },
		Stream: func(events io.Reader) (model.Response, error) {
			in, err := readStream(events, live)
			if err != nil {
				return model.Response{}, err
			}
			return m.decode(in, schema)
		},
		Rejected: m.rejection,
	}
}

// The defaults of Options.
const (
	DefaultBaseURL   = "https://api.anthropic.com"
	DefaultTimeout   = wire.DefaultTimeout
	DefaultMaxTokens = 4096
)

// Options are the settings of one model. Model is required.
type Options struct {
	BaseURL   string        // the URL before /v1/messages, with or without /v1; default DefaultBaseURL
	APIKey    string        // sent as x-api-key unless empty
	Secrets   []string      // further values to remove from errors and replies, such as a key in BaseURL
	Model     string        // the model's name at the endpoint, such as claude-haiku-4-5
	Timeout   time.Duration // limit of one call, from connecting to the last byte; default DefaultTimeout
	MaxTokens int           // limit of a reply with its thinking; 0 means the request's limit, or DefaultMaxTokens
	// NoTemperature omits the temperature, for models that refuse it: Claude Opus 4.7 and later, and every model
	// that thinks.
	NoTemperature bool
	// NoForcedTool uses output_config.format for a Request.Schema instead of a forced tool. It is for models
	// that refuse forced tools: Claude Opus 5.5, and older models that think. A Request.Choice that forces a
	// tool is omitted.
	NoForcedTool bool
	// Stream requests every reply as a stream, which long replies may need.
	Stream bool
	// Thinking is sent unchanged, such as {"type": "adaptive"}; if empty, the model's
	// default applies. Some models think by default and may need a larger MaxTokens.
	Thinking json.RawMessage
	// Transport sends the requests; nil means a new pool for this model.
	Transport http.RoundTripper
}

// peer checks the options. Its errors do not contain the key.
func (o Options) peer() (*wire.Peer, error) {
	if len(o.Thinking) > 0 && (!json.Valid(o.Thinking) || strings.TrimSpace(string(o.Thinking))[0] != '{') {
		return nil, errors.New(`thinking is not a JSON object such as {"type": "adaptive"}`)
	}
	base := strings.TrimRight(strings.TrimSpace(cmp.Or(o.BaseURL, DefaultBaseURL)), "/")
	return wire.NewPeer(wire.Settings{
		Endpoint: endpoints.Endpoint{
			Name: "anthropic", AddressEnv: "ANTHROPIC_BASE_URL", Kind: endpoints.Anthropic,
			BaseURL: strings.TrimSuffix(base, "/v1"),
			Auth:    endpoints.Auth{Env: []string{"ANTHROPIC_API_KEY"}}, Filled: true, Secrets: o.Secrets,
		},
		APIKey: o.APIKey, Model: o.Model, MaxTokens: o.MaxTokens, Timeout: o.Timeout, Transport: o.Transport,
		API: "an API that speaks Anthropic Messages", Header: map[string]string{"anthropic-version": apiVersion},
		KeyIn: "x-api-key: ", Example: "claude-haiku-4-5",
	})
}
