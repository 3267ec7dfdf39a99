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

// Peer is the endpoint of a model's calls.
type Peer struct {
	Settings          // with defaults, and without the key
	Name     string   // provider:model, for model.Error
	Base     *url.URL // the URL before the path of an API
	Key      Key      // never shown in an error
	through  *http.Client
	listing  listing
	refused  leftOut
}

// Settings are the options that all models behind HTTP have.
type Settings struct {
	Endpoint  endpoints.Endpoint // with its address
	APIKey    string             // may be ""
	Model     string
	MaxTokens int
	Timeout   time.Duration     // of one call; default DefaultTimeout
	Transport http.RoundTripper // nil makes a pool of connections for one model

	API     string            // the expected API, such as "an OpenAI-compatible API"
	Header  map[string]string // of every request
	KeyIn   string            // the header of the key, and what precedes the key, such as "Authorization: Bearer "
	Example string            // of a model's name
}

// DefaultTimeout is the time of one call.
const DefaultTimeout = 120 * time.Second

// NewPeer checks settings. No error holds the key.
func NewPeer(s Settings) (*Peer, error) {
	key := strings.TrimSpace(s.APIKey)
	switch {
	case Unfit(key):
		return nil, errors.New("the API key contains a character that keys do not have; " + s.Endpoint.KeyHint())
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
	base, err := s.Endpoint.Address()
	if err != nil {
		return nil, err
	}
	s.APIKey, s.Timeout = "", cmp.Or(s.Timeout, DefaultTimeout)
	return &Peer{Settings: s, Name: s.Endpoint.Name + ":" + s.Model, Base: base, Key: hidden,
		through: client(s.Transport)}, nil
}

// client sends requests through a transport. Redirects are reported and not followed, so that a
// key reaches no other host.
func client(through http.RoundTripper) *http.Client {
	if through == nil {
		through = pool()
	}
	return &http.Client{Transport: through, CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

const (
	// dialTimeout ends connections to silent hosts early.
	dialTimeout = 5 * time.Second
	// idleConns is the number of idle connections in a model's pool.
	idleConns = 128
	// idleTimeout closes them soon after a run, because a process with many runs, such as a
	// gate, would run out of files.
	idleTimeout = 10 * time.Second
)

func pool() http.RoundTripper {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if d, ok := http.DefaultTransport.(*http.Transport); ok {
		t = d.Clone()
	}
	t.DialContext = (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext
	t.MaxIdleConns, t.MaxIdleConnsPerHost, t.IdleConnTimeout = idleConns, idleConns, idleTimeout
	return t
}

// Key gives an API key, and a hider that removes it from texts. It is a function, which
// prints as an address with every verb, even as a field of a printed value.
type Key func() (string, *secret.Hider)

// NewKey makes a Key; "" means no key. The hider also removes others.
func NewKey(key string, others ...string) Key {
	hider := secret.New(append([]string{key}, others...)...)
	return func() (string, *secret.Hider) { return key, hider }
}

// Hide removes the key from a text: some endpoints quote it.
func (k Key) Hide(text string) string {
	_, hider := k()
	return hider.Hide(text)
}

// HideIn removes the key from an endpoint's reply, except Opaque; see Quoted.
func (k Key) HideIn(r *model.Response) {
	r.Message.Content, r.Message.Thought = k.Hide(r.Message.Content), k.Hide(r.Message.Thought)
	r.Model = k.Hide(r.Model)
	r.Finish = model.FinishReason(k.Hide(string(r.Finish)))
	for i := range r.Message.ToolCalls {
		c := &r.Message.ToolCalls[i]
		c.ID, c.Name, c.Arguments = k.Hide(c.ID), k.Hide(c.Name), k.Hide(c.Arguments)
	}
}

// Quoted reports JSON that contains the key. Such JSON cannot be kept, because the endpoint
// would refuse a changed version. The value is encoded again first, so that the key has
// only one spelling. Invalid JSON counts as containing it.
func (k Key) Quoted(raw json.RawMessage) bool {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return true
	}
	again, err := lines.Encode(value)
	return err != nil || k.Hide(string(again)) != string(again)
}

// Unfit reports a key with a character that headers cannot have, or that would be escaped
// in a reply, so that hiding it could miss it.
func Unfit(key string) bool {
	return strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' })
}
