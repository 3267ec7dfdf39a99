package result

import (
	"slices"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// effort is the effort of a trace, or the minimum over several traces.
type effort struct{ steps, toolCalls int }

// fewer returns the minimum of each field. The two minima may come from different traces.
func (e effort) fewer(f effort) effort {
	return effort{min(e.steps, f.steps), min(e.toolCalls, f.toolCalls)}
}

// solvedQuery is a query with correct traces. It is small, because a run has very many.
type solvedQuery struct {
	query       string
	category    int32 // index in the categories
	traces      int32
	sum, fewest smallEffort // over the correct traces
}

// smallEffort is an effort in half the memory.
type smallEffort struct{ steps, toolCalls int32 }

func (e effort) small() smallEffort { return smallEffort{int32(e.steps), int32(e.toolCalls)} }

func (e smallEffort) effort() effort { return effort{int(e.steps), int(e.toolCalls)} }

// actionCount counts the tool calls that a model requested.
type actionCount struct{ actions, repeated int }

type efforts struct {
	solvedQueries            []solvedQuery
	categories               []string               // by index
	actions                  map[string]actionCount // by category
	traces, steps, toolCalls int                    // of the traces that were not lost
}

func (e *efforts) add(r store.Record) {
	s := solvedQuery{query: r.Query}
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
		at := slices.Index(e.categories, r.Category)
		if at < 0 {
			at, e.categories = len(e.categories), append(e.categories, r.Category)
		}
		s.category, s.sum, s.fewest = int32(at), sum.small(), fewest.small()
		e.solvedQueries = append(e.solvedQueries, s)
	}
}

// fewestEfforts returns, for each query, the minimal effort of a correct trace over all configurations. It
// returns nil for a single configuration, because solvedQuery then has the minimum.
func fewestEfforts(tallies map[string]*tally) map[string]effort {
	if len(tallies) == 1 {
		return nil
	}
	out := map[string]effort{}
	for _, t := range tallies {
		for _, s := range t.efforts.solvedQueries {
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

// figures returns the effort figures of the queries of a category; nil means all queries.
func (e *efforts) figures(category *string, a actionCount, fewest map[string]effort) Effort {
	counted := func(s solvedQuery) bool { return category == nil || e.categories[s.category] == *category }
	n := 0
	for _, s := range e.solvedQueries {
		n += oneIf(counted(s))
	}
	out := Effort{SolvedQueries: n, Actions: a.actions, Repeated: a.repeated,
		RepeatedShare: share(a.repeated, a.actions)}
	steps, calls := make([]float64, 0, n), make([]float64, 0, n)
	var least effort
	for _, s := range e.solvedQueries {
		if !counted(s) {
			continue
		}
		out.CorrectTraces += int(s.traces)
		steps = append(steps, float64(s.sum.steps)/float64(s.traces))
		calls = append(calls, float64(s.sum.toolCalls)/float64(s.traces))
		own := s.fewest.effort()
		if fewest != nil {
			own = fewest[s.query]
		}
		least.steps += own.steps
		least.toolCalls += own.toolCalls
	}
	out.Steps, out.FewestSteps = mean(steps), share(least.steps, n)
	out.ToolCalls, out.FewestToolCalls = mean(calls), share(least.toolCalls, n)
	out.StepWaste = waste(out.Steps, out.FewestSteps)
	out.ToolCallWaste = waste(out.ToolCalls, out.FewestToolCalls)
	return out
}

// waste returns the share of took that exceeds fewest; nil if took is 0. Rounding may make fewest slightly
// larger than took.
func waste(took, fewest *float64) *float64 {
	if took == nil || *took == 0 {
		return nil
	}
	w := max(0, 1 - *fewest / *took)
	return &w
}
