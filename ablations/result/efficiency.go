package result

import (
	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// effort is the effort of a trace, or the minimum over several traces.
type effort struct{ steps, toolCalls int }

// fewer returns, for each field, the smaller of the two values. The minima of two fields may come from
// different traces.
func (e effort) fewer(f effort) effort {
	return effort{min(e.steps, f.steps), min(e.toolCalls, f.toolCalls)}
}

// solvedQuery is a query with correct traces.
type solvedQuery struct {
	query, category string // query is "" in a run of one configuration
	traces          int32
	sum, fewest     smallEffort // of the correct traces
}

// smallEffort is an effort in half the memory.
type smallEffort struct{ steps, toolCalls int32 }

func (e effort) small() smallEffort { return smallEffort{int32(e.steps), int32(e.toolCalls)} }

func (e smallEffort) effort() effort { return effort{int(e.steps), int(e.toolCalls)} }

// actionCount counts the tool calls that a model requested.
type actionCount struct{ actions, repeated int }

type efforts struct {
	several                  bool // the run has several configurations, so queries have names
	queries                  bag.Bag[solvedQuery]
	actions                  map[string]actionCount // by category
	traces, steps, toolCalls int                    // of the traces that were not lost
}

func (e *efforts) add(r store.Record) {
	s := solvedQuery{category: r.Category}
	if e.several {
		s.query = r.Query
	}
	var sum, fewest effort
	count := e.actions[r.Category]
	for _, a := range r.Answers {
		count.actions += a.Actions
		count.repeated += a.Repeated
		if a.Outcome != trace.Infra {
			e.traces++
			e.steps += a.Steps
			e.toolCalls += a.ToolCalls
		}
		if a.Verdict != judge.Correct {
			continue
		}
		took := effort{a.Steps, a.ToolCalls}
		if s.traces == 0 {
			fewest = took
		}
		s.traces++
		sum.steps += took.steps
		sum.toolCalls += took.toolCalls
		fewest = fewest.fewer(took)
	}
	e.actions[r.Category] = count
	if s.traces > 0 {
		s.sum, s.fewest = sum.small(), fewest.small()
		e.queries.Add(s)
	}
}

func (e *efforts) merge(o efforts) {
	e.queries.Merge(o.queries)
	for category, a := range o.actions {
		was := e.actions[category]
		e.actions[category] = actionCount{was.actions + a.actions, was.repeated + a.repeated}
	}
	e.traces += o.traces
	e.steps += o.steps
	e.toolCalls += o.toolCalls
}

// fewestEfforts returns, for each query, the least effort of a correct trace in any configuration. For a single
// configuration it returns nil, because solvedQuery then has this minimum.
func fewestEfforts(tallies map[string]*tally) map[string]effort {
	if len(tallies) == 1 {
		return nil
	}
	out := map[string]effort{}
	for _, t := range tallies {
		for s := range t.efforts.queries {
			known, ok := out[s.query]
			if !ok {
				known = s.fewest.effort()
			}
			out[s.query] = known.fewer(s.fewest.effort())
		}
	}
	return out
}

func (t *tally) efficiency(fewest map[string]effort) Efficiency {
	var all actionCount
	out := Efficiency{
		ByCategory:        map[string]Effort{},
		StepsPerTrace:     share(t.efforts.steps, t.efforts.traces),
		ToolCallsPerTrace: share(t.efforts.toolCalls, t.efforts.traces),
	}
	for category := range t.byCategory {
		a := t.efforts.actions[category]
		out.ByCategory[category] = t.efforts.figures(&category, a, fewest)
		all = actionCount{all.actions + a.actions, all.repeated + a.repeated}
	}
	out.Effort = t.efforts.figures(nil, all, fewest)
	return out
}

// figures returns the figures of effort for the queries of a category. If category is nil, it takes all
// queries.
func (e *efforts) figures(category *string, a actionCount, fewest map[string]effort) Effort {
	counted := func(s solvedQuery) bool { return category == nil || s.category == *category }
	n := 0
	for s, times := range e.queries {
		n += times * bag.OneIf(counted(s))
	}
	out := Effort{SolvedQueries: n, Actions: a.actions, Repeated: a.repeated,
		RepeatedShare: share(a.repeated, a.actions)}
	steps, calls := bag.Bag[float64]{}, bag.Bag[float64]{}
	var least effort
	for s, times := range e.queries {
		if !counted(s) {
			continue
		}
		out.CorrectTraces += times * int(s.traces)
		steps[float64(s.sum.steps)/float64(s.traces)] += times
		calls[float64(s.sum.toolCalls)/float64(s.traces)] += times
		own := s.fewest.effort()
		if fewest != nil {
			own = fewest[s.query]
		}
		least.steps += times * own.steps
		least.toolCalls += times * own.toolCalls
	}
	out.Steps, out.FewestSteps = bag.Mean(steps), share(least.steps, n)
	out.ToolCalls, out.FewestToolCalls = bag.Mean(calls), share(least.toolCalls, n)
	out.StepWaste = waste(out.Steps, out.FewestSteps)
	out.ToolCallWaste = waste(out.ToolCalls, out.FewestToolCalls)
	return out
}

// waste returns the share of took that is above fewest. It is nil if took is 0. Because of rounding, fewest may
// be slightly larger than took; the share is then 0.
func waste(took, fewest *float64) *float64 {
	if took == nil || *took == 0 {
		return nil
	}
	w := max(0, 1 - *fewest / *took)
	return &w
}
