package api

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/internal/secret"
)

// Options configure a Run.
type Options struct {
	Environ   func(name string) string // returns a variable of the environment, or ""; nil means no variable is set
	UserAgent string                   // of requests without their own
	// AllowPrivate permits addresses outside the public Internet. Without it, only those that a file or its settings
	// name as a number, or as localhost, are reached.
	AllowPrivate bool
	Timeout      time.Duration // limit of one request; 0 means that of package fetch

	Transport http.RoundTripper // replaces the network; nil means the network
	Record    func(Exchange)    // called for every exchange with a service, without keys; may be nil
	Passed    func(rows int)    // called with the number of rows that gave no document; may be nil
	Log       func(text string) // called with failures that leave a call a part of its documents; may be nil

	Now    func() time.Time                                 // nil means time.Now
	Sleep  func(ctx context.Context, d time.Duration) error // waits for a turn; nil means a timer
	Pause  func(ctx context.Context, d time.Duration) error // waits before another try; nil means Sleep
	Jitter func() float64                                   // in [0,1); nil means random
}

// Exchange is a request and its reply, for records. It has no keys.
type Exchange struct {
	Tool    string
	Request string // as text: method and address, headers, body
	Status  int    // 0 without a reply
	Header  http.Header
	Body    string
	Error   string // of a request without a reply
}

// Run has everything that the tools of one run share. It is safe for concurrent use.
type Run struct {
	options Options
	*shared
}

// shared is the state of a run.
type shared struct {
	mu      sync.Mutex
	hider   *secret.Hider
	lanes   map[string]*lane          // by host
	blocked map[string]error          // by host: the failure that blocked it
	kept    map[string]*kept          // by request
	jars    map[string]http.CookieJar // by tool
	clients []*fetch.Client
}

// NewRun returns a Run.
func NewRun(o Options) *Run {
	if o.Environ == nil {
		o.Environ = func(string) string { return "" }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = pace.Sleep
	}
	if o.Pause == nil {
		o.Pause = o.Sleep
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return &Run{o, &shared{lanes: map[string]*lane{}, blocked: map[string]error{}, kept: map[string]*kept{},
		jars: map[string]http.CookieJar{}}}
}

// AllowingPrivate returns the same run for tools that may reach addresses outside the public Internet.
func (r *Run) AllowingPrivate() *Run {
	o := r.options
	o.AllowPrivate = true
	return &Run{o, r.shared}
}

// Close closes idle connections.
func (r *Run) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.clients {
		c.Close()
	}
}

// hide removes all keys of the run's tools from a text.
func (r *Run) hide(text string) string { return r.secrets().Hide(text) }

func (r *Run) secrets() *secret.Hider {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hider
}

// guard hides further values.
func (r *Run) guard(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range values {
		if r.hider.Hide(v) == v { // it is not hidden yet
			r.hider = r.hider.With(v)
		}
	}
}

// block ends all further requests to a host with the same failure.
func (r *Run) block(host string, failure error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.blocked[host] = cmp.Or(r.blocked[host], failure)
}

func (r *Run) isBlocked(host string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.blocked[host]
}

// newJar returns an empty jar for cookies.
func newJar() http.CookieJar {
	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // it never fails
	return jar
}

// jar returns the jar of a tool for the whole run.
func (r *Run) jar(tool string) http.CookieJar {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.jars[tool] == nil {
		r.jars[tool] = newJar()
	}
	return r.jars[tool]
}

// client returns a client that reaches the addresses in allow besides those of the public Internet. Each of its
// requests is sent once: the files say when to try again.
func (r *Run) client(allow []netip.Prefix, atOnce int) *fetch.Client {
	c := fetch.New(fetch.Options{UserAgent: r.options.UserAgent, AllowPrivate: r.options.AllowPrivate, Allow: allow,
		Timeout: r.options.Timeout, Retries: -1, PerHost: atOnce, Transport: r.options.Transport, Now: r.options.Now})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clients = append(r.clients, c)
	return c
}
