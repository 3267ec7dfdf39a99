package wire

import (
	"net"
	"net/http"
	"time"
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
