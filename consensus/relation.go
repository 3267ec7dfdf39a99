package consensus

import "slices"

// relation records which of n classes are equivalent. It is reflexive and symmetric, but
// not always transitive, because each pair was asked separately.
type relation [][]bool

// relate calls same once for every pair, in order, and returns the relation.
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

// intransitive counts contradictory triples: a~b and b~c, but not a~c.
func (r relation) intransitive() int {
	n := 0
	for i := range r {
		for j := i + 1; j < len(r); j++ {
			for k := j + 1; k < len(r); k++ {
				equal := 0
				for _, yes := range []bool{r[i][j], r[j][k], r[i][k]} {
					if yes {
						equal++
					}
				}
				if equal == 2 {
					n++
				}
			}
		}
	}
	return n
}

// cliques returns the groups to merge, by index, in the order of their first members. Two classes are in one
// group if they are equivalent to each other and to exactly the same other classes. So all pairs of a group are
// equivalent (complete link), three classes whose replies contradict each other are not merged, and the order
// of the questions has no effect.
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
