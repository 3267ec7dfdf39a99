package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
)

// Peer is the endpoint that a model calls.
type Peer struct {
	Settings          // with defaults, without the key
	Name     string   // provider:model, for errors
	Base     *url.URL // the URL before the path of an API
	Key      Key      // never shown in an error
	through  *http.Client
	listing  listing
	refused  leftOut
}

// Settings are the options shared by all models behind HTTP.
type Settings struct {
	Endpoint  endpoints.Endpoint // Endpoint includes its address
	APIKey    string             // may be ""
	Model     string
	MaxTokens int
	Timeout   time.Duration     // limit of one call; default DefaultTimeout
	Transport http.RoundTripper // nil means a new pool of connections for this model

	API     string            // the expected API, for errors, such as "an OpenAI-compatible API"
	Header  map[string]string // sent with every request
	KeyIn   string            // header of the key and the text before the key, such as "Authorization: Bearer "
	Example string            // example of a model's name, for an error
}

// DefaultTimeout is the limit of one call if Settings.Timeout is not set.
const DefaultTimeout = 120 * time.Second

// NewPeer checks the settings. Its errors do not contain the key.
func NewPeer(s Settings) (*Peer, error) {
	key := strings.TrimSpace(s.APIKey)
	switch {
	case Unfit(key):
		return nil, errors.New("the API key contains a character that no key has; " + s.Endpoint.KeyHint())
	case s.Model == "":
		return nil, errors.New("no model is named; name one, such as " + s.Example)
	case s.Timeout < 0:
		return nil, fmt.Errorf("timeout %v is negative; give 0 for the default of %v, or more", s.Timeout,
			DefaultTimeout)
	case s.MaxTokens < 0:
		return nil, fmt.Errorf("max tokens %d is negative; give 0 for the default, or more", s.MaxTokens)
	}
	hidden := NewKey(key, s.Endpoint.Secrets...)
	if err := s.Endpoint.Validate(); err != nil {
		return nil, errors.New(hidden.Hide(err.Error()))
	}
	base, err := s.Endpoint.AddressOf(s.Model)
	if err != nil {
		return nil, err
	}
	if s.Endpoint.KeyHeader != "" {
		s.KeyIn = s.Endpoint.KeyHeader + ": "
	}
	s.APIKey, s.Timeout = "", cmp.Or(s.Timeout, DefaultTimeout)
	return &Peer{Settings: s, Name: s.Endpoint.Name + ":" + s.Model, Base: base, Key: hidden,
		through: client(s.Transport)}, nil
}

// client returns an HTTP client with a transport. The client reports redirects and does not follow them, so
// that the key is not sent to another host.
func client(through http.RoundTripper) *http.Client {
	if through == nil {
		through = newTransport()
	}
	return &http.Client{Transport: through, CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

const (
	// dialTimeout limits the time to connect, so that silent hosts are found early.
	dialTimeout = 5 * time.Second
	// idleConns is the number of idle connections in a model's pool.
	idleConns = 128
	// idleTimeout closes idle connections soon after a run. Otherwise a process with many runs, such as a gate,
	// would use up its files.
	idleTimeout = 10 * time.Second
)

func newTransport() http.RoundTripper {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if d, ok := http.DefaultTransport.(*http.Transport); ok {
		t = d.Clone()
	}
	t.DialContext = (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext
	t.MaxIdleConns, t.MaxIdleConnsPerHost, t.IdleConnTimeout = idleConns, idleConns, idleTimeout
	return t
}

// Key returns an API key, and a hider that removes the key from texts. It is a function, because fmt prints a
// function as an address with every verb, even in a field of a printed value.
type Key func() (string, *secret.Hider)

// NewKey returns a Key; "" means that there is no key. The hider also removes the texts in others.
func NewKey(key string, others ...string) Key {
	hider := secret.New(append([]string{key}, others...)...)
	return func() (string, *secret.Hider) { return key, hider }
}

// Hide removes the key from a text, because some endpoints quote it.
func (k Key) Hide(text string) string {
	_, hider := k()
	return hider.Hide(text)
}

// HideIn removes the key from an endpoint's reply, except from Opaque; see Quoted.
func (k Key) HideIn(r *model.Response) {
	r.Message.Content, r.Message.Thought = k.Hide(r.Message.Content), k.Hide(r.Message.Thought)
	r.Model = k.Hide(r.Model)
	r.Finish = model.FinishReason(k.Hide(string(r.Finish)))
	for i := range r.Message.ToolCalls {
		c := &r.Message.ToolCalls[i]
		c.ID, c.Name, c.Arguments = k.Hide(c.ID), k.Hide(c.Name), k.Hide(c.Arguments)
	}
}

// Quoted reports whether JSON contains the key. Such JSON cannot be kept for Opaque, because removing the key
// would change it, and the endpoint would refuse it. The value is encoded again before the search, so that
// the key can have only one spelling. Invalid JSON counts as containing the key.
func (k Key) Quoted(raw json.RawMessage) bool {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return true
	}
	again, err := lines.Encode(value)
	return err != nil || k.Hide(string(again)) != string(again)
}

// Unfit reports whether a key contains a character that headers cannot have, or that JSON would escape. Such
// a key could not be removed from texts reliably.
func Unfit(key string) bool {
	return strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' })
}
