package gate

import "fmt"

// Decide says whether the run is worse than its baseline, as methods.md §6.2 has it:
//
//  1. INVALID where the run is no evidence (§1.1).
//  2. A failed safety query, a pass rate provably below the floor and a missed threshold
//     are a REGRESSION, whatever the history.
//  3. Test B, then Test A with its replication, on the queries that have enough history:
//     REGRESSION against the pool, DRIFT against the frozen baseline. What still wants fresh
//     traces is INCONCLUSIVE.
//  4. Queries of too little history are INCONCLUSIVE where nothing was found in the others;
//     so is a frozen baseline that was asked for and has too little.
//  5. PASS.
//
// It is done with the unscored traces and answers all wrong, and all right: where the two
// differ, INCONCLUSIVE. Options that Validate refuses make the outcome INVALID. Nothing is
// rounded and nothing drawn.
//
// Every sentence is one line, whatever the names and reasons in it hold.
func Decide(e Evidence, o Options) Outcome {
	out := decide(e, o)
	if out.Decision != Invalid {
		out.Consensus = e.consensus()
		out.Warnings = append(out.Warnings, out.Consensus.warnings()...)
	}
	out.Reasons, out.Warnings, out.Overrides = oneLiners(out.Reasons), oneLiners(out.Warnings), oneLiners(out.Overrides)
	return out
}

func decide(e Evidence, o Options) Outcome {
	if err := o.Validate(len(e.Items)); err != nil {
		return invalidOutcome(e, o, []string{err.Error()})
	}
	if !e.unscored() {
		return settle(e, o)
	}
	worst, best := settle(e.at(worst), o), settle(e.at(best), o)
	out := worst
	if worst.Decision == best.Decision {
		if worst.Decision == Regression || worst.Decision == Drift {
			out = best
		}
	} else {
		out.Reasons = append([]string{fmt.Sprintf(
			"what has no verdict decides: %s if it is wrong, %s if it is right; %s",
			worst.Decision, best.Decision, e.withoutVerdict())}, atWorst(worst.Reasons)...)
		out.Decision = Inconclusive
	}
	out.Bootstrap = worst.Bootstrap && best.Bootstrap
	out.AtWorst, out.AtBest = worst.Decision, best.Decision
	out.Need = out.settledNeed(worst.Need.with(best.Need), o)
	return out
}

func atWorst(reasons []string) []string {
	out := make([]string, len(reasons))
	for i, r := range reasons {
		out[i] = "at worst: " + r
	}
	return out
}

// settle decides on evidence that has no unscored traces.
func settle(e Evidence, o Options) Outcome {
	if why := e.invalid(); len(why) > 0 {
		return invalidOutcome(e, o, why)
	}
	f := &findings{decision: Pass}
	out := newOutcome(e, o)
	rolling, frozen := e.histories(o, &out)
	f.history(e, &out, rolling)
	if frozen.missing != "" {
		f.add(Inconclusive, frozen.missing)
	}
	out.Need.Safety = f.safety(e, &out)
	f.thresholds(e, o, &out)
	f.against(rolling, o, &out, &out.Rolling, Regression)
	f.against(frozen, o, &out, &out.Frozen, Drift)
	f.lost(e, &out)
	out.Decision, out.Reasons = f.decision, f.reasons()
	out.Bootstrap = f.decision == Inconclusive && !f.open
	out.Losses = append(out.Losses, f.losses[f.decision.weight()]...)
	out.AtWorst, out.AtBest = out.Decision, out.Decision
	out.Need = out.settledNeed(out.Need, o)
	return out
}

// against holds the run against one history, if there is one.
func (f *findings) against(v versus, o Options, out *Outcome, to **Comparison, found Decision) {
	if len(v.items) == 0 {
		return
	}
	s := v.rule(o, out.Strict)
	*to = &s.Comparison
	out.Warnings = append(out.Warnings, s.warnings...)
	out.Need = out.Need.with(s.need)
	switch s.ruling {
	case rejected:
		f.add(found, s.reasons...)
		f.losses[found.weight()] = s.losses
	case open:
		f.add(Inconclusive, s.reasons...)
	default:
		f.add(Pass, s.reasons...)
	}
}

// settledNeed drops what could not change the decision any more, and would not name what
// broke either: people have to know that, whatever else made the run fail. Under NoConfirm
// nothing is run anyhow, and what would have been is worth saying.
func (out *Outcome) settledNeed(n Need, o Options) Need {
	switch {
	case o.NoConfirm:
	case out.Decision == Invalid:
		return newNeed()
	case out.Decision == Regression:
		n.Replicate = false
	}
	return n
}

func newOutcome(e Evidence, o Options) Outcome {
	out := Outcome{
		Reasons: []string{}, Warnings: append([]string{}, e.Warnings...),
		Alpha: o.alpha(), Safety: []SafetyItem{}, Checks: []Check{}, Losses: []Loss{},
		Phi: e.Phi, Concordance: e.Concordance, Overrides: append([]string{}, e.Overrides...),
		Need: newNeed(),
	}
	out.Level = out.Alpha / 2
	out.Strict = o.Strict
	if why := e.dependent(); why != "" && !out.Strict {
		out.Strict = true
		out.Warnings = append(out.Warnings, why+": an alarm must be borne out by a second pass alone (strict)")
	}
	return out
}

func invalidOutcome(e Evidence, o Options, why []string) Outcome {
	out := newOutcome(e, o)
	out.Decision, out.AtWorst, out.AtBest = Invalid, Invalid, Invalid
	out.Reasons = append(out.Reasons, why...)
	out.History = e.extent()
	for _, it := range e.Items {
		if t := it.Current.plus(it.Fresh).plus(it.Replica); it.Safety && t.Wrong > 0 {
			out.Warnings = append(out.Warnings, fmt.Sprintf("%s must be refused and was not in %d traces, which no lost trace excuses", it.Query, t.Wrong))
		}
	}
	return out
}

// findings collects what was found, and the decision that weighs most.
type findings struct {
	decision Decision
	sentence [4][]string // by weight
	losses   [4][]Loss   // behind them
	short    bool        // queries have too little history to be tested
	young    bool        // no query has enough
	open     bool        // something is open that no history would settle
}

func (f *findings) add(d Decision, reasons ...string) {
	f.open = f.open || d == Inconclusive
	f.note(d, reasons...)
}

// lack leaves the decision open for lack of history.
func (f *findings) lack(reason string) { f.note(Inconclusive, reason) }

func (f *findings) note(d Decision, reasons ...string) {
	if d.weight() > f.decision.weight() {
		f.decision = d
	}
	f.sentence[d.weight()] = append(f.sentence[d.weight()], reasons...)
}

func (f *findings) reasons() []string {
	out := []string{}
	for w := len(f.sentence) - 1; w >= 0; w-- {
		out = append(out, f.sentence[w]...)
	}
	if len(out) == 0 {
		out = append(out, "no test finds a loss")
	}
	return out
}
