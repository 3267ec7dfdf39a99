package plan

import (
	"context"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Settings of a coordinator that a user chooses; see coordinator.Options.
type Settings struct {
	Places, Losses int
	Times          coordinator.Times
	Log, Warn      func(string)
}

// Coordinate begins to coordinate the traces of a session at a hub. dir is the run folder, and prior has what earlier
// sessions finished; it may be nil.
func Coordinate(ctx context.Context, l *link.Link, a *assemble.Assembler, s *assemble.Session, dir string,
	prior *store.Prior, o Settings) (*coordinator.Coordinator, error) {
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
	return coordinator.Begin(ctx, coordinator.Options{
		Link: l, Run: wire.RunOf(manifest.Run), Dir: dir, Agents: slices.Compact(agents), Has: t.has, Finished: t.finished,
		Places: o.Places, Losses: o.Losses, Times: o.Times, Log: o.Log, Warn: o.Warn,
		Send: func(ctx context.Context, bucket jetstream.ObjectStore) (wire.Plan, error) {
			return Send(ctx, bucket, a, manifest)
		},
	})
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
