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
	BaseURL   string        // all that stands before /v1/messages, with or without the /v1; default DefaultBaseURL
	APIKey    string        // sent as x-api-key; where empty, none is sent
	Model     string        // the name that the endpoint knows it by, such as claude-haiku-4-5
	Timeout   time.Duration // of one call, from connecting to the last byte; default DefaultTimeout
	MaxTokens int           // the most that a reply may hold, thinking included; default DefaultMaxTokens
	// NoTemperature leaves the temperature out, for models that refuse one: Claude Opus 4.7
	// and later, and every model that thinks.
	NoTemperature bool
	// NoForcedTool asks for a Request.Schema by output_config.format rather than by a forced
	// tool, for models that refuse to be forced: Claude Opus 5.5, and older ones that think.
	NoForcedTool bool
	// Thinking is sent as it is, such as {"type": "adaptive"}; where empty, the model's own
	// default holds. Some models think by default: they may need a larger MaxTokens.
	Thinking json.RawMessage
	// Transport sends the requests, as wire.Client has it; nil makes a pool for this model alone.
	Transport http.RoundTripper
}

// withDefaults fills what is not set and checks the rest. No error holds the key.
func (o Options) withDefaults() (Options, *url.URL, error) {
	o.APIKey = strings.TrimSpace(o.APIKey)
	switch {
	case wire.Unfit(o.APIKey):
		return o, nil, errors.New("the API key holds a character that no key has; set ANTHROPIC_API_KEY to the key alone")
	case o.Model == "":
		return o, nil, errors.New("no model is named; name one, such as claude-haiku-4-5")
	case o.Timeout < 0:
		return o, nil, fmt.Errorf("timeout %v is negative; give 0 for the default of %v, or more", o.Timeout, DefaultTimeout)
	case o.MaxTokens < 0:
		return o, nil, fmt.Errorf("max tokens %d is negative; give 0 for the default of %d, or more", o.MaxTokens, DefaultMaxTokens)
	case len(o.Thinking) > 0 && (!json.Valid(o.Thinking) || strings.TrimSpace(string(o.Thinking))[0] != '{'):
		return o, nil, errors.New(`thinking is no JSON object such as {"type": "adaptive"}`)
	}
	o.Timeout, o.MaxTokens = cmp.Or(o.Timeout, DefaultTimeout), cmp.Or(o.MaxTokens, DefaultMaxTokens)
	base, err := parseBase(cmp.Or(o.BaseURL, DefaultBaseURL))
	if err != nil {
		return o, nil, errors.New(wire.NewKey(o.APIKey).Hide(err.Error()))
	}
	return o, base, nil
}

// parseBase refuses what would send requests astray or put a secret into a log.
func parseBase(raw string) (*url.URL, error) {
	raw = strings.TrimRight(strings.TrimSpace(raw), "/")
	raw = strings.TrimRight(strings.TrimSuffix(raw, "/v1"), "/")
	u, err := url.Parse(raw)
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("the base URL is no address such as " + DefaultBaseURL + "; set ANTHROPIC_BASE_URL right")
	case u.User != nil:
		return nil, errors.New("the base URL holds a user name or password; set ANTHROPIC_API_KEY instead")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("the base URL for %s holds a query or a fragment; leave away what follows ? or #", u.Host)
	}
	return u, nil
}
