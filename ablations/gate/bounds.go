package gate

import "slices"

// bound is what the unscored are taken for.
type bound bool

const (
	worst bound = false
	best  bound = true
)

func (e Evidence) unscored() bool {
	return e.Consensus.Unscored > 0 || slices.ContainsFunc(e.Items, func(it Item) bool {
		return it.Current.Unscored > 0 || slices.Contains(it.Fresh, Unscored)
	})
}

// at gives the evidence with every unscored trace and answer of the run counted as wrong,
// or as right. The unscored traces of histories stay out.
func (e Evidence) at(b bound) Evidence {
	e.Items = slices.Clone(e.Items)
	mark := Wrong
	if b == best {
		mark = Right
		e.Consensus.Correct += e.Consensus.Unscored
	}
	for i := range e.Items {
		it := &e.Items[i]
		if b == best {
			it.Current.Right += it.Current.Unscored
		} else {
			it.Current.Wrong += it.Current.Unscored
		}
		it.Current.Unscored = 0
		it.Fresh = slices.Clone(it.Fresh)
		for j := range it.Fresh {
			if it.Fresh[j] == Unscored {
				it.Fresh[j] = mark
			}
		}
	}
	e.Consensus.Unscored = 0
	return e
}
