package provider

import (
	"errors"
	"fmt"
	"sync"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/runner/agent/external"
)

// OpenEmbeddings opens a model for embeddings. OpenAI's two protocols have the same request for embeddings.
func (o *Opener) OpenEmbeddings(text string, providers Providers) (*openai.Model, error) {
	s, e, err := o.embeds(text, providers)
	if err != nil {
		return nil, err
	}
	e, key, err := e.Resolve(o.environ)
	if err != nil {
		return nil, err
	}
	e.Kind = endpoints.OpenAI
	options := openai.Options{Endpoint: e, APIKey: key, Model: s.name, Timeout: s.duration("timeout")}
	if err := s.check(); err != nil {
		return nil, err
	}
	return openai.New(options)
}

// embeds finds the endpoint of a model for embeddings. It returns an error if the provider has no embeddings.
func (o *Opener) embeds(text string, providers Providers) (s spec, e endpoints.Endpoint, err error) {
	if s, err = parseSpec(text); err != nil {
		return s, e, err
	}
	if _, local := o.local[s.provider]; !local {
		e, err = o.endpoint(providers, s.provider)
	}
	if err == nil && e.Kind != endpoints.OpenAI && e.Kind != endpoints.Responses {
		err = errors.New("only endpoints that speak OpenAI's protocol have embeddings: name one of them")
	}
	return s, e, err
}

// OpenVectors opens a model for embeddings with the limits and the budget of the run, or a replayed one.
func (m *Models) OpenVectors(text string) (model.Model, error) {
	return m.openBy(text, func(text string) (model.Model, error) {
		inner, err := m.opener.OpenEmbeddings(text, m.conf.Providers)
		if err != nil {
			return nil, err
		}
		return m.limited(text, inner.Embeddings())
	})
}

// maxEmbedders limits the number of models for embeddings that a configuration opens. The limit is needed
// because agents choose the names of these models.
const maxEmbedders = 8

// Embedder opens models for embeddings of the same provider as an agent's model. Their calls have the same
// limits and budget as other calls, and can be replayed.
func (m *Models) Embedder(of string) external.Embedder {
	s, _ := parseSpec(of) // the configuration's model is open, so its spec is valid
	var mu sync.Mutex
	open := map[string]model.Model{}
	return func(name string) (string, model.Model, error) {
		text := s.provider + ":" + name
		if err := m.refuses(text); err != nil {
			return text, nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		if found, known := open[text]; known {
			return text, found, nil
		}
		if len(open) == maxEmbedders {
			return text, nil, fmt.Errorf("the agent has used %d models already, the maximum",
				maxEmbedders)
		}
		found, err := m.OpenVectors(text)
		if err == nil {
			open[text] = found
		}
		return text, found, err
	}
}

// refuses returns an error if a model for embeddings may not be called. A replay must refuse the same models as
// the recorded run, because refusals are not in the recording.
func (m *Models) refuses(text string) error {
	if _, _, err := m.opener.embeds(text, m.conf.Providers); err != nil {
		return err
	}
	if _, known := m.cost(text); !known && m.conf.Limits.USD > 0 {
		return fmt.Errorf("limits.usd is set, and the price of %s is not known: add it to a price file", text)
	}
	return nil
}
