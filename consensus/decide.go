package consensus

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/runner/trace"
)

// Stage is one step of the way to a decision.
type Stage string

// The stages of this version, in the order in which they may stand.
const (
	StageExact    Stage = "exact"
	StageMajority Stage = "majority"
)

// Decide applies the rule of methods.md §3.2 to the K ballots of a query. ballots holds
// one for each trace, infra failures included; their order does not matter. Without the
// majority stage, anything short of unanimity is None.
func Decide(ballots []Ballot, stages []Stage) Decision {
	k := len(ballots)
	quorum := k/2 + 1
	d := Decision{Method: None, Outcome: trace.NoAnswer}
	for _, b := range ballots {
		switch {
		case b.Outcome.Votes():
			d.Valid++
		case b.Outcome == trace.Infra:
			d.Infra++
		}
	}
	classes := group(ballots)
	d.measure(classes, k)
	winner := 0
	switch {
	case d.Valid < quorum:
		d.Unscored = d.Valid+d.Infra >= quorum
	case k == 1:
		d.Method = Single
	case len(classes) == 1 && d.Valid == k && !classes[0].ambiguous && slices.Contains(stages, StageExact):
		d.Method = Exact
	case slices.Contains(stages, StageMajority):
		d.Method, winner = majority(classes, quorum)
	}
	if d.Method != None {
		d.decideFor(classes[winner])
		classes = slices.Concat(classes[winner:winner+1], classes[:winner], classes[winner+1:])
	}
	d.Votes = make([]Vote, len(classes))
	for i, c := range classes {
		d.Votes[i] = Vote{Key: c.key, Traces: c.traces()}
	}
	return d
}

// majority applies step 4, and step 5's tie-break where several classes lead.
func majority(classes []class, quorum int) (Method, int) {
	leaders := 1
	for leaders < len(classes) && len(classes[leaders].ballots) == len(classes[0].ballots) {
		leaders++
	}
	switch {
	case len(classes[0].ballots) >= quorum:
		return Majority, 0
	case leaders == 1:
		return Plurality, 0
	default:
		return Tie, breakTie(classes[:leaders])
	}
}

// breakTie prefers the class with more distinct supporting documents, then the one with
// the lowest hash of its key: never the one that finished first.
func breakTie(leaders []class) int {
	best := 0
	for i := 1; i < len(leaders); i++ {
		better := cmp.Or(
			cmp.Compare(leaders[i].support(), leaders[best].support()),
			cmp.Compare(hashOf(leaders[best].key), hashOf(leaders[i].key)),
		)
		if better > 0 {
			best = i
		}
	}
	return best
}

func (d *Decision) decideFor(c class) {
	representative := c.ballots[0]
	d.Outcome = representative.Outcome
	d.Key = &c.key
	d.Representative = &representative.Trace
	if representative.Outcome == trace.Answered {
		d.Answer = &representative.Answer
	}
}

// measure fills in the figures that do not depend on the method.
func (d *Decision) measure(classes []class, k int) {
	m := [2]int{}
	entropy := 0.0
	for i, c := range classes {
		if i < 2 {
			m[i] = len(c.ballots)
		}
		share := float64(len(c.ballots)) / float64(d.Valid)
		entropy -= share * math.Log(share)
	}
	if d.Valid > 0 {
		d.Entropy = &entropy
	}
	if k > 1 {
		agreement, margin := float64(m[0])/float64(k), float64(m[0]-m[1])/float64(k)
		d.Agreement, d.Margin = &agreement, &margin
	}
}
