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
	Temperature float64 // 0 is recommended
	MaxTokens   int     // of a reply; 0 means asking.ShortReply
	Seed        int64   // of the run
	Plain       bool    // as of Verifier
}

// pick asks in two orders: by key, and reversed. winner is an index into classes, valid if
// result is PickDecided. The error is that of ctx.
func (p *Picker) pick(
	ctx context.Context, q Question, classes []class,
) (result string, winner int, spent Effort, err error) {
	order := make([]int, len(classes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(classes[a].key, classes[b].key) })
	var picks [2]int
	for turn := range picks {
		choice, used, err := p.choose(ctx, q, classes, order, turn)
		spent.add(used)
		if err != nil {
			return PickFailed, 0, spent, err
		}
		if choice == nil {
			return PickFailed, 0, spent, nil
		}
		picks[turn] = order[*choice]
		slices.Reverse(order)
	}
	if picks[0] != picks[1] {
		return PickInconclusive, 0, spent, nil
	}
	return PickDecided, picks[0], spent, nil
}

// choose asks once; the result is a position in order, or nil if the model gave none.
func (p *Picker) choose(ctx context.Context, q Question, classes []class, order []int, turn int) (*int, Effort, error) {
	version, token := PickPromptVersion, asking.TokenOffered // no canaries tell whether the model repeats it
	if p.Plain {
		version, token = plainPick, asking.NoToken
	}
	parts := []string{version, q.Text}
	var shown []asking.Block
	limit := min(maxMessage, maxMessages/len(order))
	for i, c := range order {
		b := classes[c].representative()
		parts = append(parts, b.Key, b.Answer, b.Message)
		shown = append(shown,
			asking.Data(fmt.Sprintf("candidate %d short answer", i+1), shortAnswer(b), maxShown),
			asking.Data(fmt.Sprintf("candidate %d message", i+1), b.Message, limit))
	}
	settings := model.Request{Temperature: p.Temperature, MaxTokens: p.MaxTokens, Seed: p.Seed}
	r, err := asking.Verdict(ctx, p.Model, request(settings, "pick", q, asking.DigestOf(parts...), turn, PickSchema,
		shown...), token,
		func(text string) (int, error) { return readPick(text, len(order)) })
	return r.Value, Effort(r.Effort), err
}

// PickPromptVersion changes with every change of the picker's prompt; plainPick is that of recordings without tokens.
const (
	PickPromptVersion = "pick/v3"
	plainPick         = "pick/v2"
)

// PickSchema is the name of the picker's reply schema.
const PickSchema = "concur_pick_v1"

const (
	maxMessage  = 6 << 10  // bytes of one final message
	maxMessages = 48 << 10 // bytes of all of them together
)

// shortAnswer is the text that a picker sees for a ballot.
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

// readPick reads a reply; the choice is a position among n, from 0.
func readPick(text string, n int) (choice int, err error) {
	var reason string
	err = asking.ReadInto(text, map[string]any{"choice": &choice, "reason": &reason})
	if err == nil && (choice < 1 || choice > n) {
		err = fmt.Errorf("the reply chooses %d of %d candidates", choice, n)
	}
	return choice - 1, err
}
