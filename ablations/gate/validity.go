package gate

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/internal/text"
)

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
	why := append(append([]string(nil), e.Invalid...), TooLost("the run", e.Items, e.Retry)...)
	var now, before Traces
	for _, it := range e.Items {
		now, before = now.Plus(it.Current), before.Plus(it.History)
	}
	if p, ok := stats.Fisher(now.Infra, now.All(), before.Infra, before.All()); ok && p < lostLevel {
		why = append(why, fmt.Sprintf("traces are not lost alike in the run and in the pool (%s), so that the rest cannot be compared; find out why, and run again", pOf(p)))
	}
	return why
}

func (it Item) lostTraces() bool { return it.Current.Infra > 0 }

// TooLost says where a run lost more traces than a comparison can bear (methods.md §1.1); nil where it did
// not. pass names the run in the sentence, and retry the command that runs lost traces again.
func TooLost(pass string, items []Item, retry string) (why []string) {
	var sum Traces
	for _, it := range items {
		sum = sum.Plus(it.Current)
	}
	none := where(items, func(it Item) bool { return it.Current.All() == it.Current.Infra })
	if len(none) > 0 {
		why = append(why, fmt.Sprintf("%s has no valid trace of %s; run the lost ones again with %s", pass, text.Listed(none), retry))
	}
	if 100*sum.Infra > mostLostPercent*sum.All() {
		why = append(why, fmt.Sprintf("%s lost %d of %d traces to the infrastructure (%s), more than %d %%; run them again with %s", pass, sum.Infra, sum.All(), text.Listed(where(items, Item.lostTraces)), mostLostPercent, retry))
	}
	return why
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
