package consensus

import (
	"cmp"
	"slices"
)

// class is a set of ballots with one key, by trace index.
type class struct {
	key       string
	ballots   []Ballot
	ambiguous bool
}

// group sorts the votes into classes, largest first; equal sizes by their first trace.
func group(ballots []Ballot) []class {
	byKey := map[string]*class{}
	var order []string
	for _, b := range slices.SortedFunc(slices.Values(ballots), byTrace) {
		if !b.Outcome.Votes() {
			continue
		}
		c, ok := byKey[b.Key]
		if !ok {
			c = &class{key: b.Key}
			byKey[b.Key] = c
			order = append(order, b.Key)
		}
		c.ballots = append(c.ballots, b)
		c.ambiguous = c.ambiguous || b.Ambiguous
	}
	classes := make([]class, len(order))
	for i, key := range order {
		classes[i] = *byKey[key]
	}
	slices.SortStableFunc(classes, func(a, b class) int { return cmp.Compare(len(b.ballots), len(a.ballots)) })
	return classes
}

func byTrace(a, b Ballot) int { return cmp.Compare(a.Trace, b.Trace) }

func (c class) traces() []int {
	out := make([]int, len(c.ballots))
	for i, b := range c.ballots {
		out[i] = b.Trace
	}
	return out
}

// support counts the distinct evidence documents that the class's answers cite.
func (c class) support() int {
	documents := map[string]bool{}
	for _, b := range c.ballots {
		for _, s := range b.Supporting {
			documents[s] = true
		}
	}
	return len(documents)
}
