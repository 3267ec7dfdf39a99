package provider

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/runner/config"
)

// Limits on concurrent requests to a server on this machine: the limit at the start, and the maximum that a
// fast server can reach. The first is low, because such a server often answers requests one by one.
const (
	LoopbackStart = 4
	loopbackMost  = 64
)

// onLoopback reports whether an address is on this machine.
func onLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// ollama is a provider of local models, even on another machine.
const ollama = "ollama"

// Paid returns the models of a configuration that may cost money. Models on this machine and models of ollama
// cost none.
func (o *Opener) Paid(c config.Configuration) (out []string) {
	for _, text := range ModelNames(c.Effective()) {
		if s, err := parseSpec(text); err != nil || !o.free(text, s, c.Providers) {
			out = append(out, text)
		}
	}
	return out
}

// free reports whether a model costs no money because it is on this machine or at ollama.
func (o *Opener) free(text string, s spec, providers Providers) bool {
	_, local := o.local[s.provider]
	address, _, _ := strings.Cut(o.ModelVersion(text, providers), " ")
	return local || s.provider == ollama || onLoopback(address)
}

// endpointLimits returns the limits for all models at one address together.
func (m *Models) endpointLimits(text string) limit.Endpoint {
	s, _ := parseSpec(text) // Model has validated the spec
	address, _, _ := strings.Cut(m.opener.ModelVersion(text, m.conf.Providers), " ")
	key := s.provider + " " + address
	if e, ok := m.shared[key]; ok {
		return e
	}
	l := m.conf.Limits
	bound := &limit.Concurrency{Most: l.Traces(), Timeout: s.duration("timeout"),
		OnChange: func(from, to int, why string) {
			m.Log(fmt.Sprintf("%s: %d requests at once, %d before: %s", key, to, from, why))
		}}
	if l.Concurrency == 0 && onLoopback(address) {
		bound.Start, bound.Most = LoopbackStart, loopbackMost
	}
	e := limit.Endpoint{
		Concurrency: bound,
		Circuit:     &limit.Circuit{GiveUp: l.GiveUp, OnOpen: func(e *limit.OpenError) { m.stop(e) }},
	}
	switch limited := l.RPM > 0 || l.TPM > 0; {
	case limited && m.options.Permit != nil:
		e.Permit = func(ctx context.Context, tokens int) error { return m.options.Permit(ctx, key, tokens) }
	case limited:
		e.Rate = &limit.Rate{RPM: l.RPM, TPM: l.TPM}
	}
	m.shared[key] = e
	return e
}

// Endpoints returns the names of the endpoints whose limits of requests and tokens are shared with other processes.
func (m *Models) Endpoints() (names []string) {
	for name, e := range m.shared {
		if e.Permit != nil {
			names = append(names, name)
		}
	}
	return names
}

// QuietAfter is a time: if no request has finished for this time, Watch reports for the first time that the run
// is waiting.
const QuietAfter = 30 * time.Second

// Watch calls say if no request to an endpoint has ended for QuietAfter. It calls say again each time that this
// waiting time has doubled. stop ends the watch.
func (m *Models) Watch(say func(string)) (stop func()) {
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		ticker := time.NewTicker(QuietAfter / 6)
		defer ticker.Stop()
		told := map[string]time.Duration{}
		for {
			select {
			case <-done:
				return
			case now := <-ticker.C:
				for _, text := range m.quiet(now, told) {
					say(text)
				}
			}
		}
	}()
	return func() {
		close(done)
		<-over
	}
}

// quiet returns messages about endpoints of which no request has finished for a long time. told has, for each
// endpoint, the waiting time in its last message.
func (m *Models) quiet(now time.Time, told map[string]time.Duration) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(m.shared)) {
		load := m.shared[key].Concurrency.Load()
		quiet := now.Sub(load.Quiet)
		if load.Out == 0 || quiet < QuietAfter {
			delete(told, key)
			continue
		}
		if quiet < 2*told[key] {
			continue
		}
		told[key] = quiet
		help := "wait, or end the run and use a faster model"
		if load.Out+load.Queued > 1 {
			help = "use --concurrency 1 if the server answers one request at a time"
		}
		provider, address, _ := strings.Cut(key, " ")
		out = append(out, fmt.Sprintf("no request has ended for %v: %d are in progress at %s (%s), "+
			"%d are waiting to be sent; %s",
			quiet.Round(time.Second), load.Out, address, provider, load.Queued, help))
	}
	return out
}
