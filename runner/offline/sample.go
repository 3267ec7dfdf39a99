package offline

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// spread is the difference of scores that counts as one unit at temperature 1. At temperature 0.7, a score that
// is 0.02 above its only rival wins four times in five. A score that is 0.1 above wins nearly always.
const spread = 0.02

// chooser draws among candidates with scores. Every draw has a name and a round. So when a longer conversation
// is read again, the earlier draws have the same results.
type chooser struct {
	seed        int64
	temperature float64
}

// pick draws an index by softmax over the scores. At temperature 0 it returns the first index with the best
// score. It returns -1 if there are no scores.
func (c chooser) pick(round int, name string, scores []float64) int {
	best := -1
	for i, s := range scores {
		if best < 0 || s > scores[best] {
			best = i
		}
	}
	if best < 0 || c.temperature <= 0 || math.IsNaN(c.temperature) {
		return best
	}
	weights, total := make([]float64, len(scores)), 0.0
	for i, s := range scores {
		weights[i] = math.Exp((s - scores[best]) / (spread * c.temperature))
		total += weights[i]
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%d\x00%s", c.seed, round, name))
	r := rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]))).Float64() * total
	for i, w := range weights {
		if r -= w; r < 0 {
			return i
		}
	}
	return best
}
