package consensus

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

// Picker asks a language model which of several classes of answers is best supported. The
// model sees the question, and for each class its short answer and one final message, but
// not its number of traces. It is safe for concurrent use if its Model is.
type Picker struct {
	Model       model.Model
	Name        string  // the model as configured; part of the cache key
	Temperature float64 // 0 is recommended
	MaxTokens   int     // of a reply; 0 means asking.ShortReply
	Seed        int64   // the run's seed
	Canaries    bool    // asks the built-in canaries before the first choice
	Plain       bool    // asks without token and canaries, as runs did when recordings had no tokens
	Reads       Reads   // messages, or also the steps that led to them
	Cache       *Cache  // keeps the result of the canaries; nil asks them every time
}

// picked is the result of a choice.
type picked struct {
	result   string // a pick result, such as PickDecided
	winner   int    // an index into the classes, valid if the result is PickDecided
	repeated bool   // a reply repeated the token
	failed   error  // the error of the model, if it failed
	canaries *CanaryResult
	Effort
}

// pick chooses between classes. It does not ask a picker that a message can steer. It returns an error only if
// ctx ends.
func (p *Picker) pick(ctx context.Context, q Question, classes []class) (picked, error) {
	trial, failed, err := p.onProbation(ctx)
	if err != nil || failed || SteeredPick(trial) {
		out := picked{result: PickFailed, canaries: trial}
		if failed {
			out.Errors = 1
		}
		return out, err
	}
	token := asking.TokenAfter(trial)
	if p.Plain && p.Reads.IsZero() {
		token = asking.NoToken
	}
	out, err := p.inTwoOrders(ctx, q, classes, token)
	out.canaries = trial
	return out, err
}

// inTwoOrders asks twice: with the candidates sorted by key, then in the reverse order.
func (p *Picker) inTwoOrders(
	ctx context.Context, q Question, classes []class, token asking.Token,
) (out picked, err error) {
	order := make([]int, len(classes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(classes[a].key, classes[b].key) })
	out.result = PickFailed
	var picks [2]int
	for turn := range picks {
		r, err := p.choose(ctx, q, classes, order, turn, token)
		out.add(Effort(r.Effort))
		out.repeated, out.failed = out.repeated || r.Repeated, r.Failed
		if err != nil || r.Value == nil {
			return out, err
		}
		picks[turn] = order[*r.Value]
		slices.Reverse(order)
	}
	out.result, out.winner = PickDecided, picks[0]
	if picks[0] != picks[1] {
		out.result = PickInconclusive
	}
	return out, nil
}

// choose asks the model once and returns the position of the chosen class in order.
func (p *Picker) choose(
	ctx context.Context, q Question, classes []class, order []int, turn int, token asking.Token,
) (asking.Reply[int], error) {
	version, prompt := PickPromptVersion, PickSchema
	switch {
	case !p.Reads.IsZero():
		version, prompt = TracePickPromptVersion, pickOfTraces
	case p.Plain:
		version = plainPick
	}
	parts := []string{version, q.Text}
	var shown []asking.Block
	limit := min(maxMessage, maxMessages/len(order))
	for i, c := range order {
		b := classes[c].representative()
		parts = append(parts, b.Key, b.Answer, b.Message)
		shown = append(shown, asking.Data(fmt.Sprintf("candidate %d short answer", i+1), shortAnswer(b), maxShown))
		if !p.Reads.IsZero() {
			parts = append(parts, b.Steps)
			shown = append(shown, stepsOf(fmt.Sprintf("candidate %d steps", i+1), b.Steps,
				min(MaxSteps, maxMessages/len(order))))
		}
		shown = append(shown, asking.Data(fmt.Sprintf("candidate %d message", i+1), b.Message, limit))
	}
	settings := model.Request{Temperature: p.Temperature, MaxTokens: p.MaxTokens, Seed: p.Seed}
	return asking.Verdict(ctx, p.Model, request(settings, "pick", q, asking.DigestOf(parts...), turn, prompt,
		PickSchema, shown...), token,
		func(text string) (int, error) { return readPick(text, len(order)) })
}

// PickPromptVersion changes with every change of the picker's prompt. plainPick is the version of recordings
// without tokens.
const (
	PickPromptVersion = "pick/v3"
	plainPick         = "pick/v2"
)

// PickSchema is the name of the picker's reply schema.
const PickSchema = "concur_pick_v1"

const (
	maxMessage  = 6 << 10  // limit of one final message, in bytes
	maxMessages = 48 << 10 // limit of all of them together, in bytes
)

// shortAnswer returns the text that a picker sees for a ballot.
func shortAnswer(b Ballot) string {
	switch b.Outcome {
	case trace.Refused:
		return "(none: it refuses to answer)"
	case trace.Abstained:
		return "(none: it finds that the question cannot be settled)"
	default:
		return b.Answer
	}
}

// readPick reads a reply. It returns the position of the chosen candidate among n, from 0.
func readPick(text string, n int) (choice int, err error) {
	var reason string
	err = asking.ReadInto(text, map[string]any{"choice": &choice, "reason": &reason})
	if err == nil && (choice < 1 || choice > n) {
		err = fmt.Errorf("the reply chooses %d of %d candidates", choice, n)
	}
	return choice - 1, err
}
