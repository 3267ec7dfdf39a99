package wire

import (
	"net"
	"net/http"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

const (
	// dialTimeout finds out soon about a host that answers nothing.
	dialTimeout = 5 * time.Second
	// idleConns is how many connections a model's own pool keeps open to its endpoint.
	idleConns = 128
)

// Pool is a pool of connections for one model alone.
func Pool() http.RoundTripper {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if d, ok := http.DefaultTransport.(*http.Transport); ok {
		t = d.Clone()
	}
	t.DialContext = (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext
	t.MaxIdleConns, t.MaxIdleConnsPerHost = idleConns, idleConns
	return t
}

// Advice is the way out of a rejection where it is the same at every endpoint; "" elsewhere.
func Advice(kind model.ErrorKind) string {
	switch kind {
	case model.ErrQuota:
		return "top up the account or raise its quota; waiting alone may not help"
	case model.ErrRateLimited:
		return "wait, or lower --concurrency"
	case model.ErrContextOverflow:
		return "shorten the conversation, or choose a model with a longer context"
	case model.ErrContentFilter:
		return "the provider's filter stopped it; only another text or provider passes"
	case model.ErrTimeout, model.ErrUnavailable:
		return "the endpoint is at fault; try again later"
	default:
		return ""
	}
}
