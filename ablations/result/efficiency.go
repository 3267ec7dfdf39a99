package result

import (
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// effort is the effort of a trace, or the minimum over several.
type effort struct{ steps, toolCalls int }

// fewer returns the minimum of each part; the two may come from different traces.
func (e effort) fewer(f effort) effort {
	return effort{min(e.steps, f.steps), min(e.toolCalls, f.toolCalls)}
}

type solvedQuery struct {
	query, category string
	traces          int
	sum, fewest     effort // of the correct traces
}

// actionCount counts the tool calls that a model requested.
type actionCount struct{ actions, repeated int }

type efforts struct {
	solvedQueries            []solvedQuery
	actions                  map[string]actionCount // by category
	traces, steps, toolCalls int                    // of the traces that were not lost
}

func (e *efforts) add(r store.Record) {
	s := solvedQuery{query: r.Query, category: r.Category}
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
			s.fewest = took
		}
		s.traces++
		s.sum.steps += took.steps
		s.sum.toolCalls += took.toolCalls
		s.fewest = s.fewest.fewer(took)
	}
	e.actions[r.Category] = count
	if s.traces > 0 {
		e.solvedQueries = append(e.solvedQueries, s)
	}
}

// fewestEfforts returns, for each query, the minimal effort of a correct trace in any configuration.
func fewestEfforts(tallies map[string]*tally) map[string]effort {
	out := map[string]effort{}
	for _, t := range tallies {
		for _, s := range t.efforts.solvedQueries {
			known, ok := out[s.query]
			if !ok {
				known = s.fewest
			}
			out[s.query] = known.fewer(s.fewest)
		}
	}
	return out
}

func (t *tally) efficiency(fewest map[string]effort) Efficiency {
	byCategory := map[string][]solvedQuery{}
	for _, s := range t.efforts.solvedQueries {
		byCategory[s.category] = append(byCategory[s.category], s)
	}
	var all actionCount
	out := Efficiency{
		ByCategory:        map[string]Effort{},
		StepsPerTrace:     share(t.efforts.steps, t.efforts.traces),
		ToolCallsPerTrace: share(t.efforts.toolCalls, t.efforts.traces),
	}
	for category := range t.byCategory {
		a := t.efforts.actions[category]
		out.ByCategory[category] = effortOf(byCategory[category], a, fewest)
		all = actionCount{all.actions + a.actions, all.repeated + a.repeated}
	}
	out.Effort = effortOf(t.efforts.solvedQueries, all, fewest)
	return out
}

func effortOf(queries []solvedQuery, a actionCount, fewest map[string]effort) Effort {
	n := len(queries)
	out := Effort{SolvedQueries: n, Actions: a.actions, Repeated: a.repeated,
		RepeatedShare: share(a.repeated, a.actions)}
	steps, calls := make([]float64, n), make([]float64, n)
	var least effort
	for i, s := range queries {
		out.CorrectTraces += s.traces
		steps[i] = float64(s.sum.steps) / float64(s.traces)
		calls[i] = float64(s.sum.toolCalls) / float64(s.traces)
		least.steps += fewest[s.query].steps
		least.toolCalls += fewest[s.query].toolCalls
	}
	out.Steps, out.FewestSteps = mean(steps), share(least.steps, n)
	out.ToolCalls, out.FewestToolCalls = mean(calls), share(least.toolCalls, n)
	out.StepWaste = waste(out.Steps, out.FewestSteps)
	out.ToolCallWaste = waste(out.ToolCalls, out.FewestToolCalls)
	return out
}

// waste returns the share of took beyond fewest; nil if nothing was used. Rounding may leave fewest slightly
// above took.
func waste(took, fewest *float64) *float64 {
	if took == nil || *took == 0 {
		return nil
	}
	w := max(0, 1 - *fewest / *took)
	return &w
}
