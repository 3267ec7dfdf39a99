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
	maxBody = 2 << 20 // maximum bytes of an answer after decompression
	perHost = 3       // concurrent requests to one host by default, the limit of Wikimedia
)

// Options configure a Client. The zero value is a polite client.
type Options struct {
	UserAgent string        // for requests without their own
	Timeout   time.Duration // limit of one attempt, including the body; 0 means 15 s
	Retries   int           // additional attempts; 0 means 2, negative means none
	PerHost   int           // requests to one host at the same time; 0 means 3

	// Transport sends the requests in place of the network, such as recorded replies; nil means the network.
	Transport http.RoundTripper

	// AllowPrivate allows requests to any address. Without it, only addresses of the public Internet and
	// those in Allow are reached, whichever name or redirect leads to them.
	AllowPrivate bool
	Allow        []netip.Prefix

	Sleep  func(ctx context.Context, d time.Duration) error // waits, or returns ctx's error; nil means a timer
	Now    func() time.Time                                 // nil means time.Now
	Jitter func() float64                                   // in [0,1); nil means random
}

// Client sends requests, a limited number to one host at the same time, not counting redirects. It is safe for
// concurrent use. Share one Client, because it counts the load per host.
type Client struct {
	options   Options
	transport http.RoundTripper
	slots     sync.Map // a chan struct{} by host
}

// New makes a client.
func New(o Options) *Client {
	o.Timeout, o.Retries = cmp.Or(o.Timeout, 15*time.Second), max(0, cmp.Or(o.Retries, 2))
	o.PerHost = cmp.Or(o.PerHost, perHost)
	if o.Sleep == nil {
		o.Sleep = pace.Sleep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	if o.Transport != nil {
		return &Client{options: o, transport: o.Transport}
	}
	t := Transport(o.AllowPrivate, o.Allow...)
	t.MaxIdleConnsPerHost = o.PerHost
	return &Client{options: o, transport: t}
}

// Transport connects only to addresses of the public Internet and those in allow, or to any address: see
// Options.AllowPrivate. For other addresses its error is ErrPrivateAddress.
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
func (c *Client) Close() {
	if t, idle := c.transport.(interface{ CloseIdleConnections() }); idle {
		t.CloseIdleConnections()
	}
}

// Request is one request. It may be sent again, so sending it twice must do no harm.
type Request struct {
	Method string // "" means GET
	URL    string // http or https, without user and password
	Header http.Header
	Body   []byte
	// Secrets are values, such as API keys, that are removed from errors and from Response.URL; values of
	// less than eight characters are ignored. A redirect to another host gets neither them nor any header
	// except User-Agent, Accept and Accept-Language.
	Secrets []string
	// NoRedirect returns an answer of status 3xx instead of following it.
	NoRedirect bool
	// Jar keeps cookies between requests; nil if cookies are neither kept nor sent.
	Jar http.CookieJar

	hider *secret.Hider // hides Secrets
}

// Response is a completely read answer.
type Response struct {
	Status     int
	Header     http.Header
	Body       []byte
	URL        *url.URL      // final URL after redirects; its secrets are replaced by secret.Mark
	RetryAfter time.Duration // wait that the server asks for; 0 if it asks for none

	asksToWait bool // RetryAfter was sent, perhaps as 0
}
