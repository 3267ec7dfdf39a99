package gate

import (
	"fmt"
	"strings"
)

// lost counts the traces of a pass that the infrastructure took.
type lost struct {
	traces, of int
	queries    []string
}

func lostOf(items []Item, of func(Item) Traces) lost {
	var l lost
	for _, it := range items {
		t := of(it)
		l.of += t.all()
		if t.Lost > 0 {
			l.traces, l.queries = l.traces+t.Lost, append(l.queries, it.Query)
		}
	}
	return l
}

// tooMany is the rule of methods.md §1.1.
func (l lost) tooMany() bool { return 100*l.traces > mostLostPercent*l.of }

func (l lost) String() string {
	return fmt.Sprintf("%d of %d traces to the infrastructure (%s)", l.traces, l.of, listed(l.queries))
}

// The traces of a pass; none where it was not run.
func currentOf(it Item) Traces { return it.Current }
func freshOf(it Item) Traces   { return Traces{}.plus(it.Fresh) }
func againOf(it Item) Traces   { return Traces{}.plus(it.Replica) }

// lost tells of lost traces that a valid decision has borne. Fresh ones are held to the same
// rule as the run's: PASS does not rest on a pass that lost more.
func (f *findings) lost(e Evidence, out *Outcome) {
	if l := lostOf(e.Items, currentOf); l.traces > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("the run lost %s, which count for nothing; %s runs them again", l, e.RunFolder.retry()))
	}
	if l := lostOf(e.Items, againOf); l.traces > 0 && !l.tooMany() {
		out.Warnings = append(out.Warnings, fmt.Sprintf("the second pass lost %s, which count for nothing; %s runs them again", l, e.SecondFolder.retry()))
	}
	l := lostOf(e.Items, freshOf)
	switch {
	case l.traces == 0 || f.open: // which says so, where they matter
	case l.tooMany() && f.decision.weight() <= Inconclusive.weight():
		f.add(Inconclusive, fmt.Sprintf("the fresh traces lost %s, more than %d %%; run them again with %s, and ask the gate again", l, mostLostPercent, retries(e.FreshFolders)))
	default:
		out.Warnings = append(out.Warnings, fmt.Sprintf("the fresh traces lost %s, which count for nothing; run them again with %s", l, retries(e.FreshFolders)))
	}
}

// withoutVerdict says which queries have no verdict, why, and what to do.
func (e Evidence) withoutVerdict() string {
	var names []string
	traces := false
	for _, it := range e.Items {
		if it.Current.plus(it.Fresh).plus(it.Replica).Unscored > 0 {
			names, traces = append(names, it.Query), true
		}
	}
	var words []string
	if len(names) > 0 {
		words = append(words, "traces of "+listed(names)+" are without one")
	}
	if e.Consensus.Unscored > 0 {
		of := fmt.Sprint(e.Consensus.Unscored, " queries")
		if len(e.Consensus.Without) > 0 {
			of = listed(e.Consensus.Without)
		}
		words = append(words, "the consensus of "+of+" is without one")
	}
	way := "look at them with concur trace, and run again"
	if !traces && e.lostConsensus() {
		way = "their traces were lost: run them again with " + e.RunFolder.retry()
	}
	return strings.Join(append(words, way), "; ")
}

// lostConsensus reports whether lost traces explain what has no consensus.
func (e Evidence) lostConsensus() bool {
	without := map[string]bool{}
	for _, name := range e.Consensus.Without {
		without[name] = true
	}
	for _, it := range e.Items {
		if without[it.Query] && it.Current.Lost == 0 {
			return false
		}
	}
	return len(without) > 0
}
