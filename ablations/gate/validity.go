package gate

import "fmt"

// Limits of methods.md §1.1: lost traces are few, and not the run's own.
const (
	mostLostPercent = 2
	lostLevel       = 0.01
)

// concordanceLevel is that at which traces of one run count as dependent (§6.2, Strict).
const concordanceLevel = 0.05

// invalid says what makes the run no evidence.
func (e Evidence) invalid() []string {
	if len(e.Items) == 0 {
		return append([]string{"the run has no queries; run it over a dataset"}, e.Invalid...)
	}
	why := append([]string(nil), e.Invalid...)
	for _, it := range e.Items {
		if it.Current.negative() || it.History.negative() || it.Last != nil && it.Last.negative() || e.Frozen != nil && e.Frozen.History[it.Query].negative() {
			return append(why, fmt.Sprintf("%s has a negative number of traces; the record is damaged", it.Query))
		}
	}
	if e.Consensus.Correct < 0 || e.Consensus.Unscored < 0 || e.Consensus.Correct+e.Consensus.Unscored > e.Consensus.Queries {
		return append(why, "the verdicts are more than the queries; the record is damaged")
	}
	why = append(why, TooLost("the run", e.Items, e.retry())...)
	if e.LostP != nil && *e.LostP < lostLevel {
		why = append(why, fmt.Sprintf("traces are not lost alike in the run and in the pool (%s), so that the rest cannot be compared; find out why, and run again", pOf(*e.LostP)))
	}
	return why
}

// TooLost says where a run lost more traces than a comparison can bear (methods.md §1.1); nil
// where it did not. pass names the run in the sentence, and retry the command that runs lost
// traces again.
func TooLost(pass string, items []Item, retry string) []string {
	var why, none, some []string
	lost, all := 0, 0
	for _, it := range items {
		t := it.Current
		lost, all = lost+t.Lost, all+t.All()
		if t.All() == t.Lost {
			none = append(none, it.Query)
		}
		if t.Lost > 0 {
			some = append(some, it.Query)
		}
	}
	if len(none) > 0 {
		why = append(why, fmt.Sprintf("%s has no valid trace of %s; run the lost ones again with %s", pass, listed(none), retry))
	}
	if 100*lost > mostLostPercent*all {
		why = append(why, fmt.Sprintf("%s lost %d of %d traces to the infrastructure (%s), more than %d %%; run them again with %s", pass, lost, all, listed(some), mostLostPercent, retry))
	}
	return why
}

// lost warns of lost traces that are too few to make the run invalid.
func (f *findings) lost(e Evidence, out *Outcome) {
	lost, names := 0, []string{}
	for _, it := range e.Items {
		if it.Current.Lost > 0 {
			lost, names = lost+it.Current.Lost, append(names, it.Query)
		}
	}
	if lost > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("the run lost %s to the infrastructure (%s), which count for nothing; %s runs them again", counted(lost, "trace"), listed(names), e.retry()))
	}
}

// Dependent says why traces of one run do not count as independent, "" where they may.
func (e Evidence) Dependent() string {
	switch {
	case e.Concordance != nil && *e.Concordance <= concordanceLevel:
		return fmt.Sprintf("traces of one accepted run agree more than chance explains (%s)", pOf(*e.Concordance))
	case e.Phi != nil && e.Phi.Value > e.Phi.Line:
		return fmt.Sprintf("accepted runs differ by more than their traces explain (phi %.1f, above %.1f)", e.Phi.Value, e.Phi.Line)
	}
	return ""
}

// withoutVerdict says which queries have no verdict, and what to do.
func (e Evidence) withoutVerdict() string {
	var names []string
	for _, it := range e.Items {
		if it.Current.Unscored+Count(it.Fresh).Unscored > 0 {
			names = append(names, it.Query)
		}
	}
	words := ""
	if len(names) > 0 {
		words = "traces of " + listed(names) + " have none; "
	}
	if e.Consensus.Unscored > 0 {
		of := counted(e.Consensus.Unscored, "query")
		if len(e.Consensus.Without) > 0 {
			of = listed(e.Consensus.Without)
		}
		words += "the consensus of " + of + " has none; "
	}
	return words + "look at them with concur trace; where traces were lost, run them again with " + e.retry() + ", else run again"
}
