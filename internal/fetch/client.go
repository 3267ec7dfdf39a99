package fetch

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/internal/secret"
)

const (
	maxBody = 2 << 20 // bytes of an answer after decompression
	perHost = 3       // requests to one host at the same time: what Wikimedia allows
)

// Options configure a Client. The zero value is a polite client.
type Options struct {
	UserAgent string        // of requests that bring none
	Timeout   time.Duration // of one attempt, body and all; zero is 15 s
	Retries   int           // further attempts; zero is 2, negative is none

	// AllowPrivate lets requests reach any address. Without it, only addresses of the public Internet and those of
	// Allow are connected to, whatever name or redirect led there.
	AllowPrivate bool
	Allow        []netip.Prefix

	Sleep  func(ctx context.Context, d time.Duration) error // waits, or returns ctx's error; nil is a timer
	Now    func() time.Time                                 // nil is time.Now
	Jitter func() float64                                   // in [0,1); nil is random
}

// Client sends requests, at most three to one host at the same time, redirects aside. It is
// safe for concurrent use and meant to be shared, since the load per host is counted by it.
type Client struct {
	options   Options
	transport *http.Transport
	slots     sync.Map // a chan struct{} by host
}

// New makes a client.
func New(o Options) *Client {
	o.Timeout, o.Retries = cmp.Or(o.Timeout, 15*time.Second), max(0, cmp.Or(o.Retries, 2))
	if o.Sleep == nil {
		o.Sleep = pace.Sleep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	t := Transport(o.AllowPrivate, o.Allow...)
	t.MaxIdleConnsPerHost = perHost
	return &Client{options: o, transport: t}
}

// Transport connects to addresses of the public Internet and those of allow alone, or to
// any: see Options.AllowPrivate. Its errors about others are ErrPrivateAddress.
func Transport(private bool, allow ...netip.Prefix) *http.Transport {
	guard := addressGuard{all: private, allow: allow}
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, Control: guard.control}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

// Close closes the connections that are idle. The client can still be used.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Request is one request. It is sent again where that can help, so it must not be one that does harm when done twice.
type Request struct {
	Method string // GET if empty
	URL    string // http or https, without user and password
	Header http.Header
	Body   []byte
	// Secrets are the values, such as API keys, that no error and no Response.URL may
	// show; values of less than eight characters are ignored. A redirect to another host gets
	// neither them nor any header but User-Agent, Accept and Accept-Language.
	Secrets []string
	// NoRedirect gives back an answer of status 3xx instead of following it.
	NoRedirect bool

	hider *secret.Hider // of Secrets
}

// Response is an answer, read to its end.
type Response struct {
	Status     int
	Header     http.Header
	Body       []byte
	URL        *url.URL      // where redirects led to; its secrets are replaced by secret.Mark
	RetryAfter time.Duration // how long the server asks to be left alone; 0 if it does not

	asksToWait bool // RetryAfter was sent, be it 0
}
