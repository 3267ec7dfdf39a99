package fetch

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/internal/secret"
)

// Options configure a Client. The zero value is a polite client.
type Options struct {
	UserAgent string        // of requests that bring none
	Timeout   time.Duration // of one attempt, body and all; zero is 15 s
	MaxBody   int64         // bytes of an answer after decompression; zero is 2 MiB
	Retries   int           // further attempts; zero is 2, negative is none
	PerHost   int           // requests to one host at the same time, redirects aside; zero is 3
	Interval  time.Duration // at least between the starts of two requests to one host

	// AllowPrivate lets requests reach any address. Without it, only addresses of the
	// public Internet and those of Allow are connected to, whatever name or redirect led
	// there.
	AllowPrivate bool
	Allow        []netip.Prefix

	Sleep  func(ctx context.Context, d time.Duration) error // waits, or returns ctx's error; nil is a timer
	Now    func() time.Time                                 // nil is time.Now
	Jitter func() float64                                   // in [0,1); nil is random
}

func (o Options) withDefaults() Options {
	o.Timeout, o.MaxBody, o.Retries = cmp.Or(o.Timeout, 15*time.Second), cmp.Or(o.MaxBody, 2<<20), max(0, cmp.Or(o.Retries, 2))
	o.PerHost = cmp.Or(o.PerHost, 3) // what Wikimedia allows (wire-formats §1.4)
	if o.Sleep == nil {
		o.Sleep = pace.Sleep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return o
}

// Client sends requests. It is safe for concurrent use and meant to be shared, since the
// load per host is counted by it.
type Client struct {
	options   Options
	transport *http.Transport
	gates     gates
}

// New makes a client.
func New(o Options) *Client {
	o = o.withDefaults()
	t := Transport(o.AllowPrivate, o.Allow...)
	t.MaxIdleConnsPerHost = o.PerHost
	return &Client{options: o, transport: t, gates: gates{perHost: o.PerHost, interval: o.Interval}}
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

// Request is one request. It is sent again where that can help, so it must not be one
// that does harm when done twice.
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
	Status int
	Header http.Header
	Body   []byte
	URL    *url.URL // where redirects led to; its secrets are replaced by secret.Mark

	retryAfter time.Duration
	asksToWait bool // retryAfter was sent, be it 0
}
