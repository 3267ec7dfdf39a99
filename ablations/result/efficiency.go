package result

import (
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// effort is what a trace took, or the fewest that several did.
type effort struct{ steps, toolCalls int }

// fewer takes the fewest of either: one trace may have fewer steps, another fewer calls.
func (e effort) fewer(f effort) effort {
	return effort{min(e.steps, f.steps), min(e.toolCalls, f.toolCalls)}
}

// solved is a query with correct traces.
type solved struct {
	query, category string
	traces          int
	total, fewest   effort // of the correct traces
}

// asked counts the tool calls that a model asked for. Records from before these were
// counted, which have no hash of their query either, do not tell.
type asked struct {
	actions, repeated int
	untold            bool
}

func (a asked) plus(b asked) asked {
	return asked{a.actions + b.actions, a.repeated + b.repeated, a.untold || b.untold}
}

// efforts is the running count of what traces took.
type efforts struct {
	solved    []solved
	asked     map[string]asked // by category
	toolCalls int              // of all traces
}

func newEfforts() efforts { return efforts{asked: map[string]asked{}} }

func (e *efforts) add(r store.Record) {
	s := solved{query: r.Query, category: r.Category}
	so := e.asked[r.Category]
	so.untold = so.untold || r.QueryHash == ""
	for _, a := range r.Answers {
		so.actions += a.Actions
		so.repeated += a.Repeated
		e.toolCalls += a.ToolCalls
		if a.Verdict != judge.Correct {
			continue
		}
		took := effort{a.Steps, a.ToolCalls}
		if s.traces == 0 {
			s.fewest = took
		}
		s.traces++
		s.total.steps += took.steps
		s.total.toolCalls += took.toolCalls
		s.fewest = s.fewest.fewer(took)
	}
	e.asked[r.Category] = so
	if s.traces > 0 {
		e.solved = append(e.solved, s)
	}
}

// fewestEfforts returns by query what the correct traces of any configuration took at
// least.
func fewestEfforts(tallies map[string]*tally) map[string]effort {
	out := map[string]effort{}
	for _, t := range tallies {
		for _, s := range t.efforts.solved {
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
	byCategory := map[string][]solved{}
	for _, s := range t.efforts.solved {
		byCategory[s.category] = append(byCategory[s.category], s)
	}
	var all asked
	out := Efficiency{
		ByCategory:        map[string]Effort{},
		StepsPerTrace:     share(t.traces.Replies, t.traces.Total),
		ToolCallsPerTrace: share(t.efforts.toolCalls, t.traces.Total),
	}
	for category := range t.byCategory {
		a := t.efforts.asked[category]
		out.ByCategory[category] = effortOf(byCategory[category], a, fewest)
		all = all.plus(a)
	}
	out.Effort = effortOf(t.efforts.solved, all, fewest)
	return out
}

func effortOf(queries []solved, a asked, fewest map[string]effort) Effort {
	out := Effort{Solved: len(queries)}
	if !a.untold {
		out.Actions, out.Repeated, out.RepeatedShare = &a.actions, &a.repeated, share(a.repeated, a.actions)
	}
	n := len(queries)
	steps, calls := make([]float64, n), make([]float64, n)
	var least effort
	for i, s := range queries {
		out.CorrectTraces += s.traces
		steps[i] = float64(s.total.steps) / float64(s.traces)
		calls[i] = float64(s.total.toolCalls) / float64(s.traces)
		least.steps += fewest[s.query].steps
		least.toolCalls += fewest[s.query].toolCalls
	}
	out.Steps, out.FewestSteps = mean(steps), share(least.steps, n)
	out.ToolCalls, out.FewestToolCalls = mean(calls), share(least.toolCalls, n)
	out.StepWaste = waste(out.Steps, out.FewestSteps)
	out.ToolCallWaste = waste(out.ToolCalls, out.FewestToolCalls)
	return out
}

// waste is nil of nothing. Rounding may leave the fewest a hair above what was taken.
func waste(took, fewest *float64) *float64 {
	if took == nil || *took == 0 {
		return nil
	}
	w := max(0, 1 - *fewest / *took)
	return &w
}
