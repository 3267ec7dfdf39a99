package assemble

import (
	"errors"
	"fmt"
	"sync"

	"github.com/seed-5817661a/concur/judge/similarity"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/external"
)

// openEmbeddings opens a model for embeddings. OpenAI's two protocols have the same request for embeddings.
func (a *Assembler) openEmbeddings(text string, providers Providers) (*openai.Model, error) {
	s, e, err := a.embeds(text, providers)
	if err != nil {
		return nil, err
	}
	e, key, err := e.Resolve(a.environ)
	if err != nil {
		return nil, err
	}
	e.Kind = endpoints.OpenAI
	o := openai.Options{Endpoint: e, APIKey: key, Model: s.name, Timeout: s.duration("timeout")}
	if err := s.check(); err != nil {
		return nil, err
	}
	return openai.New(o)
}

// embeds finds the endpoint of a model for embeddings. It returns an error if the provider has no embeddings.
func (a *Assembler) embeds(text string, providers Providers) (s spec, e endpoints.Endpoint, err error) {
	if s, err = parseSpec(text); err != nil {
		return s, e, err
	}
	if _, local := a.local[s.provider]; !local {
		e, err = a.endpoint(providers, s.provider)
	}
	if err == nil && e.Kind != endpoints.OpenAI && e.Kind != endpoints.Responses {
		err = errors.New("only endpoints that speak OpenAI's protocol have embeddings: name one of them")
	}
	return s, e, err
}

// openSimilarity opens the model for embeddings of the checks similar, if the dataset has such checks.
func (s *Session) openSimilarity(a *runner.Arm) error {
	spec := a.Configuration.Judge.Embeddings
	if spec == "" || s.Draft.Dataset == nil || len(s.Draft.Dataset.Similar()) == 0 {
		return nil
	}
	m, err := openOnce(s.vectors, spec, func() (model.Model, error) { return s.Models.openVectors(spec) })
	if err != nil {
		return fmt.Errorf("judge.embeddings %q: %w", spec, err)
	}
	a.Similarity = &similarity.Measure{Model: m, Name: spec, Cache: &s.compared}
	return nil
}

// openVectors opens a model for embeddings with the limits and the budget of the run, or a replayed one.
func (m *Models) openVectors(text string) (model.Model, error) {
	return m.openBy(text, func(text string) (model.Model, error) {
		inner, err := m.a.openEmbeddings(text, m.conf.Providers)
		if err != nil {
			return nil, err
		}
		return m.limited(text, inner.Embeddings())
	})
}

// maxEmbedders limits the number of models for embeddings that a configuration opens. The limit is needed
// because agents choose the names of these models.
const maxEmbedders = 8

// embedder opens models for embeddings of the same provider as an agent's model. Their calls have the same
// limits and budget as other calls, and can be replayed.
func (m *Models) embedder(of string) external.Embedder {
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
		if _, known := open[text]; !known && len(open) == maxEmbedders {
			return text, nil, fmt.Errorf("the agent has used %d models already, the maximum",
				maxEmbedders)
		}
		found, err := openOnce(open, text, func() (model.Model, error) { return m.openVectors(text) })
		return text, found, err
	}
}

// refuses returns an error if a model for embeddings may not be called. A replay must refuse the same models as
// the recorded run, because refusals are not in the recording.
func (m *Models) refuses(text string) error {
	if _, _, err := m.a.embeds(text, m.conf.Providers); err != nil {
		return err
	}
	if _, known := m.cost(text); !known && m.conf.Limits.USD > 0 {
		return fmt.Errorf("limits.usd is set, and the price of %s is not known: add it to a price file", text)
	}
	return nil
}
