package consensus

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Ballot is the vote of one trace.
type Ballot struct {
	Trace   int
	Outcome trace.Outcome
	Answer  string // the short answer; "" unless Outcome is answered
	Message string // the final message, shown to a picker
	// Key is the class of the answer: its typed canonical key; "refused" or "abstained" for
	// those outcomes; "" for a trace without a vote.
	Key string
	// Ambiguous: the answer can be read in two ways ("1,23"). Equal keys still count
	// together, but never make an exact consensus.
	Ambiguous  bool
	Supporting []string // evidence documents that the answer cites, without repeats
}

// NewBallot turns a trace into its ballot. t and o are the answer type and the options of
// the gold; a vote may know nothing else of it. An answer that does not parse as t forms a
// class by its text: three traces that give it agree, and the judge finds it wrong.
func NewBallot(tr trace.Trace, t answer.Type, o answer.Options) Ballot {
	b := Ballot{Trace: tr.Trace, Outcome: tr.Outcome, Message: tr.Message, Supporting: tr.Supporting}
	switch tr.Outcome {
	case trace.Refused, trace.Abstained:
		b.Key = string(tr.Outcome)
	case trace.Answered:
		b.Answer = tr.Answer
		b.Key, b.Ambiguous = keyOf(tr.Answer, t, o)
	}
	return b
}

func keyOf(short string, t answer.Type, o answer.Options) (key string, ambiguous bool) {
	if k, err := answer.Normalize(short, t, o); err == nil {
		return k.Key, k.Confidence == answer.Ambiguous
	}
	if k, err := answer.Normalize(short, answer.Text, answer.Options{}); err == nil {
		return "unparsed:" + k.Key, false
	}
	return "unparsed:sha256:" + hashOf(short), false
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
