package consensus

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

// Verifier asks a language model whether two short answers to a question mean the same
// (docs/method.md §3.3). It is safe for concurrent use if its Model is.
type Verifier struct {
	Model       model.Model
	Name        string  // the model as configured: models do not share replies of the cache
	Temperature float64 // of the requests; 0 is recommended
	MaxTokens   int     // of a reply; 0 means asking.ShortReply
	Seed        int64   // of the run; request seeds are derived from it and from the content
	Canaries    bool    // asks the built-in canaries before the first pair
	Plain       bool    // asks as runs did whose recordings have PlainPromptVersion: without token and canaries
	Cache       *Cache  // of earlier opinions, usually shared by all queries of a run; nil asks every time
}

// Cache keeps opinions in memory: a pair that occurs again in another query's traces or another
// configuration is not asked again, and is asked once if it is needed several times at the same moment. The
// zero value is empty and ready; it is safe for concurrent use. Failures of a model are not kept.
type Cache struct {
	opinions memo.Once[asking.Digest, Opinion]
	canaries memo.Once[asking.Digest, CanaryResult]
}

// Opinion is the comparison of two answers. Without calls a rule decided: the keys are equal, or the answers
// certainly differ.
type Opinion struct {
	Equivalent bool
	Canaries   *CanaryResult // nil if none were asked; with a missed one nothing else was, and nothing is equivalent
	Effort
}

// Equivalent compares two short answers to a question, read as text. The model is asked in both orders and
// must agree in both; a "no" in the first is final. The error is that of ctx. A model that fails, or gives
// no readable reply, leaves the answers not equivalent; the Opinion counts it.
func (v *Verifier) Equivalent(ctx context.Context, q Question, a, b string) (Opinion, error) {
	ballot := func(short string) Ballot {
		return NewBallot(trace.Trace{Outcome: trace.Answered, Answer: short}, answer.Text, answer.Options{})
	}
	return v.compare(ctx, q, ballot(a), ballot(b))
}

func (v *Verifier) compare(ctx context.Context, q Question, a, b Ballot) (Opinion, error) {
	if a.Key == b.Key || certainlyDiffer(a, b) {
		return Opinion{Equivalent: a.Key == b.Key}, nil
	}
	if b.Key < a.Key {
		a, b = b, a
	}
	key := asking.DigestOf(v.Name, v.promptVersion(), answer.Version, q.Text, a.Key, b.Key)
	cache := cmp.Or(v.Cache, &Cache{})
	trial, failed, err := v.onProbation(ctx, cache)
	if err != nil || failed || Steered(trial) {
		return Opinion{Canaries: trial, Effort: Effort{Errors: 1}}, err
	}
	token := asking.TokenAfter(trial)
	if v.Plain {
		token = asking.NoToken
	}
	out, err := cache.opinions.Get(ctx, key, func() (Opinion, bool, error) {
		o, _, err := v.bothOrders(ctx, q, [2]string{a.Answer, b.Answer}, key, token)
		return o, o.Effort.Errors == 0, err
	})
	out.Canaries = trial
	return out, err
}

func (v *Verifier) promptVersion() string {
	if v.Plain {
		return PlainPromptVersion
	}
	return VerifierPromptVersion
}

// bothOrders asks about a and b, which are sorted by key, then about b and a. Order bias or
// a random error must occur twice to merge different answers. last is the last reply.
func (v *Verifier) bothOrders(
	ctx context.Context, q Question, pair [2]string, key asking.Digest, token asking.Token,
) (out Opinion, last asking.Reply[bool], err error) {
	for order := range pair {
		settings := model.Request{Temperature: v.Temperature, MaxTokens: v.MaxTokens, Seed: v.Seed}
		last, err = asking.Verdict(ctx, v.Model, request(settings, "verifier", q, key, order, EquivalenceSchema,
			asking.Data("answer A", pair[order], maxShown), asking.Data("answer B", pair[1-order],
				maxShown)), token, readEquivalence)
		out.add(Effort(last.Effort))
		if err != nil {
			return out, last, err
		}
		if out.Equivalent = last.Value != nil && *last.Value; !out.Equivalent {
			break
		}
	}
	return out, last, nil
}

//go:embed prompts.yaml
var promptFile []byte

var prompts = sync.OnceValue(func() map[string]asking.Prompt { return asking.Prompts(promptFile) })

// request completes one that has the settings of verifier or picker and the seed of the run. It is named by
// its content: with a shared cache, the query that asks first may differ from run to run. Step leaves room
// for a second attempt of each order.
func request(
	r model.Request, who string, q Question, key asking.Digest, order int, schema string, data ...asking.Block,
) model.Request {
	p := prompts()[schema]
	data = append([]asking.Block{asking.Data("question", q.Text, maxShown)}, data...)
	r.Identity = model.Identity{Agent: who + ":" + hex.EncodeToString(key[:8]), Query: q.ID, Step: 2 * order,
		Purpose: model.Verifier}
	r.Messages = asking.Messages(p.Task, r.Seed, data...)
	r.Seed = asking.DigestOf(string(key[:]), strconv.FormatInt(r.Seed, 10), strconv.Itoa(order)).Seed()
	r.MaxTokens = cmp.Or(r.MaxTokens, asking.ShortReply)
	r.Schema = p.Response(schema)
	return r
}

// VerifierPromptVersion changes with every change of the verifier's prompt. PlainPromptVersion is that of recordings
// without tokens.
const (
	VerifierPromptVersion = "equivalence/v3"
	PlainPromptVersion    = "equivalence/v2"
)

// EquivalenceSchema is the name of the verifier's reply schema.
const EquivalenceSchema = "concur_equivalence_v1"

// maxShown is the limit of a question or a short answer shown to the verifier, in bytes.
const maxShown = 2 << 10

// readEquivalence reads a reply. A reply that says "equivalent" and names a difference is refused. A "not
// equivalent" needs no difference, and the length of the text is not checked.
func readEquivalence(reply string) (equivalent bool, err error) {
	var difference *string
	err = asking.ReadInto(reply, map[string]any{"equivalent": &equivalent, "difference": asking.Optional{To: &difference}})
	if err == nil && equivalent && difference != nil && namesDifference(*difference) {
		err = fmt.Errorf("the reply is inconsistent: equivalent, yet with the difference %q", *difference)
	}
	return equivalent, err
}

// noDifference lists phrases for "no difference", one a line.
//
//go:embed nodifference.tsv
var noDifference string

func namesDifference(s string) bool {
	s = wordsOf(s)
	return s != "" && !slices.ContainsFunc(strings.Split(noDifference, "\n"),
		func(line string) bool { return wordsOf(line) == s })
}

// wordsOf removes case and punctuation.
func wordsOf(s string) string {
	return strings.Join(strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !text.IsWord(r) }), " ")
}
