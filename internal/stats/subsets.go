package stats

// subsets counts the subsets of k traces of an item by their answers. Each binomial C(n, j)
// has the weight t^j(1-t)^(n-j), t = k/N: the weights cancel in the ratio to all subsets
// and prevent overflow.
type subsets struct {
	k       int
	classes []weighted
	empty   []float64
	all     float64
	// most is the largest lead of a correct class.
	most int
}

type weighted struct {
	correct bool
	weight  []float64 // of taking j of the class
}

func newSubsets(it Item, k int) *subsets {
	n := it.Traces()
	t := float64(k) / float64(n)
	weights := func(votes int) []float64 {
		w := make([]float64, min(votes, k)+1)
		for j := range w {
			w[j] = binomialPMF(j, votes, t)
		}
		return w
	}
	s := &subsets{k: k, empty: weights(it.Empty), all: binomialPMF(k, n, t)}
	for _, c := range it.Classes {
		if c.Votes == 0 {
			continue
		}
		s.classes = append(s.classes, weighted{c.Correct, weights(c.Votes)})
		if c.Correct {
			s.most = max(s.most, min(c.Votes, k))
		}
	}
	return s
}

// ledBy is the weight of the subsets whose largest class has lead members and that hold
// at least answers answers, times the share of correct leaders.
func (s *subsets) ledBy(lead, answers int) float64 {
	wrong, correct := 0, 0
	for _, c := range s.classes {
		switch {
		case len(c.weight) <= lead:
		case c.correct:
			correct++
		default:
			wrong++
		}
	}
	// No more than k/lead classes fit into k traces.
	g := newGrid(s.k, min(wrong, s.k/lead), min(correct, s.k/lead))
	for _, c := range s.classes {
		g.add(c, lead)
	}
	sum := 0.0
	for taken := answers; taken <= s.k; taken++ {
		if s.k-taken >= len(s.empty) {
			continue
		}
		for wrong := range g.wrong + 1 {
			for correct := 1; correct <= g.correct; correct++ {
				share := float64(correct) / float64(wrong+correct)
				sum += g.at(taken, wrong, correct) * s.empty[s.k-taken] * share
			}
		}
	}
	return sum
}

// grid holds weights by the traces taken and the leaders of each kind so far.
type grid struct {
	taken, wrong, correct int // the largest of each
	reached               int // the most traces taken so far
	weight                []float64
}

// newGrid has all weight on no traces taken.
func newGrid(taken, wrong, correct int) *grid {
	g := &grid{taken: taken, wrong: wrong, correct: correct}
	g.weight = make([]float64, (taken+1)*(wrong+1)*(correct+1))
	g.weight[0] = 1
	return g
}

func (g *grid) index(taken, wrong, correct int) int {
	return (taken*(g.wrong+1)+wrong)*(g.correct+1) + correct
}

func (g *grid) at(taken, wrong, correct int) float64 {
	return g.weight[g.index(taken, wrong, correct)]
}

// add takes 0 to lead members of one more class; taking lead makes it a leader. Weight moves
// only to more traces taken, so going downwards needs no second grid.
func (g *grid) add(c weighted, lead int) {
	for taken := g.reached; taken >= 0; taken-- {
		// Leaders hold lead traces each.
		for wrong := range min(g.wrong, taken/lead) + 1 {
			for correct := range min(g.correct, taken/lead-wrong) + 1 {
				here := g.index(taken, wrong, correct)
				if g.weight[here] > 0 {
					g.spread(c, lead, g.weight[here], taken, wrong, correct)
					g.weight[here] *= c.weight[0]
				}
			}
		}
	}
	g.reached = min(g.taken, g.reached+min(lead, len(c.weight)-1))
}

// spread takes 1 to lead members.
func (g *grid) spread(c weighted, lead int, from float64, taken, wrong, correct int) {
	most := min(len(c.weight)-1, lead, g.taken-taken)
	for j := 1; j <= min(most, lead-1); j++ {
		g.weight[g.index(taken+j, wrong, correct)] += from * c.weight[j]
	}
	if most < lead {
		return
	}
	if c.correct {
		correct++
	} else {
		wrong++
	}
	g.weight[g.index(taken+lead, wrong, correct)] += from * c.weight[lead]
}
