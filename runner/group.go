package runner

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// group has the arms that use the same traces. They have the same agent and the same first index.
type group struct {
	arms []*Arm // the arm with the most traces first; it is charged for them
}

// owner is the arm that runs the traces.
func (g group) owner() *Arm { return g.arms[0] }

// k is the number of traces that the largest arm needs.
func (g group) k() int { return g.owner().Configuration.K }

// needsEvents reports whether the events of traces of a query must be kept. They are needed if a judge, a
// verifier or a picker reads them, if tool calls are compared, if a program checks them, or if a statement is executed
// again. ofQuery is true for a query that expects tool calls, or has a program as a check or a statement as gold.
func (g group) needsEvents(ofQuery bool) bool {
	return ofQuery || slices.ContainsFunc(g.arms,
		func(a *Arm) bool { return a.Quality != nil || a.Rubric != nil || a.Configuration.ReadsTraces() })
}

// keepsEvents reports whether the events of traces of a query must be kept.
func (g group) keepsEvents(q datasets.Query) bool {
	return g.needsEvents(q.ExpectsCalls() || checks.Uses(q.AllChecks(), checks.Exec) || len(q.Statements()) > 0)
}

// groupsOf groups arms by their agent and first index, and keeps their order.
func groupsOf(arms []Arm) []group {
	var out []group
	for i := range arms {
		a := &arms[i]
		j := slices.IndexFunc(out, func(g group) bool {
			return g.owner().AgentHash == a.AgentHash &&
				g.owner().First == a.First
		})
		if j < 0 {
			out = append(out, group{arms: []*Arm{a}})
			continue
		}
		g := &out[j]
		g.arms = append(g.arms, a)
		if last := len(g.arms) - 1; a.Configuration.K > g.k() {
			g.arms[0], g.arms[last] = g.arms[last], g.arms[0]
		}
	}
	return out
}

// order returns the order in which the groups run on a query. It depends only on the seed of the run and the
// query. All orders are equally likely.
func order(groups []group, seed int64, q datasets.Query) []group {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00order", seed, q.ID))
	random := rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
	out := make([]group, len(groups))
	for i, j := range random.Perm(len(groups)) {
		out[i] = groups[j]
	}
	return out
}

// Missing returns a function that counts, for each arm, the traces of a query that have not run yet. If arms
// share traces, they are counted for the arm that runs them. The next call of the function overwrites its
// result.
func (p Plan) Missing(prior *store.Prior) func(query string) []int {
	groups, out := groupsOf(p.Arms), make([]int, len(p.Arms))
	owners := make([]int, len(groups))
	for n, g := range groups {
		for i := range p.Arms {
			if &p.Arms[i] == g.owner() {
				owners[n] = i
			}
		}
	}
	return func(query string) []int {
		clear(out)
		for n, g := range groups {
			i := owners[n]
			_, k := g.undecided(prior, query)
			for t := range k {
				if _, run := prior.Trace(g.trace(query, t)); !run {
					out[i]++
				}
			}
		}
		return out
	}
}

// undecided returns the number of arms that have no record of a query, and the largest K of these arms.
func (g group) undecided(prior *store.Prior, query string) (arms, k int) {
	for _, a := range g.arms {
		if !prior.Decided(a.Configuration.Name, query) {
			arms, k = arms+1, max(k, a.Configuration.K)
		}
	}
	return arms, k
}

// trace names the i-th trace of a query.
func (g group) trace(query string, i int) trace.ID {
	return trace.ID{Agent: g.owner().AgentHash, Query: query, Trace: g.owner().First + i}
}

// pendingQuery collects the traces of a query for a group of arms.
type pendingQuery struct {
	query datasets.Query
	group group
	arms  []*Arm // those without a record, in the group's order
	// events reports whether the events of the traces must be kept.
	events bool

	mu     sync.Mutex
	start  time.Time             // of the first trace; zero before
	traces []store.FinishedTrace // in order of their index; with events only if needed, see group.needsEvents
	left   int
}

// newPending collects the traces of a query that earlier sessions finished. missing has the indices of the
// other traces.
func (s *schedule) newPending(g group, q datasets.Query) (p *pendingQuery, missing []int) {
	p = &pendingQuery{query: q, group: g, events: g.keepsEvents(q)}
	arms, k := g.undecided(s.control.Prior, q.ID)
	s.decided.Add(int64(len(g.arms) - arms))
	if arms == 0 {
		return p, nil
	}
	for _, a := range g.arms {
		if !s.control.Prior.Decided(a.Configuration.Name, q.ID) {
			p.arms = append(p.arms, a)
		}
	}
	p.traces = make([]store.FinishedTrace, k)
	for i := range p.traces {
		id := g.trace(q.ID, i)
		if t, ok := s.control.Prior.Trace(id); ok {
			p.traces[i] = t
		} else {
			missing = append(missing, id.Trace)
		}
	}
	p.left = len(missing)
	return p, missing
}

// add stores a trace. It reports whether this was the last trace of the query.
func (p *pendingQuery) add(t store.FinishedTrace) (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traces[t.Trace.Trace-p.group.owner().First] = t
	p.left--
	return p.left == 0
}

// begin records the start of the query's first trace.
func (p *pendingQuery) begin(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.start.IsZero() {
		p.start = now
	}
}
