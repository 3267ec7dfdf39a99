package consensus

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Verifier asks a language model whether two short answers to a question mean the same
// (methods.md §3.3). It is safe for concurrent use where its Model is.
type Verifier struct {
	Model model.Model
	// Name is the model as configured. It stands in the cache's keys: two models do not
	// answer for each other.
	Name string
	// Temperature of the requests. Its zero value is the one to use.
	Temperature float64
	// MaxTokens of a reply; 0 is asking.ShortReply.
	MaxTokens int
	// Seed is the run's. Request seeds follow from it and from what is asked.
	Seed int64
	// Cache is what has been answered already, usually shared by all queries of a run;
	// nil asks every time.
	Cache *Cache
}

// Cache remembers what verifiers said, in memory: a pair that comes up again, in another
// query's traces or another configuration, is not asked again, and asked once where
// several want to know at the same time. The zero value is empty and ready; it is safe
// for concurrent use. Failures of a model are not remembered.
type Cache struct{ opinions asking.Memo[Opinion] }

func (c *Cache) memo() *asking.Memo[Opinion] {
	if c == nil {
		return nil
	}
	return &c.opinions
}

// Opinion is what was found of two answers.
type Opinion struct {
	Equivalent bool
	// ByRule says that no model was asked: the answers have one key, or certainly differ.
	ByRule bool
	// Difference is the model's word on what sets them apart; may be empty.
	Difference string
	Effort
}

// Equivalent compares two short answers to a question, read as text. Both orders are
// asked, and both have to say yes (a no to the first settles it). The error is that of
// ctx alone: a model that fails, or gives no readable reply, leaves the answers not
// equivalent, and the Opinion says so.
func (v *Verifier) Equivalent(ctx context.Context, q Question, a, b string) (Opinion, error) {
	ballot := func(short string) Ballot {
		return NewBallot(trace.Trace{Outcome: trace.Answered, Answer: short}, answer.Text, answer.Options{})
	}
	return v.compare(ctx, q, ballot(a), ballot(b))
}

func (v *Verifier) compare(ctx context.Context, q Question, a, b Ballot) (Opinion, error) {
	if a.Key == b.Key || certainlyDiffer(a, b) {
		return Opinion{Equivalent: a.Key == b.Key, ByRule: true}, nil
	}
	if b.Key < a.Key {
		a, b = b, a
	}
	key := asking.DigestOf(v.Name, VerifierPromptVersion, answer.Version, q.Text, a.Key, b.Key)
	find := func() (Opinion, bool, error) {
		o, err := v.bothOrders(ctx, q, a, b, key)
		return o, o.Errors == 0, err
	}
	return asking.Remember(ctx, v.Cache.memo(), key, find)
}

// bothOrders asks about a and b, which come in the order of their keys, then about b and
// a. Order bias and single flips must happen twice to merge what differs.
func (v *Verifier) bothOrders(ctx context.Context, q Question, a, b Ballot, key asking.Digest) (Opinion, error) {
	var out Opinion
	for order, pair := range [][2]string{{a.Answer, b.Answer}, {b.Answer, a.Answer}} {
		r, err := asking.Ask(ctx, v.Model, v.request(q, pair, key, order), readEquivalence)
		out.Effort = out.Add(effortOf(r))
		if err != nil {
			return out, err
		}
		out.Equivalent = r.Value != nil && r.Value.equivalent
		if r.Value != nil {
			out.Difference = r.Value.difference
		}
		if !out.Equivalent {
			break
		}
	}
	return out, nil
}

func (v *Verifier) request(q Question, pair [2]string, key asking.Digest, order int) model.Request {
	return model.Request{
		Identity:    identity(model.Verifier, "verifier", q, key, order),
		Messages:    equivalencePrompt(v.Seed, q.Text, pair[0], pair[1]),
		Temperature: v.Temperature,
		Seed:        requestSeed(v.Seed, key, order),
		MaxTokens:   cmp.Or(v.MaxTokens, asking.ShortReply),
		Schema:      equivalenceSchema(),
	}
}

// identity names a request by its content, not by who came to ask it first: with a
// shared cache that may differ from run to run. Orders are far enough apart for a second
// attempt between them.
func identity(p model.Purpose, who string, q Question, key asking.Digest, order int) model.Identity {
	return model.Identity{Agent: who + ":" + hex.EncodeToString(key[:8]), Query: q.ID, Step: 2 * order, Purpose: p}
}

// requestSeed is 31 bits.
func requestSeed(run int64, key asking.Digest, order int) int64 {
	sum := asking.DigestOf(string(key[:]), strconv.FormatInt(run, 10), strconv.Itoa(order))
	return int64(binary.BigEndian.Uint32(sum[:4]) >> 1)
}
