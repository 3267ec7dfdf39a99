package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/judge/execution"
	"github.com/seed-5817661a/concur/judge/program"
	"github.com/seed-5817661a/concur/judge/similarity"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Plan is one or more configurations over one dataset.
type Plan struct {
	Dataset *queries.Set
	Seed    int64
	// Today is the day of the run. It is used for {{today}} in prompts if a query has no time. It is zero if it
	// is not known.
	Today time.Time
	// Arms are the configurations. Arms with the same agent use the same traces: an arm with K traces reads the
	// first K of them. The limits of the first arm hold for the whole run.
	Arms  []Arm
	Price Price // nil if prices are unknown
	// Seconds returns the recorded duration of a trace. Checks of replayed traces need it. It is nil if the
	// traces are made now.
	Seconds func(trace.ID) (seconds float64, ok bool)
	// Programs decides the checks that are programs; nil if no query has such a check.
	Programs *program.Programs
	// Tests decides the checks that are tests of programs; nil if no query has such a check.
	Tests Tests
}

// Tests decides checks of the kind checks.Tests for a trace. The result has a key if it depends on more than the check.
type Tests interface {
	Decide(ctx context.Context, c checks.Check, q program.Question) checking.Result
}

// Arm is one configuration, with the agent and the models that the configuration names.
type Arm struct {
	Configuration config.Configuration
	AgentHash     string
	// First is the index of the first of the K traces. In a run it is 0. If the traces are fresh traces for an
	// earlier run, First is the number of traces that already exist with the same agent, seed and query.
	First int
	Agent agent.Agent
	Model model.Model
	// Recording returns the facts that were recorded about a trace that another program made. It is nil if the
	// traces are made now.
	Recording func(trace.ID) Recording
	Extractor *extract.Reader // reads answers that the rules cannot read; nil to use only rules
	// Verifier and Picker are the models of the consensus stages with these names. The judges judge every
	// decided query. A field is nil if the configuration does not use it.
	Verifier    *consensus.Verifier
	Picker      *consensus.Picker
	Correctness *judge.Correctness
	Quality     *judge.Quality
	Calibration *judge.Calibration // calibration of Correctness; nil without one
	Rubric      *judge.Rubric
	Similarity  *similarity.Measure // decides the checks similar; nil if no query has one
	// Databases executes the statements of golds and traces; nil if no gold is a statement.
	Databases *execution.Databases
}

// Control has the inputs of a run that are not part of its plan.
type Control struct {
	// Prior has the results of earlier sessions of the run, which are not computed again. It may be nil.
	Prior *store.Prior
	// Drain is a channel. When it is closed, no new traces start. Running traces are cancelled after the time
	// Grace.
	Drain <-chan struct{}
	Grace time.Duration
	// Clock returns the time for records. It is called from several goroutines. If it is nil, time.Now is used.
	Clock func() time.Time
	// Executor makes the traces. If it is nil, they are made in this process.
	Executor Executor
	// Parents gives requests to other servers the header traceparent. It is nil if the spans of the run are not sent.
	Parents Parents
	// Outputs receive everything that the run produces, in the order of this list. The run folder receives it
	// before them.
	Outputs []Output
}

// Parents returns the values of the header traceparent (W3C Trace Context), so that the spans of other servers join the
// spans of the run; "" sends no header.
type Parents interface {
	// OfRequest returns the value for a request to a model.
	OfRequest(model.Identity) string
	// OfAgent returns the value for the agent at a path of a trace; "" is the path of the trace's own agent.
	OfAgent(id trace.ID, path string) string
	// OfCall returns the value for the request of a tool to another server. step is the agent's turn.
	OfCall(c tool.Caller, step int) string
}

// ErrDrained is returned by Run when Drain was closed before every query had its record.
var ErrDrained = errors.New("run was interrupted")

// Run runs every trace of the plan, and appends events, exchanges and records to out. It goes query by query,
// in the order of the dataset. At most limits.concurrency traces run at the same time. Within each query the
// configurations run in an order drawn from the seed, so that a change at a provider affects all of them alike.
// At most one trace per core computes locally at a time.
//
// It returns nil when every query has its records; ErrDrained or ctx's error when it was stopped; and the
// store's error as soon as writing fails. It does not call Finish on out. The outputs in c get the same calls
// as out.
func (p Plan) Run(ctx context.Context, out *store.Writer, c Control) error {
	outputs := newOutputs(out, c.Outputs)
	err := p.run(ctx, out, outputs, c)
	outputs.end(err)
	return err
}

func (p Plan) run(ctx context.Context, folder *store.Writer, out *outputs, c Control) error {
	wrong := []error{p.Check()}
	for _, a := range p.Arms {
		wrong = append(wrong, a.decider().Validate())
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return newSchedule(p, folder, out, c).run(slot.With(ctx, runtime.GOMAXPROCS(0)))
}

// Check reports errors that would otherwise occur in the middle of a run. It needs only the configurations and
// the dataset, so that it can be called before models are opened.
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

func (a Arm) check(d *queries.Set) error {
	if err := a.Configuration.Validate(); err != nil {
		return err
	}
	if a.First < 0 {
		return fmt.Errorf("the first trace has index %d", a.First)
	}
	d = d.All() // a shard may lack the queries that expect tools, so look at the whole dataset
	if a.Configuration.Pass == judge.PassGoldTools && !d.Expects() {
		return fmt.Errorf("pass: %s, but no query of %s lists expected tools: add expects to queries, or "+
			"take --pass gold", judge.PassGoldTools, d.Name)
	}
	if ids := d.Similar(); len(ids) > 0 && a.Configuration.Judge.Embeddings == "" {
		return fmt.Errorf("the check similar of %s needs a model for embeddings: add to concur.yaml the line "+
			"judge: {embeddings: openai:text-embedding-3-small}, or another provider:model", ids[0])
	}
	if a.Configuration.Judge.Correctness != "" {
		return nil
	}
	if needJudge := d.Conditions(); len(needJudge) > 0 {
		return fmt.Errorf("the gold of %v has a condition, which only a correctness judge can decide, but no judge "+
			"is configured: name one as judge.correctness or with --judge, or leave these queries out with --query "+
			"or --category", needJudge)
	}
	return nil
}

// Recording has facts about a trace that another harness recorded.
type Recording struct {
	Verdict *judge.Verdict // replaces the gold's verdict; nil to use the gold
	Seconds float64        // duration of the trace; 0 if unknown
}

func (a *Arm) recording(id trace.ID) Recording {
	if a.Recording == nil {
		return Recording{}
	}
	return a.Recording(id)
}

// decider returns the consensus rules of the configuration, with the arm's own models.
func (a Arm) decider() consensus.Decider {
	of := a.Configuration.Consensus
	return consensus.Decider{Stages: of.Stages, Quorum: of.Quorum, Verifier: a.Verifier, Picker: a.Picker}
}
