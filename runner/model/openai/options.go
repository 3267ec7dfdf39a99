package openai

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The defaults of Options.
const (
	DefaultBaseURL = "https://api.openai.com/v1"
	DefaultTimeout = 120 * time.Second
)

// idleConns is how many connections a model's own pool keeps open to its endpoint.
const idleConns = 128

// Options are the settings of one model. Model is required.
type Options struct {
	BaseURL string        // all that stands before /chat/completions; default DefaultBaseURL
	APIKey  string        // sent as a bearer token; where empty, none is sent
	Model   string        // the name that the endpoint knows it by
	Timeout time.Duration // of one call, from connecting to the last byte; default DefaultTimeout
	// Transport sends the requests; nil makes a pool of connections for this model alone.
	// Redirects are reported, never followed, so a key reaches no other host.
	Transport http.RoundTripper
}

// withDefaults fills what is not set and checks the rest. No error holds the key.
func (o Options) withDefaults() (Options, *url.URL, error) {
	o.APIKey = strings.TrimSpace(o.APIKey)
	if strings.ContainsFunc(o.APIKey, unfitForKey) {
		return o, nil, errors.New("the API key holds a character that no key has; set OPENAI_API_KEY to the key alone")
	}
	if o.Model == "" {
		return o, nil, errors.New("no model is named; name one, such as gpt-4o-mini")
	}
	if o.Timeout < 0 {
		return o, nil, fmt.Errorf("timeout %v is negative; give 0 for the default of %v, or more", o.Timeout, DefaultTimeout)
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	base, err := parseBase(o.BaseURL)
	if err != nil {
		return o, nil, errors.New(newSecret(o.APIKey).hide(err.Error()))
	}
	if o.Transport == nil {
		t := &http.Transport{Proxy: http.ProxyFromEnvironment}
		if d, ok := http.DefaultTransport.(*http.Transport); ok {
			t = d.Clone()
		}
		t.MaxIdleConns, t.MaxIdleConnsPerHost = idleConns, idleConns
		o.Transport = t
	}
	return o, base, nil
}

// parseBase refuses what would send requests astray or put a secret into a log.
func parseBase(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(raw), "/"))
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("the base URL is no address such as " + DefaultBaseURL + "; set OPENAI_BASE_URL right")
	case u.User != nil:
		return nil, errors.New("the base URL holds a user name or password; set OPENAI_API_KEY instead")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("the base URL for %s holds a query or a fragment; leave away what follows ? or #", u.Host)
	}
	return u, nil
}

// unfitForKey tells characters that a header cannot carry, or that would be spelled in
// another way when a reply quotes the key, so that hiding it could miss them.
func unfitForKey(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }
