package consensus

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/trace"
)

// poll is a decision in progress.
type poll struct {
	k, quorum int
	closed    bool // no further stage may decide
	classes   []class
	winner    int // index of the decided class, unless d.Method is None
	d         Decision
}

func newPoll(ballots []Ballot, q Quorum) *poll {
	k := len(ballots)
	p := &poll{
		k: k, classes: group(ballots),
		d: Decision{Method: None, Outcome: trace.NoAnswer, KCurve: true},
	}
	for _, b := range ballots {
		switch {
		case b.Outcome.Votes():
			p.d.Valid++
		case b.Outcome == trace.Infra:
			p.d.Infra++
		}
	}
	p.quorum = q.votes(k, p.d.Valid)
	switch {
	case p.d.Valid < p.quorum:
		p.closed = true
		if p.d.Valid+p.d.Infra >= p.quorum {
			p.d.Unscored, p.d.Outcome = true, trace.Infra
		}
	case k == 1:
		p.closed = true
		p.d.Method = Single
	}
	return p
}

// unanimous reports whether all K traces voted for one class.
func (p *poll) unanimous() bool { return len(p.classes) == 1 && p.d.Valid == p.k }

// checked reports whether the votes are by checks.
func (p *poll) checked() bool { return len(p.classes) > 0 && p.classes[0].ballots[0].checked }

// count applies a stage that asks no model.
func (p *poll) count(s Stage) {
	switch {
	case p.closed:
	case s == StageExact && p.unanimous() && !p.classes[0].ambiguous:
		p.d.Method = Exact
	case s == StageMajority && p.d.Method == None:
		p.d.Method, p.winner = majority(p.classes, p.quorum)
	}
}

// verify merges classes with the same meaning: first those whose answers are equal by their type
// (docs/method.md §2.2, equality between traces), then those that the verifier finds equivalent.
func (p *poll) verify(ctx context.Context, v *Verifier, q Question) error {
	if p.closed || p.checked() || p.d.Method != None {
		return nil
	}
	err := p.merge(func(a, b Ballot) (bool, error) { return equalByType(a, b), nil })
	if err != nil {
		return err
	}
	err = p.merge(func(a, b Ballot) (bool, error) {
		o, err := v.compare(ctx, q, a, b)
		p.d.add(o.Effort)
		p.d.Canaries = cmp.Or(p.d.Canaries, o.Canaries)
		return o.Equivalent, err
	})
	if err == nil && p.unanimous() {
		p.d.Method = Semantic
	}
	return err
}

// merge joins the classes whose representatives are the same according to same, by complete link.
func (p *poll) merge(same func(a, b Ballot) (bool, error)) error {
	r, err := relate(len(p.classes), func(i, j int) (bool, error) {
		return same(p.classes[i].representative(), p.classes[j].representative())
	})
	if err != nil {
		return err
	}
	p.d.Intransitive += r.intransitive()
	var merged []class
	for _, members := range r.cliques() {
		parts := make([]class, len(members))
		for i, m := range members {
			parts[i] = p.classes[m]
		}
		merged = append(merged, join(parts))
	}
	p.classes = bySize(merged)
	return nil
}

// pick asks the picker if counting has not decided.
func (p *poll) pick(ctx context.Context, picker *Picker, q Question) error {
	open := p.d.Method == None || p.d.Method == Plurality || p.d.Method == Tie
	if p.closed || p.checked() || !open || len(p.classes) < 2 {
		return nil
	}
	found, err := picker.pick(ctx, q, p.classes)
	p.d.add(found.Effort)
	if err != nil {
		return err
	}
	p.d.Pick, p.d.PickCanaries = &found.result, found.canaries
	if found.result == PickDecided {
		p.d.Method, p.winner = Picked, found.winner
	}
	return nil
}

// decision completes and returns the Decision.
func (p *poll) decision() Decision {
	d := p.d
	d.measure(p.classes, p.k)
	classes := p.classes
	if d.Method != None {
		if p.checked() && d.Method != Single {
			d.Method = Checks
		}
		d.decideFor(classes[p.winner])
		classes = slices.Concat(classes[p.winner:p.winner+1], classes[:p.winner], classes[p.winner+1:])
	}
	d.Votes = make([]Class, len(classes))
	for i, c := range classes {
		d.Votes[i] = Class{Key: c.key, Keys: c.keys, Traces: c.traces()}
	}
	return d
}

// majority applies step 4 of docs/method.md §3.2, and step 5's tie-break if several classes lead.
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

// breakTie chooses the class with the most distinct supporting documents. If several have equally many, it
// chooses the class that has the key with the lowest hash. The time at which traces finish has no effect.
func breakTie(leaders []class) int {
	best := 0
	for i := 1; i < len(leaders); i++ {
		better := cmp.Compare(leaders[i].support(), leaders[best].support())
		if better == 0 {
			better = bytes.Compare(leaders[best].lowestHash(), leaders[i].lowestHash())
		}
		if better > 0 {
			best = i
		}
	}
	return best
}

func (d *Decision) decideFor(c class) {
	representative := c.representative()
	d.Outcome = representative.Outcome
	d.Key = &c.key
	d.Representative = &representative.Trace
	if representative.Outcome == trace.Answered && (!representative.checked || representative.passes) {
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
