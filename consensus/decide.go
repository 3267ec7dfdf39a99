package consensus

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Question is the query that the ballots answer.
type Question struct {
	ID   string // part of the request's identity; not shown to the model
	Text string
}

// Decider decides the vote on a query by the rule of docs/method.md §3.2.
type Decider struct {
	Stages   []Stage
	Quorum   Quorum
	Verifier *Verifier // required for the verifier stage, else nil
	Picker   *Picker   // required for the pick stage, else nil
}

// Validate reports missing models and misplaced stages.
func (d Decider) Validate() error {
	wrong := []error{CheckStages(d.Stages)}
	if d.Quorum != "" && !slices.Contains(Quorums(), d.Quorum) {
		wrong = append(wrong, fmt.Errorf("quorum %q is not known: use %s or %s", d.Quorum, QuorumMajority, QuorumNone))
	}
	if slices.Contains(d.Stages, StageVerifier) && (d.Verifier == nil || d.Verifier.Model == nil) {
		wrong = append(wrong, errors.New("stage verifier needs a model: name one, or leave the stage out"))
	}
	if slices.Contains(d.Stages, StagePick) && (d.Picker == nil || d.Picker.Model == nil) {
		wrong = append(wrong, errors.New("stage pick needs a model: name one, or leave the stage out"))
	}
	return errors.Join(wrong...)
}

// Decide applies the stages to the K ballots of a query, one for each trace, including lost traces. The order
// of the ballots has no effect. If the majority stage is off, all traces must agree; otherwise the method is
// None. If a model fails or gives no readable reply, the two answers count as not equivalent, or no class is
// picked. The Decision has the number of such questions. Decide returns the error of Validate, or of ctx if ctx
// ends before the decision.
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
	// Another merge cannot change a majority of K, but it can change which class leads with less.
	if out.Effort.Errors > 0 && (out.Method == Plurality || out.Method == Tie) {
		out.Unscored = true
	}
	return out, nil
}

// Stage is one step of a decision.
type Stage string

// The stages. Exact comes first. Verifier comes before majority and pick, because it changes the classes that
// they count. Pick may come before or after majority.
const (
	StageExact    Stage = "exact"
	StageVerifier Stage = "verifier"
	StageMajority Stage = "majority"
	StagePick     Stage = "pick"
)

// AsksModel reports whether the stage asks a language model.
func (s Stage) AsksModel() bool { return s == StageVerifier || s == StagePick }

// CheckStages returns an error if a stage is unknown, given twice or in the wrong place. An empty list is
// valid: it decides only queries with one trace.
func CheckStages(stages []Stage) error {
	place := map[Stage]int{StageExact: 1, StageVerifier: 2, StageMajority: 3, StagePick: 3}
	for i, s := range stages {
		if place[s] == 0 || slices.Contains(stages[:i], s) || i > 0 && place[s] < place[stages[i-1]] {
			return fmt.Errorf("stages %v: exact comes first, then verifier, then majority and pick, each once at the "+
				"most", stages)
		}
	}
	return nil
}

// keepCurve reports whether the stages decide in the same way for a subset of the traces, which the K curve
// requires. They do not if a model picks before the votes are counted.
func keepCurve(stages []Stage) bool {
	pick := slices.Index(stages, StagePick)
	majority := slices.Index(stages, StageMajority)
	return pick < 0 || majority >= 0 && majority < pick
}

// Quorum sets how many votes a decision needs (docs/method.md §3.2).
type Quorum string

// The quorums. The zero value is QuorumMajority.
const (
	QuorumMajority Quorum = "majority" // more than half of the K traces; a trace without a vote counts in K
	QuorumNone     Quorum = "none"     // more than half of the votes, as in published figures
)

// Quorums returns the quorums, the default first.
func Quorums() []Quorum { return []Quorum{QuorumMajority, QuorumNone} }

// IsZero reports whether the quorum is the default. YAML omits the default, so that older hashes and seals
// remain valid.
func (q Quorum) IsZero() bool { return q == "" || q == QuorumMajority }

// votes returns the number of votes that a majority needs. With fewer votes in total, nothing is decided.
func (q Quorum) votes(k, valid int) int {
	if q == QuorumNone {
		return valid/2 + 1
	}
	return k/2 + 1
}
