package anthropic

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
)

// The defaults of Options.
const (
	DefaultBaseURL   = "https://api.anthropic.com"
	DefaultTimeout   = 120 * time.Second
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
	// Transport sends the requests, as wire.Client has it; nil makes a pool for this model alone.
	Transport http.RoundTripper
}

// withDefaults fills what is not set and checks the rest. No error holds the key.
func (o Options) withDefaults() (Options, *url.URL, error) {
	o.APIKey = strings.TrimSpace(o.APIKey)
	switch {
	case wire.Unfit(o.APIKey):
		return o, nil, errors.New("the API key contains a character that keys do not have; set ANTHROPIC_API_KEY to the key only")
	case o.Model == "":
		return o, nil, errors.New("no model is named; name one, such as claude-haiku-4-5")
	case o.Timeout < 0:
		return o, nil, fmt.Errorf("timeout %v is negative; give 0 for the default of %v, or more", o.Timeout, DefaultTimeout)
	case o.MaxTokens < 0:
		return o, nil, fmt.Errorf("max tokens %d is negative; give 0 for that of the request or %d, or more", o.MaxTokens, DefaultMaxTokens)
	case len(o.Thinking) > 0 && (!json.Valid(o.Thinking) || strings.TrimSpace(string(o.Thinking))[0] != '{'):
		return o, nil, errors.New(`thinking is not a JSON object such as {"type": "adaptive"}`)
	}
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	base, err := parseBase(cmp.Or(o.BaseURL, DefaultBaseURL))
	if err != nil {
		return o, nil, errors.New(wire.NewKey(o.APIKey).Hide(err.Error()))
	}
	return o, base, nil
}

// parseBase refuses addresses that would misdirect requests or put a secret into a log.
func parseBase(raw string) (*url.URL, error) {
	raw = strings.TrimRight(strings.TrimSpace(raw), "/")
	raw = strings.TrimRight(strings.TrimSuffix(raw, "/v1"), "/")
	u, err := url.Parse(raw)
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("the base URL is not an address such as " + DefaultBaseURL + "; correct ANTHROPIC_BASE_URL")
	case u.User != nil:
		return nil, errors.New("the base URL contains a user name or password; set ANTHROPIC_API_KEY instead")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("the base URL for %s contains a query or a fragment; remove everything after ? or #", u.Host)
	}
	return u, nil
}
