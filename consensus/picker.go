package consensus

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/model"
)

// Picker asks a language model which of several classes of answers is best supported. It
// sees the question, and of each class its short answer and one final message; not how
// many traces stand behind it. It is safe for concurrent use where its Model is.
type Picker struct {
	Model       model.Model
	Temperature float64 // the zero value is the one to use
	MaxTokens   int     // of a reply; 0 is asking.ShortReply
	Seed        int64   // the run's
}

// pick asks in two orders, by key and reversed. winner is an index into classes and is
// meant where result is PickDecided. The error is that of ctx alone.
func (p *Picker) pick(ctx context.Context, q Question, classes []class) (result string, winner int, spent Effort, err error) {
	order := make([]int, len(classes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(classes[a].key, classes[b].key) })
	var picks [2]int
	for turn := range picks {
		choice, used, err := p.choose(ctx, q, classes, order, turn)
		spent = spent.Add(used)
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

// choose asks once and gives the position in order, or nil where the model gave none.
func (p *Picker) choose(ctx context.Context, q Question, classes []class, order []int, turn int) (*int, Effort, error) {
	shown := make([]Ballot, len(order))
	parts := []string{PickPromptVersion, q.Text}
	for i, c := range order {
		shown[i] = classes[c].representative()
		parts = append(parts, shown[i].Key, shown[i].Answer, shown[i].Message)
	}
	key := asking.DigestOf(parts...)
	r, err := asking.Ask(ctx, p.Model, model.Request{
		Identity:    identity(model.Verifier, "pick", q, key, turn),
		Messages:    pickPrompt(p.Seed, q.Text, shown),
		Temperature: p.Temperature,
		Seed:        requestSeed(p.Seed, key, turn),
		MaxTokens:   cmp.Or(p.MaxTokens, asking.ShortReply),
		Schema:      pickSchema(),
	}, func(text string) (int, error) { return readPick(text, len(shown)) })
	return r.Value, effortOf(r), err
}
