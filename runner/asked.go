package runner

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/model"
)

// asked is everyone who is asked about a query once its traces are there: verifier,
// picker and judges, with models that record what is sent for this query.
type asked struct {
	arm         *Arm
	decider     consensus.Decider
	correctness *judge.Correctness
	quality     *judge.Quality
	sent        int // calls really sent for this query; what a cache answered is not among them
}

func (s *schedule) forQuery(p *Arm) *asked {
	a := &asked{arm: p, decider: consensus.Decider{Stages: p.stages(), Quorum: p.quorum()}}
	if p.Verifier != nil {
		v := *p.Verifier
		v.Model = s.recorded(v.Model, v.Name, &a.sent)
		a.decider.Verifier = &v
	}
	if p.Picker != nil {
		v := *p.Picker
		v.Model = s.recorded(v.Model, p.Configuration.Verifier.Model, &a.sent)
		a.decider.Picker = &v
	}
	if p.Correctness != nil {
		j := *p.Correctness
		j.Model = s.recorded(j.Model, j.Name, &a.sent)
		a.correctness = &j
	}
	if p.Quality != nil {
		j := *p.Quality
		j.Model = s.recorded(j.Model, j.Name, &a.sent)
		a.quality = &j
	}
	return a
}

// single is a model whose every request is a conversation of its own. The parts of asked
// run one after another, so that sent needs no lock.
type single struct {
	schedule *schedule
	inner    model.Model
	name     string
	sent     *int
}

func (s *schedule) recorded(m model.Model, name string, sent *int) model.Model {
	return &single{s, m, name, sent}
}

// Complete asks the model and records the exchange. A model that panics has failed: the
// query is left unscored where it mattered, and the run goes on.
func (c *single) Complete(ctx context.Context, req model.Request) (resp model.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &model.Error{Kind: model.ErrUnavailable, Model: c.name, Err: fmt.Errorf("the model panicked: %v", p)}
		}
	}()
	*c.sent++
	r := &recorder{inner: c.inner, name: c.name, out: c.schedule.out, clock: c.schedule.control.Clock}
	return r.Complete(ctx, req)
}
