package confine

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/sandbox"
)

// gateway is the HTTP proxy through which a program in a sandbox reaches the hosts that the user allows. It runs
// outside the sandbox. The attacker is the program: it may ask for any host, and may control the names of a host that
// is allowed. A name that leads to an address outside the public Internet is therefore refused, unless the user wrote
// the address itself.
type gateway struct {
	hosts   map[string]sandbox.Host // by address
	public  *http.Transport
	any     *http.Transport
	serving chan net.Conn

	mu      sync.Mutex
	refused map[string]bool
}

// maxReported is the number of refused hosts that are reported; a program could ask for very many.
const maxReported = 20

// Limits of a connection to the gateway.
const (
	headerTime = time.Minute
	idleTime   = time.Minute
	headerSize = 64 << 10
)

// newGateway returns the gateway of a program. proxy is the address of concur's own proxy, which is also allowed,
// because some programs send all their requests through the proxy of their environment.
func newGateway(hosts []sandbox.Host, proxy string) *gateway {
	g := &gateway{hosts: map[string]sandbox.Host{}, public: fetch.Transport(false), any: fetch.Transport(true),
		serving: make(chan net.Conn), refused: map[string]bool{}}
	for _, h := range hosts {
		g.hosts[h.Address] = h
	}
	if proxy != "" {
		g.hosts[proxy] = sandbox.Host{Address: proxy}
	}
	server := &http.Server{Handler: g, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerSize}
	go func() { _ = server.Serve(passedOn{g.serving}) }() // it ends with the process
	return g
}

// transport returns the transport for a host.
func (g *gateway) transport(h sandbox.Host) *http.Transport {
	name, _, _ := net.SplitHostPort(h.Address) // it has a port
	if _, err := netip.ParseAddr(name); err == nil || name == "localhost" {
		return g.any
	}
	return g.public
}

// ServeHTTP passes a request or a connection on, or refuses it with the line that would allow it.
func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	tunnel := r.Method == http.MethodConnect
	asked, scheme := r.Host, "https"
	if !tunnel {
		asked, scheme = r.URL.Host, r.URL.Scheme
	}
	wanted, is, err := sandbox.ReadHost(scheme + "://" + asked)
	if !is || err != nil {
		http.Error(w, "concur's proxy needs an absolute URL, or CONNECT with a host", http.StatusBadRequest)
		return
	}
	allowed, found := g.hosts[wanted.Address]
	if !found || !tunnel && allowed.Encrypted {
		entry := scheme + "://" + strings.TrimSuffix(asked, ":443")
		g.report(entry)
		http.Error(w, fmt.Sprintf("the sandbox does not allow %s: add it to sandbox_allow", entry), http.StatusForbidden)
		return
	}
	if tunnel {
		g.tunnel(w, r, allowed)
		return
	}
	pass := httputil.ReverseProxy{
		Rewrite:       func(p *httputil.ProxyRequest) { p.Out.URL.Host, p.Out.Host = allowed.Address, p.In.Host },
		Transport:     g.transport(allowed),
		FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusBadGateway)
		},
	}
	pass.ServeHTTP(w, r)
}

// tunnel connects the program with a host.
func (g *gateway) tunnel(w http.ResponseWriter, r *http.Request, to sandbox.Host) {
	outer, err := g.transport(to).DialContext(r.Context(), "tcp", to.Address)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer outer.Close()
	inner, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer inner.Close()
	_ = inner.SetDeadline(time.Time{}) // the server's own deadline is for the header
	if _, err := inner.Write([]byte("HTTP/1.1 200 Connection established\r\n\r\n")); err != nil {
		return
	}
	early := make([]byte, buffered.Reader.Buffered())
	if _, err := buffered.Reader.Read(early); err != nil && len(early) > 0 {
		return
	}
	if _, err := outer.Write(early); err != nil {
		return
	}
	copyBetween(inner, outer)
}

// report writes a refused host to standard error, which concur keeps in the log of the run.
func (g *gateway) report(host string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.refused[host] && len(g.refused) < maxReported {
		g.refused[host] = true
		fmt.Fprintf(os.Stderr, "the sandbox refused a connection to %.200q: add it to sandbox_allow\n", host)
	}
}

// passedOn is a listener that gets its connections from a channel.
type passedOn struct{ connections <-chan net.Conn }

func (p passedOn) Accept() (net.Conn, error) {
	c, open := <-p.connections
	if !open {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p passedOn) Close() error { return nil }

func (p passedOn) Addr() net.Addr { return &net.TCPAddr{} }
