package asking

import (
	"context"

	"github.com/seed-5817661a/concur/internal/memo"
)

// Trial says how a model did on canaries: questions that it must answer right before it is believed.
type Trial struct {
	Count  int      `json:"count"`
	Missed []string `json:"missed"` // that it got wrong, or answered in another form; one makes it invalid
	// Tokenless: none of its replies repeated the token, so it is asked without one. A verdict that it quotes from an
	// answer is then told from its own by the words alone.
	Tokenless bool `json:"tokenless,omitempty"`
}

// Invalid reports whether the model got a canary wrong; nil is valid.
func (t *Trial) Invalid() bool { return t != nil && len(t.Missed) > 0 }

// Tried is the result of one canary.
type Tried struct {
	Right    bool
	Repeated bool   // a reply had the token
	Failed   string // the model's error; "" if it replied
}

// Try asks canaries with [TokenOffered], once for each key of a memo. failed says that the model failed, here or for
// another caller; then the canaries are asked again for the next. The error is that of ctx.
func Try[C any](
	ctx context.Context, known *memo.Once[Digest, Trial], key Digest, list []C, name func(C) string,
	ask func(context.Context, C) (Tried, error),
) (trial *Trial, failed string, err error) {
	failed = "could not be asked"
	found, err := known.Get(ctx, key, func() (Trial, bool, error) {
		out := Trial{Missed: []string{}, Tokenless: true}
		for _, c := range list {
			t, err := ask(ctx, c)
			switch {
			case err != nil:
				return out, false, err
			case t.Failed != "":
				failed += ": " + t.Failed
				return out, false, nil
			case !t.Right:
				out.Missed = append(out.Missed, name(c))
			}
			out.Count++
			out.Tokenless = out.Tokenless && !t.Repeated
		}
		return out, true, nil
	})
	if err != nil {
		return nil, "", err
	}
	if found.Count < len(list) {
		return nil, failed, nil
	}
	return &found, "", nil
}
