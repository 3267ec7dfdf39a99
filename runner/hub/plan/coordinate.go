package plan

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/rate"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/workers"
	"github.com/seed-5817661a/concur/trace"
)

// Settings of a coordinator that a user chooses; see coordinator.Options.
type Settings struct {
	Places, Losses int
	Times          coordinator.Times
	Log, Warn      func(string)
}

// Coordinated is a runner.Executor whose traces count for the budget of the run.
type Coordinated struct {
	*coordinator.Coordinator
	models   *provider.Models
	made     *workers.Log
	external map[string]string // the models of agents that are programs, by agent hash
	costs    costs
}

// costs estimates what a trace costs, by the traces that have ended.
type costs struct {
	sync.Mutex
	most  limit.Spend // the cost of the most expensive trace
	known int         // how many traces have ended
}

func (c *costs) add(cost limit.Spend) {
	c.Lock()
	defer c.Unlock()
	c.most = limit.Spend{USD: max(c.most.USD, cost.USD), Tokens: max(c.most.Tokens, cost.Tokens)}
	c.known++
}

func (c *costs) estimate() (limit.Spend, int) {
	c.Lock()
	defer c.Unlock()
	return c.most, c.known
}

// End ends the session, as coordinator.Coordinator.End says. The run folder must be closed before.
func (c *Coordinated) End(ctx context.Context, complete bool) (coordinator.Counts, error) {
	counts, err := c.Coordinator.End(ctx, complete)
	return counts, errors.Join(err, c.made.Close())
}

// Run makes a trace, and charges its requests to the budget. With a budget, a trace is asked for only if it will
// probably fit beside those in flight; the first one runs alone, because nothing is known of its cost, and few run
// after it: see limit.Budget.Reserve.
func (c *Coordinated) Run(ctx context.Context, job runner.Job, out runner.Lines) (stored func(), err error) {
	release, err := c.models.Reserve(ctx, "the workers of the hub", c.costs.estimate)
	if err != nil {
		return nil, err
	}
	defer release()
	charged := &charging{Lines: out, models: c.models, external: c.external[job.Agent]}
	stored, err = c.Coordinator.Run(ctx, job, charged)
	if err == nil {
		c.costs.add(charged.cost)
	}
	return stored, err
}

// charging charges the usage of a trace: that of its exchanges. An agent that is a program, and whose model is not
// asked through concur, has no exchanges; then it charges what the agent reports.
type charging struct {
	runner.Lines
	models    *provider.Models
	external  string // the model of an agent that is a program; "" for concur's own
	exchanges bool
	cost      limit.Spend
}

func (c *charging) Event(e trace.Event) {
	c.Lines.Event(e)
	if end, is := e.Body.(trace.Conclusion); is && e.Path == "" && c.external != "" && !c.exchanges {
		c.cost = c.cost.Plus(c.models.Charge(c.external, end.Usage))
	}
}

func (c *charging) Exchange(x store.Exchange) {
	c.exchanges = true
	c.Lines.Exchange(x)
	if x.RequestSettings != nil && x.Usage != nil {
		c.cost = c.cost.Plus(c.models.Charge(x.RequestSettings.Model, *x.Usage))
	}
}

// Coordinate begins to coordinate the traces of a session at a hub. dir is the run folder, and prior has what earlier
// sessions finished; it may be nil.
func Coordinate(ctx context.Context, l *link.Link, a *assemble.Assembler, s *assemble.Session, dir string,
	prior *store.Prior, o Settings) (*Coordinated, error) {
	manifest := s.Manifest()
	t := traces{arms: s.Arms, prior: prior, queries: make(map[string]bool, s.Dataset.Len())}
	for id := range s.Dataset.IDs() {
		t.queries[id] = true
	}
	var agents []string
	for _, arm := range s.Arms {
		agents = append(agents, arm.AgentHash)
	}
	slices.Sort(agents)
	made, err := workers.Open(dir)
	if err != nil {
		return nil, err
	}
	wrong := sync.OnceFunc(func() { o.Warn("which worker made which trace can no longer be written; see run.log") })
	c, err := coordinator.Begin(ctx, coordinator.Options{
		Link: l, Run: wire.RunOf(manifest.Run), Dir: dir, Agents: slices.Compact(agents), Has: t.has, Finished: t.finished,
		Places: o.Places, Losses: o.Losses, Times: o.Times, Log: o.Log, Warn: o.Warn,
		Made: func(id trace.ID, worker, version string) {
			if err := made.Add(id, worker, version); err != nil {
				o.Log(err.Error())
				wrong()
			}
		},
		Send: func(ctx context.Context, bucket jetstream.ObjectStore) (wire.Plan, error) {
			return Send(ctx, bucket, a, manifest)
		},
	})
	if err != nil {
		return nil, errors.Join(err, made.Close())
	}
	out := &Coordinated{Coordinator: c, models: s.Models, made: made, external: map[string]string{}}
	for _, arm := range s.Arms {
		if arm.Configuration.Agent.External.Used() {
			out.external[arm.AgentHash] = arm.Configuration.Model
		}
	}
	if err := giveRates(ctx, l, c, s, wire.RunOf(manifest.Run)); err != nil {
		_, endErr := out.End(context.WithoutCancel(ctx), false)
		return nil, errors.Join(err, endErr)
	}
	return out, nil
}

// giveRates begins to give out the requests that limits.rpm and limits.tpm allow to each endpoint.
func giveRates(ctx context.Context, l *link.Link, c *coordinator.Coordinator, s *assemble.Session, run wire.Run) error {
	limits := map[string]rate.Limits{}
	for _, endpoint := range s.Endpoints() {
		of := s.Arms[0].Configuration.Limits
		limits[endpoint] = rate.Limits{RPM: of.RPM, TPM: of.TPM}
	}
	if len(limits) == 0 {
		return nil
	}
	giver, err := rate.NewGiver(ctx, l, run, limits, c.Valid)
	if err != nil {
		return err
	}
	c.While(giver.Give)
	return nil
}

// Permits waits for the rights to send requests of a run at a hub. It is opened with the models of the run, and the
// hub is known later. The zero value is ready to use.
type Permits struct{ taker atomic.Pointer[rate.Taker] }

// Of sets the run.
func (p *Permits) Of(l *link.Link, run string) { p.taker.Store(rate.NewTaker(l, wire.RunOf(run))) }

// Take is for assemble.Options.
func (p *Permits) Take(ctx context.Context, endpoint string, tokens int) error {
	taker := p.taker.Load()
	if taker == nil {
		return nil // before the run begins, a request tests the endpoint at most
	}
	return taker.Take(ctx, endpoint, tokens)
}

// traces are the traces of a run.
type traces struct {
	arms    []runner.Arm
	queries map[string]bool
	prior   *store.Prior
}

// has reports whether a trace is one of the run.
func (t traces) has(id trace.ID) bool {
	return t.queries[id.Query] && slices.ContainsFunc(t.arms, func(a runner.Arm) bool { return makes(a, id) })
}

// makes reports whether a configuration uses a trace of its agent.
func makes(a runner.Arm, id trace.ID) bool {
	return a.AgentHash == id.Agent && id.Trace >= a.First && id.Trace < a.First+a.Configuration.K
}

// finished reports whether an earlier session has finished a trace. All traces of a decided query are finished.
func (t traces) finished(id trace.ID) bool {
	if _, is := t.prior.Trace(id); is {
		return true
	}
	return slices.ContainsFunc(t.arms, func(a runner.Arm) bool {
		return makes(a, id) && t.prior.Decided(a.Configuration.Name, id.Query)
	})
}
