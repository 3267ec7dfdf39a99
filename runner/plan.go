package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Plan is one or several configurations over one dataset.
type Plan struct {
	Dataset *datasets.Dataset
	Seed    int64
	// Arms are the configurations. Those with the same agent share their traces: an arm of K
	// reads the first K of them. Limits are those of the first arm, and bound the run as a
	// whole.
	Arms []Arm
	// Price is what a usage of a model, named as in the configuration, costs in USD; known
	// is false where there is no price. Nil knows none.
	Price func(spec string, u model.Usage) (usd float64, known bool)
}

// Arm is one configuration with everything that the names in it stand for.
type Arm struct {
	Configuration config.Configuration
	AgentHash     string
	// First is the index of the first of the K traces: those of a run begin at 0, and fresh
	// traces of the same agent, seed and query where others ended.
	First int
	Agent agent.Agent
	Model model.Model
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
// the dataset's order, and appends events, exchanges and records to out. Several
// configurations take turns within each query in an order drawn from the seed, so that
// what changes at a provider in the meantime hits all of them alike. What traces compute in
// this process takes turns on as many slots as there are cores. It returns nil
// when every query has its records; ErrDrained or ctx's error when it was stopped; and
// the store's error as soon as nothing can be written any more. It does not finish out.
func (p Plan) Run(ctx context.Context, out *store.Writer, c Control) error {
	wrong := []error{p.Check()}
	for _, a := range p.Arms {
		wrong = append(wrong, a.checkOpen())
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return newSchedule(p, out, c).run(slot.With(ctx, runtime.GOMAXPROCS(0)))
}

// Check refuses what would only show in the middle of a run: it looks at configurations
// and dataset alone, so that it can be asked before anything is opened.
func (p Plan) Check() error {
	if len(p.Arms) == 0 {
		return errors.New("the plan has no configuration")
	}
	var wrong []error
	names := map[string]bool{}
	for _, a := range p.Arms {
		if names[a.Configuration.Name] {
			wrong = append(wrong, fmt.Errorf("two configurations are named %s", a.Configuration.Name))
		}
		names[a.Configuration.Name] = true
		if err := a.check(p.Dataset); err != nil {
			wrong = append(wrong, fmt.Errorf("configuration %s: %w", a.Configuration.Name, err))
		}
	}
	return errors.Join(wrong...)
}

func (a Arm) check(d *datasets.Dataset) error {
	if err := a.Configuration.Validate(); err != nil {
		return err
	}
	if a.First < 0 {
		return fmt.Errorf("the first trace has index %d", a.First)
	}
	if a.Configuration.Judge.Correctness != "" {
		return nil
	}
	var needJudge []string
	for _, q := range d.Queries {
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
func (a Arm) checkOpen() error {
	var wrong []error
	if err := (consensus.Decider{Stages: a.stages(), Quorum: a.quorum(), Verifier: a.Verifier, Picker: a.Picker}).Validate(); err != nil {
		wrong = append(wrong, err)
	}
	if a.Configuration.Judge.Correctness != "" && a.Correctness == nil {
		wrong = append(wrong, errors.New("the correctness judge was not opened"))
	}
	if a.Configuration.Judge.Quality != "" && a.Quality == nil {
		wrong = append(wrong, errors.New("the quality judge was not opened"))
	}
	return errors.Join(wrong...)
}

func (a Arm) quorum() consensus.Quorum {
	return consensus.Quorum(a.Configuration.Consensus.Quorum)
}

func (a Arm) stages() []consensus.Stage {
	out := make([]consensus.Stage, len(a.Configuration.Consensus.Stages))
	for i, s := range a.Configuration.Consensus.Stages {
		out[i] = consensus.Stage(s)
	}
	return out
}
