package openai

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// The defaults of Options.
const (
	DefaultBaseURL = "https://api.openai.com/v1"
	DefaultTimeout = wire.DefaultTimeout
)

// Options are the settings of one model. Model is required.
type Options struct {
	// Endpoint describes the endpoint and names it in errors: a preset, or an entry of a
	// configuration. The zero value supports everything that OpenAI's does.
	Endpoint endpoints.Endpoint
	BaseURL  string // the URL before /chat/completions; default Endpoint's, else DefaultBaseURL
	APIKey   string // sent as a bearer token unless empty
	Model    string // the endpoint's name for it
	// MaxTokens limits a reply, reasoning included; 0 means no limit.
	MaxTokens int
	Timeout   time.Duration // of one call, from connecting to the last byte; default DefaultTimeout
	// Transport sends the requests; nil makes a pool for this model alone.
	Transport http.RoundTripper
}

// endpointOf is the endpoint with its address, for one model. Without a name it is
// OpenAI's.
func endpointOf(o Options) endpoints.Endpoint {
	e := o.Endpoint
	if e.Name == "" {
		e = e.Over(endpoints.Endpoint{
			Name: "openai", AddressEnv: "OPENAI_BASE_URL", Kind: endpoints.OpenAI, BaseURL: DefaultBaseURL,
			Auth: endpoints.Auth{Env: []string{"OPENAI_API_KEY"}},
		})
	}
	e.BaseURL = cmp.Or(o.BaseURL, e.BaseURL)
	return e.For(o.Model)
}

func encodeEach(fields map[string]any) (map[string]json.RawMessage, error) {
	out := make(map[string]json.RawMessage, len(fields))
	for name, value := range fields {
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = raw
	}
	return out, nil
}
