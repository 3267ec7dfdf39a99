package gate

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/stats"
)

// The traces that Test A takes for current.
func ofRun(it *Item) Traces    { return it.Current }
func ofSecond(it *Item) Traces { return *it.Replica }
func ofBoth(it *Item) Traces   { return it.Current.plus(it.Replica) }

// aggregate is Test A: given how many traces of each query are right in all, are the
// current ones among them as many as chance lets expect?
func (v versus) aggregate(of func(*Item) Traces) Aggregate {
	strata := make([]stats.Stratum, len(v.items))
	var a Aggregate
	for i, h := range v.items {
		t := of(h.Item)
		strata[i] = stats.Stratum{X: t.Right, K: t.Valid(), H: h.history.Right, M: h.history.Valid()}
		a.Right, a.Traces = a.Right+t.Right, a.Traces+t.Valid()
	}
	test, ok := stats.Stratified(strata)
	if !ok {
		// Counts beyond any run: nothing can be said, which is no alarm.
		a.P, a.Exact = 1, 1
		return a
	}
	a.Expected, a.Variance, a.Z = test.Expected, test.Variance, test.Z
	a.P, a.Exact, a.Method = test.MidP, test.Exact, test.Method
	a.Rejects = a.P <= v.level
	return a
}

func (a Aggregate) String() string {
	return fmt.Sprintf("%d of %d traces right where the history lets expect %.1f (p=%.2g)", a.Right, a.Traces, a.Expected, a.P)
}
