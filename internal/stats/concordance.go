package stats

import "math/rand/v2"

// Concordance tests whether the traces of one item agree more within a run than across runs, as they do where a run
// serves copies or shares a disturbance; outcomes[run][item] lists the right and wrong ones. The statistic is the
// number of agreeing pairs within run and item. Under the hypothesis, all orders of an item's outcomes over its runs
// are equally likely, whatever its difficulty; seeded draws of such orders give p = (1 + #{as many agreeing pairs,
// or more}) / (1 + draws). ok is false with fewer than two runs, runs of different length, and without draws.
//
// Source: methods.md §6.2, Run effects.
func Concordance(outcomes [][][]bool, seed int64, draws int) (p float64, ok bool) {
	items, ok := newMixedItems(outcomes)
	if !ok || draws < 1 {
		return 0, false
	}
	seen := 0
	for _, it := range items {
		seen += it.disagreeing()
	}
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	hits := 0
	for range draws {
		disagreeing := 0
		for _, it := range items {
			it.deal(random)
			disagreeing += it.disagreeing()
		}
		// The total number of pairs is constant, so fewer disagreeing pairs are more agreeing ones.
		if disagreeing <= seen {
			hits++
		}
	}
	return float64(1+hits) / float64(1+draws), true
}

// mixedItem is an item with both outcomes.
type mixedItem struct {
	traces []int // in each run
	one    []int // of one of the outcomes in each run
	places []int // the run of each trace
	deals  int   // traces of the rarer outcome
}

// newMixedItems leaves out items whose order has no effect.
func newMixedItems(outcomes [][][]bool) (items []mixedItem, ok bool) {
	if len(outcomes) < 2 {
		return nil, false
	}
	for i := range outcomes[0] {
		it := mixedItem{traces: make([]int, len(outcomes)), one: make([]int, len(outcomes))}
		right := 0
		for run, of := range outcomes {
			if len(of) != len(outcomes[0]) {
				return nil, false
			}
			it.traces[run] = len(of[i])
			for _, r := range of[i] {
				it.places = append(it.places, run)
				if r {
					it.one[run]++
					right++
				}
			}
		}
		if it.deals = min(right, len(it.places)-right); it.deals > 0 {
			items = append(items, it)
		}
	}
	return items, true
}

// disagreeing counts the pairs with different outcomes within a run.
func (it mixedItem) disagreeing() (n int) {
	for run, one := range it.one {
		n += one * (it.traces[run] - one)
	}
	return n
}

// deal assigns the rarer outcome to random traces, without replacement.
func (it mixedItem) deal(random *rand.Rand) {
	clear(it.one)
	for i := range it.deals {
		j := i + random.IntN(len(it.places)-i)
		it.places[i], it.places[j] = it.places[j], it.places[i]
		it.one[it.places[i]]++
	}
}
