package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/model/scoring"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/offline/ngram"
	"github.com/seed-5817661a/concur/runner/store"
)

// OpenScorer opens a scorer, named offline:ngram or PROVIDER:MODEL, with the limits and the budget of the run, or a
// replayed one. A scorer that is not replayed is first tried with a known text. Each later exchange is passed to
// record, one at a time; record may be nil.
func (m *Models) OpenScorer(ctx context.Context, text string, record func(store.Exchange)) (model.Scorer, error) {
	opened, err := m.openBy(text, func(text string) (model.Model, error) { return m.openTried(ctx, text) })
	if err != nil {
		return nil, fmt.Errorf("scorer %q: %w", text, err)
	}
	if record != nil {
		opened = runner.Recorder(opened, text, record)
	}
	return scoring.Scorer(opened, text), nil
}

// openTried opens a scorer with its limits, as a model, and tries it. Of the forms in which endpoints give
// log-probabilities, the first one that works is used.
func (m *Models) openTried(ctx context.Context, text string) (model.Model, error) {
	s, err := parseSpec(text)
	if err != nil {
		return nil, err
	}
	if _, local := m.opener.local[s.provider]; local {
		inner, err := openLocalScorer(s)
		if err != nil || m.budget == nil {
			return inner, err
		}
		return m.budget.Wrap(text, inner, m.charged(text))
	}
	inner, err := m.opener.openCompletions(s, m.conf.Providers)
	if err != nil {
		return nil, err
	}
	var failed error
	for _, form := range openai.ScoreForms() {
		limited, err := m.limited(text, inner.Scores(form))
		if err != nil {
			return nil, err
		}
		err = scoring.Try(ctx, scoring.Scorer(limited, text))
		if err == nil {
			return limited, nil
		}
		if _, refused := errors.AsType[*scoring.RefusedError](err); !refused {
			return nil, err
		}
		failed = cmp.Or(failed, err)
	}
	return nil, failed
}

// openCompletions opens a model at an endpoint that has text completions.
func (o *Opener) openCompletions(s spec, providers Providers) (*openai.Model, error) {
	e, err := o.endpoint(providers, s.provider)
	if err != nil {
		return nil, err
	}
	if e.Kind != endpoints.OpenAI && e.Kind != endpoints.Responses {
		return nil, errors.New("it has no log-probabilities of a text: name a server of text completions, such as vLLM, " +
			"or " + ngram.FullName)
	}
	e, key, err := e.Resolve(o.environ)
	if err == nil {
		e, err = e.Fill(o.environ)
	}
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

// Served opens what concur serve offers under a model's name, without limits: a model, and the model of package scoring
// for log-probabilities, which is nil for most names. The model offline:ngram only gives log-probabilities, so it fails
// for every other request.
func (o *Opener) Served(text string, providers Providers) (m, scores model.Model, err error) {
	s, err := parseSpec(text)
	if _, local := o.local[s.provider]; err != nil || !local || s.name != ngram.Name {
		m, err = o.Model(text, providers)
		return m, nil, err
	}
	if scores, err = openLocalScorer(s); err != nil {
		return nil, nil, fmt.Errorf("model %q: %w", text, err)
	}
	return silent{}, scores, nil
}

// silent is the model of a scorer that writes no replies.
type silent struct{}

func (silent) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: ngram.FullName,
		Err: errors.New("it writes no text: send POST /v1/completions with echo true, logprobs 1 and max_tokens 0")}
}

// openLocalScorer opens a scorer that needs neither a key nor a network.
func openLocalScorer(s spec) (model.Model, error) {
	if s.name != ngram.Name {
		return nil, fmt.Errorf("it has no log-probabilities: use %s", ngram.FullName)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	m, err := ngram.Builtin()
	if err != nil {
		return nil, err
	}
	return scoring.Model(m, ngram.FullName), nil
}
