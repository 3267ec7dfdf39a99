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
		return it.Current.plus(it.Fresh).plus(it.Replica).Unscored > 0
	})
}

// at gives the evidence with every unscored trace and answer of the run counted as wrong,
// or as right. The histories have been decided before: their unscored traces stay out.
func (e Evidence) at(b bound) Evidence {
	e.Items = slices.Clone(e.Items)
	for i := range e.Items {
		it := &e.Items[i]
		it.Current = it.Current.at(b)
		it.Fresh, it.Replica = b.of(it.Fresh), b.of(it.Replica)
	}
	if b == best {
		e.Consensus.Correct += e.Consensus.Unscored
	}
	e.Consensus.Unscored = 0
	return e
}

func (b bound) of(t *Traces) *Traces {
	if t == nil {
		return nil
	}
	bounded := t.at(b)
	return &bounded
}

func (t Traces) at(b bound) Traces {
	if b == best {
		t.Right += t.Unscored
	} else {
		t.Wrong += t.Unscored
	}
	t.Unscored = 0
	return t
}
