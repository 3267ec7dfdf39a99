package scoring

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/seed-5817661a/concur/model"
)

// Check returns an error if the tokens of scores are not the request's text, in order and without gaps, or if a
// log-probability is not a finite number of at most 0. The error names the first wrong token.
func Check(req model.ScoreRequest, s model.Scores) error {
	if len(s.Tokens) == 0 {
		return errors.New("there are no tokens")
	}
	at := s.Tokens[0].Offset
	if at > 0 || at+len(s.Tokens[0].Token) <= 0 {
		return fmt.Errorf("the first token is from %d to %d: it must have the first byte of the text", at,
			at+len(s.Tokens[0].Token))
	}
	for i, t := range s.Tokens {
		end := at + len(t.Token)
		if want, ok := cut(req, at, end); !ok || t.Offset != at || t.Token != want {
			return fmt.Errorf("the tokens do not join to the text: token %d is %q at byte %d, the text has %q at byte %d", i,
				short(t.Token), t.Offset, short(want), at)
		}
		if err := CheckLogProb(t.LogProb); err != nil {
			return fmt.Errorf("token %d, %q: %w", i, short(t.Token), err)
		}
		at = end
	}
	if at != len(req.Text) {
		return fmt.Errorf("the tokens end at byte %d of a text of %d bytes", at, len(req.Text))
	}
	return nil
}

// CheckLogProb returns an error if a number is not the logarithm of a probability above 0.
func CheckLogProb(v float64) error {
	switch {
	case math.IsNaN(v):
		return errors.New("the log-probability is not a number")
	case math.IsInf(v, -1):
		return errors.New("the log-probability is -∞: the server cut off unlikely tokens, or calculates with too few bits")
	case v > 0:
		return fmt.Errorf("the log-probability is %g, above 0", v)
	}
	return nil
}

// short returns the beginning of a token, for errors.
func short(token string) string {
	const most = 24
	if len(token) > most {
		return strings.ToValidUTF8(token[:most], "") + "…"
	}
	return token
}

// The known text with which Try tests a scorer. It has letters of one to four bytes, a number and a line break.
const (
	tryPrefix = "Question: what is the capital of France?\nAnswer:"
	tryText   = " It is Paris (巴黎 in Chinese, Παρίσι in Greek 🗼),\nand it had 2,102,650 inhabitants."
)

// RefusedError is the error of an endpoint that cannot score.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("this endpoint cannot score: %v; use a server with echo, as vLLM's, or offline:ngram: see "+
		"docs/toolformer.md", e.Err)
}

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

// Try tests a scorer with a known text. If the scorer cannot score it, the error is a *RefusedError, which names
// servers that can. For an outage, a missing key or a limit, it is the error of the scorer.
func Try(ctx context.Context, s model.Scorer) error {
	_, err := s.Score(ctx, model.ScoreRequest{Prefix: tryPrefix, Text: tryText})
	if kind := model.KindOf(err); err != nil && (kind == model.ErrMalformed || kind == model.ErrBadRequest) {
		return &RefusedError{err}
	}
	return err
}
