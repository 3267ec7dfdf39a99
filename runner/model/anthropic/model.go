package anthropic

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// apiVersion is the version of the wire that this package speaks.
const apiVersion = "2023-06-01"

// Model is one model behind a Messages API. It is safe for concurrent use.
type Model struct {
	peer    *wire.Peer
	options Options // with their defaults, without the key
	http    *http.Client
}

// New makes a model. It touches no network. The error says which option is wrong.
func New(o Options) (*Model, error) {
	o, base, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("make Anthropic model %q: %w", o.Model, err)
	}
	key := wire.NewKey(o.APIKey)
	o.APIKey = "" // a Model may be printed
	return &Model{
		peer: &wire.Peer{
			Model: "anthropic:" + o.Model, Base: base, Setting: "ANTHROPIC_BASE_URL", API: "an API that speaks Anthropic Messages",
			Key: key, KeyHint: "set ANTHROPIC_API_KEY to a key that may use this model", Timeout: o.Timeout,
		},
		options: o,
		http:    wire.Client(o.Transport),
	}, nil
}

// String is the name under which errors speak of the model.
func (m *Model) String() string { return m.peer.Model }

// Complete sends one request once. Every error is a *model.Error that names the host, the
// status and a way out, and never the key.
//
// What the wire has no room for: the seed is not sent, a temperature above 1 is sent as 1,
// and system messages are all put at the top. A text of nothing but space is left out, since
// the API refuses it; an empty tool message is sent as "(no output)". A call whose arguments
// are no JSON object is sent back as {"arguments": "<what the model wrote>"}. A conversation
// in which a call is not answered by exactly one tool message, before anybody else speaks, is
// refused unsent.
//
// A Schema is asked for as a tool that must be called (Options.NoForcedTool has the other
// way); the call's input is the reply's Content. Where Choice says that one of Tools must be
// called, the reply is that call, and the Schema is not asked for. Blocks other than text and calls, such as
// thinking, are kept in Message.Opaque and sent back unchanged where that message is sent
// again. The system prompt and the tools are marked for the prompt cache.
//
// InputTokens counts what was read from and written to the cache too; CachedTokens is the
// part that was read. A refusal finishes with model.FinishContentFilter; a reply that was
// broken off (max_tokens, pause_turn, a full context) with model.FinishLength.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return m.call(ctx, req, false, nil)
}

// Stream is Complete with the reply's Content told while it comes. A stream that ends
// before the reply is complete is a failure of the endpoint, which may be asked again. What
// comes as the input of a Schema's tool, or in one piece all the same, is told once.
func (m *Model) Stream(ctx context.Context, req model.Request, onText func(string)) (model.Response, error) {
	told := wire.NewLive(m.peer.Key, onText)
	r, err := m.call(ctx, req, true, told)
	if err == nil {
		told.Rest(r.Message.Content)
	}
	return r, err
}

func (m *Model) call(ctx context.Context, req model.Request, stream bool, told *wire.Live) (model.Response, error) {
	body, err := encode(m.options, req, stream)
	if err != nil {
		return model.Response{}, m.peer.Fail(model.ErrBadRequest, "encode request: "+err.Error(), nil)
	}
	ctx, cancel := context.WithTimeout(ctx, m.peer.Timeout)
	defer cancel()
	schema := ""
	if req.Schema != nil && !m.options.NoForcedTool {
		schema, told = req.Schema.Name, nil // whether texts or an input are the content shows at the end
	}
	header := map[string]string{"anthropic-version": apiVersion}
	if key, _ := m.peer.Key(); key != "" {
		header["x-api-key"] = key
	}
	return wire.Exchange(ctx, m.peer, wire.Request{
		Client: m.http, Path: []string{"v1", "messages"}, Header: header, Body: body, Stream: stream,
	}, wire.Reader[model.Response]{
		Whole: func(r wire.Reply) (model.Response, error) { return m.whole(r, schema) },
		Stream: func(events io.Reader) (model.Response, error) {
			in, err := readStream(events, told)
			if err != nil {
				return model.Response{}, err
			}
			return m.decode(in, schema)
		},
		Rejected: m.rejected,
	})
}
