package wire

import (
	"net"
	"net/http"
	"time"
)

const (
	// dialTimeout ends connections to silent hosts early.
	dialTimeout = 5 * time.Second
	// idleConns is the number of idle connections in a model's pool.
	idleConns = 128
	// idleTimeout closes them soon after a run, because a process with many runs, such as a
	// gate, would run out of files.
	idleTimeout = 10 * time.Second
)

// Client sends requests through a transport; nil makes a pool of connections for one model.
// Redirects are reported and not followed, so that a key reaches no other host.
func Client(through http.RoundTripper) *http.Client {
	if through == nil {
		through = pool()
	}
	return &http.Client{Transport: through, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func pool() http.RoundTripper {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if d, ok := http.DefaultTransport.(*http.Transport); ok {
		t = d.Clone()
	}
	t.DialContext = (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext
	t.MaxIdleConns, t.MaxIdleConnsPerHost, t.IdleConnTimeout = idleConns, idleConns, idleTimeout
	return t
}
