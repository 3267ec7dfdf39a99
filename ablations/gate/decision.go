package gate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/internal/text"
)

// Decide decides whether the run is worse than its baseline, by the rule gate/v3 (docs/method.md §6.2):
//
//  1. INVALID if the run cannot be compared (§1.1), or if Validate returns an error for the options.
//  2. REGRESSION if a safety query or a threshold fails, whatever the history is.
//  3. Test B on single queries, then Test A on the total. After a collapse, Test A comes first. An alarm is
//     REGRESSION against the pool, and DRIFT against the frozen baseline. While the comparison with the pool
//     requests fresh traces after a collapse, the comparison with the frozen baseline requests none. Both tests
//     leave out queries with too little history.
//  4. INCONCLUSIVE in three cases: fewer than half of the queries can be tested; fresh traces are needed (Need
//     lists them); unscored traces or answers could change the decision.
//  5. PASS in all other cases.
func Decide(e Evidence, o Options) Outcome {
	if err := o.Validate(len(e.Items)); err != nil {
		return invalidOutcome(e, o, []string{err.Error()})
	}
	if !e.unscored() {
		return settle(e, o)
	}
	worst, best := settle(e.at(Wrong), o), settle(e.at(Right), o)
	out := worst
	switch {
	case worst.Decision != best.Decision:
		names := where(e.Items, func(it Item) bool { return it.Current.Unscored+Count(it.Fresh).Unscored > 0 })
		out.Reasons = append([]string{fmt.Sprintf(
			"traces without a verdict decide: %s if they are wrong, %s if they are right; %s (%s) have such traces, "+
				"and %d consensus answers have no verdict; look at them with concur trace; mend checks that fail; run "+
				"lost traces and failed checks again with %s; if there are none, run again",
			worst.Decision, best.Decision, text.Counted(len(names), "query"), text.Listed(names), e.Consensus.Unscored,
			e.Retry)}, onlyIf("if they are wrong, ", worst.Reasons, best.Reasons)...)
		out.Decision = Inconclusive
	case worst.Decision.Alarm():
		out = best
	}
	out.Bootstrap = worst.Bootstrap && best.Bootstrap
	out.Need = mergeRequests(slices.Clone(worst.Need), best.Need...)
	return out
}

// onlyIf returns reasons. If a reason is not in otherwise, it holds only under the condition, so the condition
// is put before it.
func onlyIf(condition string, reasons, otherwise []string) []string {
	out := slices.Clone(reasons)
	for i, r := range out {
		if !slices.Contains(otherwise, r) {
			out[i] = condition + r
		}
	}
	return out
}

// settle decides on evidence without unscored traces.
func settle(e Evidence, o Options) Outcome {
	if why := e.invalid(); len(why) > 0 {
		return invalidOutcome(e, o, why)
	}
	f := &findings{Evidence: e, Options: o, out: newOutcome(e, o)}
	f.out.Decision = Pass
	if names := where(e.Items, Item.lostTraces); len(names) > 0 {
		f.out.Warnings = append(f.out.Warnings, fmt.Sprintf("the run lost traces of %s to the infrastructure, which "+
			"are not counted: run them again with %s", text.Listed(names), e.Retry))
	}
	rolling, frozen := f.histories()
	f.safety()
	f.thresholds()
	out := &f.out
	if len(rolling) > 0 {
		out.Rolling = f.against("pool", rolling, len(frozen) > 0)
	}
	if r := out.Rolling; len(frozen) > 0 && (r == nil || !r.Alarm && !(r.Collapse && len(r.Asks) > 0)) {
		out.Frozen = f.against("frozen baseline", frozen, true)
	}
	for i := range out.Need {
		out.Need[i].Late = out.Need[i].Late && out.Spaced
	}
	if len(out.Need) > 0 {
		f.add(Inconclusive, e.needs(out.Need, o))
	}
	out.Reasons = slices.Concat(f.sentence[3], f.sentence[2], f.sentence[1], f.sentence[0])
	if len(out.Reasons) == 0 {
		out.Reasons = []string{"no test finds a loss"}
	}
	out.Bootstrap = out.Decision == Inconclusive && f.bootstrap && !f.open
	return *out
}

