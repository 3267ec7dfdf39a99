package assemble

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/seed-5817661a/concur/runner/config"
)

// reachWait limits the time of ReachAgent.
const reachWait = 5 * time.Second

// ReachAgent returns an error if agent.http of a configuration cannot be reached from this machine, so that a worker of
// a hub does not fail all traces that it takes. It only connects, and sends nothing. It does nothing for other agents,
// and for an address that is reached through a proxy of the environment.
func (a *Assembler) ReachAgent(ctx context.Context, c config.Configuration) error {
	e := c.Agent.External
	if e.HTTP == "" {
		return nil
	}
	address, keys, err := e.Address(a.Variable)
	if err != nil {
		return err
	}
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("agent.http: %s is not a URL", e.HTTP) // without the values of variables
	}
	if proxy, err := http.ProxyFromEnvironment(&http.Request{URL: u}); err != nil || proxy != nil {
		return nil
	}
	host := net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), map[string]string{"https": "443"}[u.Scheme], "80"))
	ctx, cancel := context.WithTimeout(ctx, reachWait)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	if err != nil {
		return fmt.Errorf("agent.http: this machine cannot reach %s: %w", e.HTTP, a.HiderOf(nil, keys...).Error(err))
	}
	return conn.Close()
}
