package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Plan is one configuration over one dataset, with everything that the names in it
// stand for.
type Plan struct {
	Configuration config.Configuration
	AgentHash     string
	Dataset       *datasets.Dataset
	Seed          int64
	Agent         agent.Agent
	Model         model.Model
	// Price is what a usage of a model, named as in the configuration, costs in USD; known
	// is false where there is no price. Nil knows none.
	Price func(spec string, u model.Usage) (usd float64, known bool)
	// Verifier and Picker serve the consensus stages of these names; nil without them.
	Verifier *consensus.Verifier
	Picker   *consensus.Picker
	// Correctness and Quality judge every decided query; nil is none.
	Correctness *judge.Correctness
	Quality     *judge.Quality
}

// Control is what a run is given from outside.
type Control struct {
	// Prior is what earlier sessions of the run have finished, and is not run again; nil
	// is nothing.
	Prior *store.Prior
	// Drain, once closed, lets no new trace begin. Traces in flight go on until Grace
	// has passed; then they are cancelled.
	Drain <-chan struct{}
	Grace time.Duration
	// Clock tells the time; it is used for records only, never for a decision. Nil is
	// time.Now. It is called from several goroutines.
	Clock func() time.Time
	// OnEvent is told of everything that happens in a trace, as it happens; OnTrace and
	// OnRecord are told of what is finished, and of a record after its traces. One call
	// comes at a time. Each may be nil.
	OnEvent  func(trace.Event)
	OnTrace  func(trace.Trace)
	OnRecord func(store.Record)
}

// ErrDrained is returned by Run when Drain was closed before every query had its record.
var ErrDrained = errors.New("run was interrupted")

// Run runs every trace of the plan, bounded by limits.concurrency and query by query in
// the dataset's order, and appends events, exchanges and records to out. It returns nil
// when every query has its record; ErrDrained or ctx's error when it was stopped; and
// the store's error as soon as nothing can be written any more. It does not finish out.
func (p Plan) Run(ctx context.Context, out *store.Writer, c Control) error {
	if err := errors.Join(p.Check(), p.checkOpen()); err != nil {
		return err
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return newSchedule(p, out, c).run(ctx)
}

// Check refuses what would only show in the middle of a run: it looks at configuration
// and dataset alone, so that it can be asked before anything is opened.
func (p Plan) Check() error {
	if err := p.Configuration.Validate(); err != nil {
		return fmt.Errorf("configuration %s: %w", p.Configuration.Name, err)
	}
	if p.Configuration.Judge.Correctness != "" {
		return nil
	}
	var needJudge []string
	for _, q := range p.Dataset.Queries {
		if q.Gold.Condition != "" {
			needJudge = append(needJudge, q.ID)
		}
	}
	if len(needJudge) > 0 {
		return fmt.Errorf("the gold of %v holds a condition, which only a correctness judge can decide, and none is configured: name one as judge.correctness or with --judge, or leave these queries out with --query or --category", needJudge)
	}
	return nil
}

// checkOpen says which of the models that the configuration asks for are missing.
func (p Plan) checkOpen() error {
	var wrong []error
	if err := (consensus.Decider{Stages: p.stages(), Verifier: p.Verifier, Picker: p.Picker}).Validate(); err != nil {
		wrong = append(wrong, err)
	}
	if p.Configuration.Judge.Correctness != "" && p.Correctness == nil {
		wrong = append(wrong, errors.New("the correctness judge was not opened"))
	}
	if p.Configuration.Judge.Quality != "" && p.Quality == nil {
		wrong = append(wrong, errors.New("the quality judge was not opened"))
	}
	return errors.Join(wrong...)
}

func (p Plan) stages() []consensus.Stage {
	out := make([]consensus.Stage, len(p.Configuration.Consensus.Stages))
	for i, s := range p.Configuration.Consensus.Stages {
		out[i] = consensus.Stage(s)
	}
	return out
}
