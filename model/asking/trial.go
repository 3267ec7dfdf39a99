package asking

import (
	"context"

	"github.com/seed-5817661a/concur/internal/memo"
)

// Trial is the result of a model on canaries. Canaries are questions that a model must answer correctly
// before its answers are used.
type Trial struct {
	Count  int      `json:"count"`
	Missed []string `json:"missed"` // canaries with a wrong or unreadable answer; a single one makes the model invalid
	// Tokenless is set if none of the model's replies repeated the token. Then later requests do not demand a
	// token, and only the words show whether a verdict is quoted from an answer.
	Tokenless bool `json:"tokenless,omitempty"`
}

// Invalid reports whether the model missed a canary. A nil Trial is valid.
func (t *Trial) Invalid() bool { return t != nil && len(t.Missed) > 0 }

// Tried is the result of one canary.
type Tried struct {
	Right    bool
	Repeated bool   // a reply repeated the token
	Failed   string // the model's error; "" if it replied
}

// Try asks canaries with [TokenOffered], once for each key of a memo. failed describes a failure of the model
// in this call or another; the next call then asks the canaries again. Try returns only ctx's error.
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
