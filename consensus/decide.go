package consensus

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Decide applies the deterministic part of the rule of methods.md §3.2 to the K ballots
// of a query, with the quorum of a majority of K. ballots holds one for each trace, infra failures included; their order
// does not matter. Without the majority stage, anything short of unanimity is None. The
// stages that ask a model decide nothing here: they need a [Decider].
func Decide(ballots []Ballot, stages []Stage) Decision {
	p := newPoll(ballots, QuorumMajority)
	for _, s := range stages {
		p.count(s)
	}
	return p.decision()
}

// Question is the query that the ballots answer.
type Question struct {
	ID   string // names the requests to a model; no model sees it
	Text string
}

// Decider decides by all stages of its list, those that ask a model included.
type Decider struct {
	Stages   []Stage
	Quorum   Quorum
	Verifier *Verifier // for the verifier stage, else nil
	Picker   *Picker   // for the pick stage, else nil
}

// Validate says what is missing or in the wrong place.
func (d Decider) Validate() error {
	wrong := []error{checkStages(d.Stages), d.Quorum.check()}
	if slices.Contains(d.Stages, StageVerifier) && (d.Verifier == nil || d.Verifier.Model == nil) {
		wrong = append(wrong, errors.New("stage verifier needs a model: name one, or leave the stage out"))
	}
	if slices.Contains(d.Stages, StagePick) && (d.Picker == nil || d.Picker.Model == nil) {
		wrong = append(wrong, errors.New("stage pick needs a model: name one, or leave the stage out"))
	}
	return errors.Join(wrong...)
}

// Decide decides as [Decide] does, and by a model where its stages say so. A model that
// fails or cannot be understood never decides anything: what it was asked counts as not
// equivalent or not picked, and the Decision tells how often that was so. The error is
// that of Validate, or of ctx, which leaves the query undecided.
func (d Decider) Decide(ctx context.Context, q Question, ballots []Ballot) (Decision, error) {
	if err := d.Validate(); err != nil {
		return Decision{}, fmt.Errorf("decide query %s: %w", q.ID, err)
	}
	p := newPoll(ballots, d.Quorum)
	for _, s := range d.Stages {
		var err error
		switch s {
		case StageVerifier:
			err = p.verify(ctx, d.Verifier, q)
		case StagePick:
			err = p.pick(ctx, d.Picker, q)
		default:
			p.count(s)
		}
		if err != nil {
			return Decision{}, fmt.Errorf("decide query %s: %w", q.ID, err)
		}
	}
	out := p.decision()
	out.KCurve = keepCurve(d.Stages) && out.Method != Picked
	// A majority of K stays one whatever else might have been merged; a smaller lead does not.
	if out.VerifierErrors > 0 && (out.Method == Plurality || out.Method == Tie) {
		out.Unscored = true
	}
	return out, nil
}
