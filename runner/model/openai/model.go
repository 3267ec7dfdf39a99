package openai

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/runner/model"
)

// Model is one model behind an OpenAI-compatible endpoint. It is safe for concurrent use.
type Model struct {
	name    string // of the model, as the endpoint knows it
	base    *url.URL
	key     secret
	timeout time.Duration
	http    *http.Client
}

// New makes a model. It touches no network. The error says which option is wrong.
func New(o Options) (*Model, error) {
	o, base, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("make OpenAI model %q: %w", o.Model, err)
	}
	return &Model{
		name: o.Model, base: base, key: newSecret(o.APIKey), timeout: o.Timeout,
		http: &http.Client{
			Transport:     o.Transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// String is the name under which errors speak of the model.
func (m *Model) String() string { return "openai:" + m.name }

// Complete sends one request once. Every error is a *model.Error that names the host,
// the status and a way out, and never the key.
//
// A tool message without content is sent as "(no output)", since some endpoints refuse
// an empty one. A refusal beside the content is the agent's own answer: it stands in
// Content, and the reason to finish is stop. Reasoning is left out of Content. Arguments
// of tool calls are passed on as the model wrote them; where they arrive as JSON rather
// than text, they become its text, and null becomes the empty text.
func (m *Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	body, err := encode(req)
	if err != nil {
		return model.Response{}, m.fail(model.ErrBadRequest, failure{text: "encode request: " + err.Error()})
	}
	ctx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	config := goopenai.DefaultConfig("")
	config.BaseURL = m.base.String()
	config.HTTPClient = exchange{model: m, fields: m.fields(req)}
	reply, err := goopenai.NewClientWithConfig(config).CreateChatCompletion(ctx, body)
	if err != nil {
		return model.Response{}, m.classify(err)
	}
	return m.decode(reply), nil
}
