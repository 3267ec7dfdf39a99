package consensus

import "slices"

// relation says which of n classes are equivalent: reflexive and symmetrical, but, as it
// was found pair by pair, not always transitive.
type relation [][]bool

// relate asks same about every pair once, in order.
func relate(n int, same func(i, j int) (bool, error)) (relation, error) {
	r := make(relation, n)
	for i := range r {
		r[i] = make([]bool, n)
		r[i][i] = true
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			yes, err := same(i, j)
			if err != nil {
				return nil, err
			}
			r[i][j], r[j][i] = yes, yes
		}
	}
	return r, nil
}

// intransitive counts the triples that contradict themselves: a~b and b~c, yet not a~c.
func (r relation) intransitive() int {
	n := 0
	for i := range r {
		for j := i + 1; j < len(r); j++ {
			for k := j + 1; k < len(r); k++ {
				if held := holds(r[i][j]) + holds(r[j][k]) + holds(r[i][k]); held == 2 {
					n++
				}
			}
		}
	}
	return n
}

func holds(b bool) int {
	if b {
		return 1
	}
	return 0
}

// cliques gives the groups to merge, each by index, in the order of their first members.
// Two classes join where they are equivalent and no third one disagrees about it, that
// is, where both are equivalent to exactly the same classes. All pairs across a group
// then hold (complete link), every contradictory triple stays apart, and the order in
// which pairs were asked decides nothing.
func (r relation) cliques() [][]int {
	var groups [][]int
	placed := make([]bool, len(r))
	for i := range r {
		if placed[i] {
			continue
		}
		members := []int{i}
		for j := i + 1; j < len(r); j++ {
			if r[i][j] && slices.Equal(r[i], r[j]) {
				members = append(members, j)
				placed[j] = true
			}
		}
		groups = append(groups, members)
	}
	return groups
}
