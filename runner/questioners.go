package runner

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
)

// questioners has an arm in which extractor, verifier, picker and judges record their exchanges about one
// query.
type questioners struct {
	Arm
	sent int // calls that were sent for this query; cached replies are not counted
}

func (s *schedule) questioners(p *Arm) *questioners {
	a := &questioners{Arm: *p}
	if p.Extractor != nil {
		x := *p.Extractor
		x.Model = &recordedModel{s, x.Model, x.Name, &a.sent}
		a.Extractor = &x
	}
	if p.Verifier != nil {
		v := *p.Verifier
		v.Model = &recordedModel{s, v.Model, v.Name, &a.sent}
		a.Verifier = &v
	}
	if p.Picker != nil {
		v := *p.Picker
		v.Model = &recordedModel{s, v.Model, p.Configuration.Verifier.Model, &a.sent}
		a.Picker = &v
	}
	record := func(set judge.Settings) judge.Settings {
		set.Model = &recordedModel{s, set.Model, set.Name, &a.sent}
		return set
	}
	if p.Correctness != nil {
		a.Correctness = &judge.Correctness{Settings: record(p.Correctness.Settings)}
		if panel := p.Correctness.Panel; panel != nil {
			a.Correctness.Panel = &judge.Panel{Rule: panel.Rule, Weights: panel.Weights}
			for _, m := range panel.Members {
				a.Correctness.Panel.Members = append(a.Correctness.Panel.Members,
					&judge.Correctness{Settings: record(m.Settings)})
			}
		}
	}
	if p.Quality != nil {
		a.Quality = &judge.Quality{Settings: record(p.Quality.Settings)}
	}
	if p.Rubric != nil {
		a.Rubric = &judge.Rubric{Settings: record(p.Rubric.Settings), Items: p.Rubric.Items}
	}
	if p.Similarity != nil {
		m := *p.Similarity
		m.Model = &recordedModel{s, m.Model, m.Name, &a.sent}
		a.Similarity = &m
	}
	return a
}

// recordedModel records each request as a conversation of its own. The extractor, verifier, picker and judges
// of a query run one after another, so that the field sent needs no lock.
type recordedModel struct {
	schedule *schedule
	inner    model.Model
	name     string
	sent     *int
}

// Complete asks the model and records the exchange. A panic of the model counts as a failed call. The query may
// then become unscored, and the run continues.
func (c *recordedModel) Complete(ctx context.Context, req model.Request) (resp model.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &model.Error{Kind: model.ErrUnavailable, Model: c.name, Err: fmt.Errorf("the model panicked: %v", p)}
		}
	}()
	*c.sent++
	r := &recorder{inner: c.inner, name: c.name, out: c.schedule.out, clock: c.schedule.control.Clock,
		sent: &sentCount{}, parents: c.schedule.control.Parents}
	return r.Complete(ctx, req)
}
