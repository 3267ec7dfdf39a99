package anthropic

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

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
	Model     string        // the endpoint's name for it, such as claude-haiku-4-5
	Timeout   time.Duration // of one call, from connecting to the last byte; default DefaultTimeout
	MaxTokens int           // limit of a reply, thinking included; 0 leaves it to the request, else DefaultMaxTokens
	// NoTemperature leaves the temperature out, for models that refuse one: Claude Opus 4.7
	// and later, and every model that thinks.
	NoTemperature bool
	// NoForcedTool asks for a Request.Schema by output_config.format rather than by a forced
	// tool, for models that refuse to be forced: Claude Opus 5.5, and older ones that think. A
	// Request.Choice that forces a tool is left out.
	NoForcedTool bool
	// Thinking is sent unchanged, such as {"type": "adaptive"}; if empty, the model's
	// default applies. Some models think by default and may need a larger MaxTokens.
	Thinking json.RawMessage
	// Transport sends the requests; nil makes a pool for this model alone.
	Transport http.RoundTripper
}

// peer checks the options. No error holds the key.
func (o Options) peer() (*wire.Peer, error) {
	if len(o.Thinking) > 0 && (!json.Valid(o.Thinking) || strings.TrimSpace(string(o.Thinking))[0] != '{') {
		return nil, errors.New(`thinking is not a JSON object such as {"type": "adaptive"}`)
	}
	base := strings.TrimRight(strings.TrimSpace(cmp.Or(o.BaseURL, DefaultBaseURL)), "/")
	return wire.NewPeer(wire.Settings{
		Endpoint: endpoints.Endpoint{
			Name: "anthropic", AddressEnv: "ANTHROPIC_BASE_URL", Kind: endpoints.Anthropic, BaseURL: strings.TrimSuffix(base, "/v1"),
			Auth: endpoints.Auth{Env: []string{"ANTHROPIC_API_KEY"}},
		},
		APIKey: o.APIKey, Model: o.Model, MaxTokens: o.MaxTokens, Timeout: o.Timeout, Transport: o.Transport,
		API: "an API that speaks Anthropic Messages", Header: map[string]string{"anthropic-version": apiVersion},
		KeyIn: "x-api-key: ", Example: "claude-haiku-4-5",
	})
}
