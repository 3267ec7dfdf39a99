package external

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

// Proxy serves OpenAI's and Anthropic's endpoints to agents, on loopback. Each trace has its own key. The key
// is valid only while the trace runs, and only for the model of that trace.
type Proxy struct {
	spec     string // provider:model[?options], as configured
	listener net.Listener
	cancel   context.CancelFunc
	served   sync.WaitGroup
	keys     sync.Map // of running traces: string to *conversation
	embedder Embedder
}

// Embedder opens a model for embeddings. name is the name of the model without a provider; the provider is that
// of the agent's model. spec is the name with the provider. The model works as package embed describes. The
// proxy calls an Embedder for each request.
type Embedder func(name string) (spec string, m model.Model, err error)

// NewProxy serves on a free port until Close. spec is the configured model. If there is no embedder, requests
// for embeddings are refused.
func NewProxy(spec string, embedder Embedder) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open the proxy of the agent: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &Proxy{spec: spec, listener: listener, cancel: cancel, embedder: embedder}
	server := &serve.Server{Name: model.BareName(spec), Resolve: p.resolve}
	if embedder != nil {
		server.Embeddings = p.embeddings
	}
	p.served.Go(func() { _ = serve.Until(ctx, listener, server) }) // every exchange reports the same error
	return p, nil
}

// Close stops the server.
func (p *Proxy) Close() error {
	p.cancel()
	p.served.Wait()
	return nil
}

// open admits the agent of a trace.
func (p *Proxy) open(c *conversation) *Endpoint {
	key := "concur-" + rand.Text()
	p.keys.Store(key, c)
	base := p.Address()
	return &Endpoint{OpenAI: base + "/v1", Anthropic: base, Key: key}
}

// Address returns the server's URL, without a path.
func (p *Proxy) Address() string { return "http://" + p.listener.Addr().String() }

// resolve finds the trace of a key. If name is a model without a provider, it always means the configured
// model. If it has a provider, it must be equal to the configured model.
func (p *Proxy) resolve(_ *http.Request, key, name string) (model.Model, error) {
	c, err := p.trace(key)
	if err != nil {
		return nil, err
	}
	configured, _, _ := strings.Cut(p.spec, "?")
	if strings.Contains(name, ":") && name != configured && name != p.spec && name != model.BareName(p.spec) {
		return nil, serve.Refuse(http.StatusNotFound,
			fmt.Sprintf("the configuration names the model %s, not %s: use it, or leave the provider out",
				configured, name))
	}
	return c, nil
}

// trace finds the trace of a key.
func (p *Proxy) trace(key string) (*conversation, error) {
	found, _ := p.keys.Load(key)
	c, runs := found.(*conversation)
	if !runs {
		return nil, serve.Refuse(http.StatusUnauthorized,
			"no running trace has this key: use the key from the request, while its trace runs")
	}
	return c, nil
}

// embeddings opens a model for embeddings for the trace of a key, at the provider of the configured model. If
// the name has another provider, it is refused.
func (p *Proxy) embeddings(_ *http.Request, key, name string) (model.Model, error) {
	c, err := p.trace(key)
	if err != nil {
		return nil, err
	}
	provider, _, _ := strings.Cut(p.spec, ":")
	bare := strings.TrimPrefix(name, provider+":")
	if strings.ContainsAny(bare, "? \t\n") || bare == "" {
		text := fmt.Sprintf("%q is not the name of a model for embeddings at %s", name, provider)
		return nil, serve.Refuse(http.StatusNotFound, text)
	}
	spec, m, err := p.embedder(bare)
	if err != nil {
		text := fmt.Sprintf("the configured provider %s has no embeddings: %v", provider, err)
		return nil, serve.Refuse(http.StatusNotFound, text)
	}
	return c.embedding(spec, m), nil
}

// environment returns the endpoint as the environment variables that the clients of the providers read. If key
// is true, the key of the trace is one of them.
func (e *Endpoint) environment(key bool) []string {
	if e == nil {
		return nil
	}
	out := []string{
		"OPENAI_BASE_URL=" + e.OpenAI, "ANTHROPIC_BASE_URL=" + e.Anthropic,
		"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost",
	}
	if key {
		out = append(out, "OPENAI_API_KEY="+e.Key, "ANTHROPIC_API_KEY="+e.Key)
	}
	return out
}
