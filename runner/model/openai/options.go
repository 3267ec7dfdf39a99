package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// The defaults of Options.
const (
	DefaultBaseURL = "https://api.openai.com/v1"
	DefaultTimeout = 120 * time.Second
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
	// Transport sends the requests, as wire.Client has it; nil makes a pool for this model alone.
	Transport http.RoundTripper
}

// settings are checked Options.
type settings struct {
	Options
	base  *url.URL
	extra map[string]json.RawMessage // Endpoint.ExtraBody
}

// withDefaults fills what is not set and checks the rest. No error holds the key.
func (o Options) withDefaults() (settings, error) {
	o.APIKey = strings.TrimSpace(o.APIKey)
	o.Endpoint = endpointOf(o)
	switch {
	case wire.Unfit(o.APIKey):
		return settings{}, errors.New("the API key contains a character that keys do not have; " + o.Endpoint.KeyHint())
	case o.Model == "":
		return settings{}, errors.New("no model is named; name one, such as gpt-4o-mini")
	case o.Timeout < 0:
		return settings{}, fmt.Errorf("timeout %v is negative; give 0 for the default of %v, or more", o.Timeout, DefaultTimeout)
	case o.MaxTokens < 0:
		return settings{}, fmt.Errorf("max tokens %d is negative; give 0 for no limit, or more", o.MaxTokens)
	}
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	if err := o.Endpoint.Validate(); err != nil {
		return settings{}, errors.New(wire.NewKey(o.APIKey).Hide(err.Error()))
	}
	if o.Endpoint.Kind != endpoints.OpenAI {
		return settings{}, fmt.Errorf("%s is of the kind %s, which this package does not speak", o.Endpoint.Name, o.Endpoint.Kind)
	}
	base, err := o.Endpoint.Address()
	if err != nil {
		return settings{}, err
	}
	extra, err := encodeEach(o.Endpoint.ExtraBody)
	if err != nil {
		return settings{}, err
	}
	return settings{o, base, extra}, nil
}

// endpointOf is the endpoint with its address, for one model. Without a name it is
// OpenAI's.
func endpointOf(o Options) endpoints.Endpoint {
	own := endpoints.Endpoint{
		Name: "openai", AddressEnv: "OPENAI_BASE_URL", Kind: endpoints.OpenAI, BaseURL: DefaultBaseURL,
		Auth: endpoints.Auth{Env: []string{"OPENAI_API_KEY"}},
	}
	if o.Endpoint.Name == "" {
		o.Endpoint = o.Endpoint.Over(own)
	}
	o.Endpoint.BaseURL = cmp.Or(o.BaseURL, o.Endpoint.BaseURL)
	return o.Endpoint.For(o.Model)
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
