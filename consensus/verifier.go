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
	Name        string  // the model as configured; part of the cache key
	Temperature float64 // of the requests; 0 is recommended
	MaxTokens   int     // of a reply; 0 means asking.ShortReply
	Seed        int64   // of the run; request seeds are derived from it and from the content
	Canaries    bool    // asks the built-in canaries before the first pair
	Plain       bool    // asks without token and canaries, as runs did when recordings had PlainPromptVersion
	Reads       Reads   // answers, or also the steps that led to them
	Cache       *Cache  // of earlier opinions, usually shared by all queries of a run; nil asks every time
}

// Cache keeps opinions in memory. The model is asked only once about a pair of answers that occurs in several
// traces, queries or configurations, even at the same moment. The zero value is empty and ready to use; it is
// safe for concurrent use. Failures of a model are not kept.
type Cache struct {
	opinions memo.Once[asking.Digest, Opinion]
	canaries memo.Once[asking.Digest, CanaryResult]
}

// Opinion is the result of comparing two answers. If the model was not called, a rule decided: the keys are
// equal, or the answers certainly differ.
type Opinion struct {
	Equivalent bool
	Canaries   *CanaryResult // nil if none were asked; if one was missed, the pair was not asked and is not equivalent
	Effort
}

// Equivalent compares two short answers to a question, read as text. It asks the model in both orders and needs
// a "yes" in both; a "no" in the first order is final. If the model fails or gives no readable reply, the
// answers are not equivalent, and the Opinion counts the failure. It returns an error only if ctx ends.
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
	parts := []string{v.Name, v.promptVersion(), answer.Version, q.Text, a.Key, b.Key}
	if !v.Reads.IsZero() {
		parts = append(parts, a.Steps, b.Steps)
	}
	key := asking.DigestOf(parts...)
	cache := cmp.Or(v.Cache, &Cache{})
	trial, failed, err := v.onProbation(ctx, cache)
	if err != nil || failed || Steered(trial) {
		return Opinion{Canaries: trial, Effort: Effort{Errors: 1}}, err
	}
	token := asking.TokenAfter(trial)
	if v.Plain && v.Reads.IsZero() {
		token = asking.NoToken
	}
	out, err := cache.opinions.Get(ctx, key, func() (Opinion, bool, error) {
		o, _, err := v.bothOrders(ctx, q, [2]Ballot{a, b}, key, token)
		return o, o.Effort.Errors == 0, err
	})
	out.Canaries = trial
	return out, err
}

func (v *Verifier) promptVersion() string {
	switch {
	case !v.Reads.IsZero():
		return TraceVerifierPromptVersion
	case v.Plain:
		return PlainPromptVersion
	default:
		return VerifierPromptVersion
	}
}

// bothOrders asks about a and b, which are sorted by key, then about b and a. So an order bias or a random
// error merges different answers only if it occurs twice. last is the last reply.
func (v *Verifier) bothOrders(
	ctx context.Context, q Question, pair [2]Ballot, key asking.Digest, token asking.Token,
) (out Opinion, last asking.Reply[bool], err error) {
	for order := range pair {
		settings := model.Request{Temperature: v.Temperature, MaxTokens: v.MaxTokens, Seed: v.Seed}
		a, b, prompt := pair[order], pair[1-order], EquivalenceSchema
		shown := []asking.Block{asking.Data("answer A", a.Answer, maxShown), asking.Data("answer B", b.Answer, maxShown)}
		if !v.Reads.IsZero() {
			prompt = equivalenceOfTraces
			shown = append(shown, stepsOf("steps of A", a.Steps, MaxSteps), stepsOf("steps of B", b.Steps, MaxSteps))
		}
		last, err = asking.Verdict(ctx, v.Model, request(settings, "verifier", q, key, order, prompt, EquivalenceSchema,
			shown...), token, readEquivalence)
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

// request fills in a request with the settings of verifier or picker and a seed derived from the run's. The
// request's name is derived from its content, because with a shared cache the query that asks first may differ
// from run to run. Steps are numbered with a gap, for a second attempt at each order.
func request(
	r model.Request, who string, q Question, key asking.Digest, order int, prompt, schema string,
	data ...asking.Block,
) model.Request {
	p := prompts()[prompt]
	data = append([]asking.Block{asking.Data("question", q.Text, maxShown)}, data...)
	r.Identity = model.Identity{Agent: who + ":" + hex.EncodeToString(key[:8]), Query: q.ID, Step: 2 * order,
		Purpose: model.Verifier}
	r.Messages = asking.Messages(p.Task, r.Seed, data...)
	r.Seed = asking.DigestOf(string(key[:]), strconv.FormatInt(r.Seed, 10), strconv.Itoa(order)).Seed()
	r.MaxTokens = cmp.Or(r.MaxTokens, asking.ShortReply)
	r.Schema = p.Response(schema)
	return r
}

// VerifierPromptVersion changes with every change of the verifier's prompt. PlainPromptVersion is the version
// of recordings without tokens.
const (
	VerifierPromptVersion = "equivalence/v3"
	PlainPromptVersion    = "equivalence/v2"
)

// EquivalenceSchema is the name of the verifier's reply schema.
const EquivalenceSchema = "concur_equivalence_v1"

// maxShown is the limit of a question or a short answer shown to the verifier, in bytes.
const maxShown = 2 << 10

// readEquivalence reads a reply. It refuses a reply that says "equivalent" and names a difference. A "not
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

// wordsOf returns the text in lower case and without punctuation.
func wordsOf(s string) string {
	return strings.Join(strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !text.IsWord(r) }), " ")
}
