package gate

import "fmt"

// Limits of methods.md §1.1: lost traces are few, and not the run's own.
const (
	mostLostPercent = 2
	lostLevel       = 0.01
)

// Levels at which traces of one run count as dependent (methods.md §6.2, run effects).
const concordanceLevel = 0.05

// invalid says what makes the run no evidence.
func (e Evidence) invalid() []string {
	if len(e.Items) == 0 {
		return append([]string{"the run has no queries; run it over a dataset"}, e.Invalid...)
	}
	why := append([]string(nil), e.Invalid...)
	if name, ok := e.impossible(); ok {
		return append(why, fmt.Sprintf("%s has a negative number of traces; the record is damaged", name))
	}
	if e.Consensus.Correct < 0 || e.Consensus.Unscored < 0 || e.Consensus.Correct+e.Consensus.Unscored > e.Consensus.Queries {
		return append(why, "the verdicts are more than the queries; the record is damaged")
	}
	current := func(it Item) Traces { return it.Current }
	why = append(why, tooLost("the run", e.Items, current, e.RunFolder)...)
	if several := e.severalModels(); several != "" {
		why = append(why, several)
	}
	if e.LostP != nil && *e.LostP < lostLevel {
		why = append(why, fmt.Sprintf("traces are not lost alike in the run and in the baseline (p=%.2g), so that the rest cannot be compared; find out why, and run again", *e.LostP))
	}
	return why
}

// tooLost says where a pass lost more traces than a comparison can bear.
func tooLost(pass string, items []Item, of func(Item) Traces, folder Folder) []string {
	var why, none []string
	for _, it := range items {
		if t := of(it); t.all() == t.Lost {
			none = append(none, it.Query)
		}
	}
	if len(none) > 0 {
		why = append(why, fmt.Sprintf("%s has no valid trace of %s; run what was lost again with %s", pass, listed(none), folder.retry()))
	}
	if l := lostOf(items, of); l.tooMany() {
		why = append(why, fmt.Sprintf("%s lost %s, more than %d %%; run them again with %s", pass, l, mostLostPercent, folder.retry()))
	}
	return why
}

func (e Evidence) impossible() (query string, found bool) {
	for _, it := range e.Items {
		bad := it.Current.negative() || it.History.negative()
		for _, t := range []*Traces{it.Fresh, it.Replica, it.Last} {
			bad = bad || t != nil && t.negative()
		}
		if bad {
			return it.Query, true
		}
	}
	if e.Frozen != nil {
		for name, t := range e.Frozen.History {
			if t.negative() {
				return name, true
			}
		}
	}
	return "", false
}

// dependent says why traces of one run do not count as independent, "" where they may.
func (e Evidence) dependent() string {
	switch {
	case e.Concordance != nil && *e.Concordance <= concordanceLevel:
		return fmt.Sprintf("traces of one pool run agree more than chance has it (p=%.2g)", *e.Concordance)
	case e.Phi != nil && e.Phi.Low > 1:
		return fmt.Sprintf("pool runs differ by more than their traces (phi %.1f, at least %.1f)", e.Phi.Value, e.Phi.Low)
	}
	return ""
}
