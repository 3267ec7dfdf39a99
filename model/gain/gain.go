package gain

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/model"
)

// MaxTokens is the number of tokens that have a weight.
const MaxTokens = 5

// weights are those of Toolformer, max(0, 1 - 0.2t) for the token t behind the position. Their sum is 3.
var weights = [MaxTokens]float64{1, .8, .6, .4, .2}

// rounding is the largest error that a sum of five products can have. A gain that is less than this below a
// threshold counts as equal to the threshold.
const rounding = 1e-12

// ErrNoToken means that no token begins in the text at a place where one begins behind each prefix.
var ErrNoToken = errors.New("no token of the text begins at the same place behind each prefix")

// Losses are the losses of one text behind three prefixes, in nats; all are 0 or more. A smaller loss means that the
// text is likelier.
type Losses struct {
	Result float64 // behind the call with its result
	NoCall float64 // behind the text before the call
	Empty  float64 // behind the call with an empty result
	// Tokens is the number of tokens that were weighed, 1 to MaxTokens. If it is below MaxTokens, the weights of
	// these tokens were divided by their own sum.
	Tokens int
}

// Of returns the losses of a text from its tokens behind the three prefixes:
//
//	L = -Σ w_t·log p(x_t) / Σ w_t,  w = 1, .8, .6, .4, .2
//
// The sums begin at the first token behind the position, that is the first one that does not begin in a prefix.
// Because a prefix can move the boundaries of tokens, x_t is the text from one boundary that all three readings have
// to the next one; the log-probabilities of several tokens there are added.
//
// Of returns ErrNoToken if there is no such token, and an error for log-probabilities that are positive or not finite
// and for tokens without order. Source: T. Schick et al., arXiv 2302.04761, §2; docs/method.md §5.12.
func Of(result, noCall, empty []model.TokenScore) (Losses, error) {
	readings := [3][]model.TokenScore{result, noCall, empty}
	for _, tokens := range readings {
		if err := check(tokens); err != nil {
			return Losses{}, err
		}
	}
	starts := commonStarts(readings)
	if len(starts) == 0 {
		return Losses{}, ErrNoToken
	}
	out := Losses{Tokens: min(len(starts), MaxTokens)}
	for i, loss := range []*float64{&out.Result, &out.NoCall, &out.Empty} {
		*loss = weigh(readings[i], starts)
	}
	return out, nil
}

// Gain returns how much likelier the text is with the result, in nats: min(NoCall, Empty) - Result. It is negative if
// the result makes the text less likely.
func (l Losses) Gain() float64 { return min(l.NoCall, l.Empty) - l.Result }

// Reaches reports whether a gain is at least a threshold. A tie counts as reached.
func Reaches(gain, threshold float64) bool { return gain >= threshold-rounding }

// Best returns, for several texts that are equally right, the smallest loss behind each prefix. Tokens is that of the
// text that has the smallest loss behind the result. ok is false without texts.
//
// The smallest loss is chosen for each prefix on its own. The largest of the texts' gains would be positive by chance
// alone.
func Best(texts ...Losses) (best Losses, ok bool) {
	for i, l := range texts {
		if i == 0 {
			best = l
			continue
		}
		if l.Result < best.Result {
			best.Tokens = l.Tokens
		}
		best.Result, best.NoCall = min(best.Result, l.Result), min(best.NoCall, l.NoCall)
		best.Empty = min(best.Empty, l.Empty)
	}
	return best, len(texts) > 0
}

func check(tokens []model.TokenScore) error {
	for i, t := range tokens {
		switch {
		case math.IsNaN(t.LogProb) || math.IsInf(t.LogProb, 0) || t.LogProb > 0:
			return fmt.Errorf("token %d has the log-probability %g: it must be finite and at most 0", i, t.LogProb)
		case i > 0 && t.Offset < tokens[i-1].Offset:
			return fmt.Errorf("token %d begins at %d, before the token in front of it: the tokens have no order", i,
				t.Offset)
		}
	}
	return nil
}

// commonStarts returns the offsets, from 0, at which a token begins in every reading.
func commonStarts(readings [3][]model.TokenScore) (out []int) {
	for _, t := range readings[0] {
		if t.Offset < 0 || len(out) > 0 && out[len(out)-1] == t.Offset {
			continue
		}
		if begins(readings[1], t.Offset) && begins(readings[2], t.Offset) {
			out = append(out, t.Offset)
		}
		if len(out) > MaxTokens { // the last one is only an end
			break
		}
	}
	return out
}

func begins(tokens []model.TokenScore, offset int) bool {
	_, found := slices.BinarySearchFunc(tokens, offset, func(t model.TokenScore, at int) int { return t.Offset - at })
	return found
}

// weigh returns the loss of the pieces that begin at these offsets.
func weigh(tokens []model.TokenScore, starts []int) float64 {
	var sum, total float64
	for i := range min(len(starts), MaxTokens) {
		piece := 0.0
		for _, t := range tokens {
			if t.Offset >= starts[i] && (i+1 == len(starts) || t.Offset < starts[i+1]) {
				piece -= t.LogProb
			}
		}
		sum, total = sum+weights[i]*piece, total+weights[i]
	}
	return sum / total
}
