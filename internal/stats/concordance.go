package stats

import "math/rand/v2"

// Concordance tests whether the traces of one item agree more within a run than across runs, as they
// do where a run serves copies or shares a disturbance; outcomes[run][item] lists the right and wrong
// ones. The statistic is the number of agreeing pairs within run and item. Under the hypothesis, all
// orders of an item's outcomes over its runs are equally likely, whatever its difficulty; seeded draws
// of such orders give p = (1 + #{as many agreeing pairs, or more}) / (1 + draws). 0 draws mean
// DefaultDraws. ok is false with fewer than two runs, runs of different length, and negative draws.
//
// Source: methods.md §6.2, Run effects.
func Concordance(outcomes [][][]bool, seed int64, draws int) (p float64, ok bool) {
	items, ok := newMixedItems(outcomes)
	if !ok || draws < 0 {
		return 0, false
	}
	if draws == 0 {
		draws = DefaultDraws
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
	rare   []int // of the rarer outcome in each run
	places []int // the run of each trace
	deals  int   // traces of the rarer outcome
}

// newMixedItems leaves out items whose order has no effect.
func newMixedItems(outcomes [][][]bool) ([]mixedItem, bool) {
	if len(outcomes) < 2 {
		return nil, false
	}
	for _, run := range outcomes {
		if len(run) != len(outcomes[0]) {
			return nil, false
		}
	}
	var items []mixedItem
	for i := range outcomes[0] {
		if it := newMixedItem(outcomes, i); it.deals > 0 {
			items = append(items, it)
		}
	}
	return items, true
}

func newMixedItem(outcomes [][][]bool, item int) mixedItem {
	it := mixedItem{traces: make([]int, len(outcomes)), rare: make([]int, len(outcomes))}
	for run := range outcomes {
		it.traces[run] = len(outcomes[run][item])
		for _, right := range outcomes[run][item] {
			it.places = append(it.places, run)
			if right {
				it.rare[run]++
				it.deals++
			}
		}
	}
	if 2*it.deals > len(it.places) {
		it.deals = len(it.places) - it.deals
		for run := range it.rare {
			it.rare[run] = it.traces[run] - it.rare[run]
		}
	}
	return it
}

// disagreeing counts the pairs with different outcomes within a run.
func (it mixedItem) disagreeing() int {
	n := 0
	for run, rare := range it.rare {
		n += rare * (it.traces[run] - rare)
	}
	return n
}

// deal assigns the rarer outcome to random traces, without replacement.
func (it mixedItem) deal(random *rand.Rand) {
	clear(it.rare)
	for i := range it.deals {
		j := i + random.IntN(len(it.places)-i)
		it.places[i], it.places[j] = it.places[j], it.places[i]
		it.rare[it.places[i]]++
	}
}