// against compares the run with one history. If there are two histories (shared), each gets half of alpha.
func (f *findings) against(name string, queries []gated, shared bool) *Comparison {
	c := compare(name, queries, f.K, f.levels(f.out.Strict, shared), f.out.Decision == Regression)
	c.reach(queries)
	found := Regression
	if name != "pool" {
		found = Drift
	}
	f.out.Need = mergeRequests(f.out.Need, c.Asks...)
	switch broken := c.broken(); {
	case c.Alarm && found == Drift && len(f.out.Need) > 0: // the pool may still say REGRESSION
	case c.Alarm && len(broken) > 0:
		f.add(found, broken...)
	case c.Alarm:
		look := c.Looks[len(c.Looks)-1]
		f.out.Losses = lossesOf(queries, look.Fresh)
		f.add(found, c.fall(look))
	case len(c.Asks) > 0 && c.Asks[0].Total && len(c.Looks) > 1:
		f.add(Inconclusive, "undecided over all queries: "+c.change())
	case len(c.Asks) == 0 && len(c.Looks) > 1:
		f.add(Pass, "no test finds a loss, after another look at the total: "+c.change())
	}
	return &c
}

// reach lists the queries for which even the largest number of fresh traces could not show that they are
// broken.
func (c *Comparison) reach(queries []gated) {
	last := looksB[len(looksB)-1]
	c.Least = 1
	for _, q := range queries {
		p := lowerTail(0, last.fresh, q.h, q.m) * float64(max(1, len(c.Slips)))
		c.Least = min(c.Least, p)
		if p > c.AlphaB*last.share+rounding {
			c.Blind = append(c.Blind, q.query)
		}
	}
}

// Powerless reports whether no query could be shown to be broken.
func (c Comparison) Powerless() bool { return len(c.Blind) == c.Queries }

// namedBroken is the number of broken queries that the first sentence names.
const namedBroken = 3

// broken returns a sentence for each broken query. If there are several, the first sentence is a summary.
func (c Comparison) broken() (out []string) {
	var names []string
	for _, s := range c.Slips {
		if s.Broken {
			right, of := s.Fresh()
			out = append(out, fmt.Sprintf("%s is broken: %d of %d right %s → %d of %d in the run, %d of %d fresh",
				s.Query, s.HistoryRight, s.History, c.before(), s.Right, s.Traces, right, of))
			names = append(names, s.Query)
		}
	}
	if n := len(names); n > 1 {
		out = append([]string{fmt.Sprintf("%d queries are broken: %s", n, text.ListedUpTo(namedBroken, names))}, out...)
	}
	return out
}

// before returns the words for the history in a sentence.
func (c Comparison) before() string {
	if c.Against == "pool" {
		return "before"
	}
	return "in the " + c.Against
}

// fall describes the alarm of the total, and says whether the fresh traces confirm it.
func (c Comparison) fall(look TotalLook) string {
	out := "worse over all queries"
	if c.Collapse {
		out = "the whole agent fell"
	}
	if out += ": " + c.change(); look.FreshRight == look.Traces-look.Run && look.Fresh > 0 {
		out += "; but all fresh traces are right, so the agent may be unchanged: run again"
	}
	return out
}

// lossesOf returns the queries that lost most compared with the rate of their history, at most eight, the
// largest loss first. It uses the first n fresh traces.
func lossesOf(queries []gated, n int) []string {
	lost := func(q gated) float64 {
		all, right := float64(q.k+n), q.x+q.right(n)
		return all*float64(right+q.h)/(all+float64(q.m)) - float64(right)
	}
	out := []string{}
	for _, q := range slices.SortedStableFunc(slices.Values(queries),
		func(a, b gated) int { return cmp.Compare(lost(b), lost(a)) }) {
		if lost(q) > 0 && len(out) < 8 {
			out = append(out, q.query)
		}
	}
	return out
}

func formatP(p float64) string { return fmt.Sprintf("p=%.2g", p) }

// change describes the rates of right traces at the last look at the total: in the history, in the run, and in
// its fresh traces.
func (c Comparison) change() string {
	l := c.Looks[len(c.Looks)-1]
	out := fmt.Sprintf("%d of %d right %s → %d of %d in the run", l.HistoryRight, l.History, c.before(),
		l.Right-l.FreshRight, l.Run)
	if fresh := l.Traces - l.Run; fresh > 0 {
		out += fmt.Sprintf(", %d of %d fresh", l.FreshRight, fresh)
	}
	return out
}

func (e Evidence) needs(need []FreshRequest, o Options) string {
	traces := 0
	var names, lost []string
	for _, a := range need {
		i := slices.IndexFunc(e.Items, func(it Item) bool { return it.Query == a.Query })
		if fresh := e.Items[i].Fresh; slices.Contains(fresh[:min(a.Traces, len(fresh))], Lost) {
			lost = append(lost, a.Query)
		} else {
			traces, names = traces+a.Traces-len(fresh), append(names, a.Query)
		}
	}
	if len(lost) > 0 {
		return "fresh traces of " + text.Listed(lost) +
			" were lost to the infrastructure: repeat the gate command, which runs them again"
	}
	out := fmt.Sprintf("%d fresh traces of %s (%s) are needed", traces, text.Counted(len(names), "query"),
		text.Listed(names))
	switch {
	case o.AnswersOnly:
		out += ", which recorded answers cannot give: let concur run the agent (docs/your-agent.md)"
	case o.NoFresh != "":
		out += fmt.Sprintf(", and were not run (%s): repeat the gate command without that", o.NoFresh)
	}
	return out
}

func newOutcome(e Evidence, o Options) Outcome {
	out := Outcome{
		Reasons: []string{}, Warnings: append([]string{}, e.Warnings...), NotGated: []NotGated{},
		Alpha: o.alpha(), Safety: []SafetyItem{}, Checks: []Check{}, Losses: []string{}, Strict: o.Strict,
		Spaced: o.Spaced,
		Phi:    e.Phi, Concordance: e.Concordance, Overrides: append([]string{}, e.Overrides...),
		Need: []FreshRequest{},
	}
	switch d := e.Dependent(); {
	case d.Spaced:
		out.Strict, out.Spaced = true, true
		out.Warnings = append(out.Warnings, d.Why+
			": the levels are strict, and fresh traces beyond the first looks must come from another session")
	case d.Strict && !o.Strict:
		out.Strict = true
		out.Warnings = append(out.Warnings, d.Why+": the levels are strict")
	}
	return out
}

func invalidOutcome(e Evidence, o Options, why []string) Outcome {
	out := newOutcome(e, o)
	out.Decision, out.Reasons, out.History = Invalid, why, History{Runs: e.PoolRuns}
	for _, it := range e.Items {
		if t := it.Current.Plus(Count(it.Fresh)); it.Safety && t.Wrong > 0 {
			out.Warnings = append(out.Warnings, fmt.Sprintf("%s must be refused and was not in %s; lost traces do "+
				"not change this", it.Query, text.Counted(t.Wrong, "trace")))
		}
	}
	return out
}

// findings collects findings. The finding with the largest weight gives the decision.
type findings struct {
	Evidence
	Options
	out       Outcome
	sentence  [4][]string // by weight
	bootstrap bool        // too few queries have history
	open      bool        // the decision needs more than history
}

func (f *findings) add(d Decision, reasons ...string) {
	f.open = f.open || d == Inconclusive
	weight := effects[d].weight
	if weight > effects[f.out.Decision].weight {
		f.out.Decision = d
	}
	f.sentence[weight] = append(f.sentence[weight], reasons...)
}

// lack leaves the decision open, for lack of history.
func (f *findings) lack(reason string) {
	open := f.open
	f.add(Inconclusive, reason)
	f.bootstrap, f.open = true, open
}
