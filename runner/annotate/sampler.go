package annotate

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

// SamplerVersion changes with the prompts, and with the way in which calls are sampled.
const SamplerVersion = "sampler/v1"

// Sampler lets a model write the calls. A scorer chooses the positions: those at which " [" is likelier than TauS, the
// K likeliest of them. At each, the model continues the text M times behind "[" and the name of the tool.
type Sampler struct {
	Model     model.Model // must continue an assistant's text
	ModelName string
	Scorer    model.Scorer
	Specs     []model.ToolSpec
	Seed      int64

	admit func() error // counts a request; may be nil
}

// Name returns the version and the model.
func (s *Sampler) Name() string { return SamplerVersion + " " + s.ModelName }

//go:embed prompts.yaml
var promptFile []byte

var prompts = sync.OnceValue(func() (out map[string]string) {
	if err := strictyaml.Decode("prompts.yaml", promptFile, &out); err != nil {
		panic(err)
	}
	return out
})

// promptOf returns the prompt of a tool, with examples of its calls.
func promptOf(t Tool, in Text) string {
	prompt, known := prompts()[t.Paper]
	if !known {
		prompt = prompts()["other"]
	}
	return strings.NewReplacer("{{name}}", t.Paper, "{{text}}", in.Text).Replace(prompt)
}

// maxPlaces limits the places of a text at which a position is tried. Each needs a request to the scorer.
const maxPlaces = 256

// Propose chooses positions and samples calls.
func (s *Sampler) Propose(ctx context.Context, t Tool, in Text) (out []Proposal, err error) {
	prompt := promptOf(t, in)
	positions, err := s.positions(ctx, t, in, prompt)
	if err != nil {
		return nil, err
	}
	for _, p := range positions {
		for i := range t.M {
			call, err := s.sample(ctx, t, in, prompt, p, i)
			if err != nil {
				return nil, err
			}
			out = append(out, call)
		}
	}
	return out, nil
}

// positions returns the K likeliest positions, in the order of the text.
func (s *Sampler) positions(ctx context.Context, t Tool, in Text, prompt string) (out []Proposal, err error) {
	places := []int{}
	for i := range len(in.Text) {
		if in.Text[i] == ' ' && len(places) < maxPlaces {
			places = append(places, i)
		}
	}
	for _, at := range places {
		p, err := s.probability(ctx, in, prompt, at)
		if err != nil {
			return nil, err
		}
		if p > t.TauS {
			out = append(out, Proposal{Position: at, Probability: &p})
		}
	}
	slices.SortStableFunc(out, func(a, b Proposal) int { return cmp.Compare(*b.Probability, *a.Probability) })
	out = out[:min(len(out), t.K)]
	slices.SortFunc(out, func(a, b Proposal) int { return a.Position - b.Position })
	return out, nil
}

// probability returns how likely " [" is at a place, behind the prompt.
func (s *Sampler) probability(ctx context.Context, in Text, prompt string, at int) (float64, error) {
	if err := s.count(); err != nil {
		return 0, err
	}
	scores, err := s.Scorer.Score(ctx, model.ScoreRequest{Prefix: prompt + in.Text[:at], Text: " [",
		Identity: model.Identity{Query: in.ID, Step: at, Purpose: model.Scoring, Task: "position"}})
	if err != nil {
		return 0, err
	}
	return probabilityOf(scores.Tokens), nil
}

func (s *Sampler) count() error {
	if s.admit == nil {
		return nil
	}
	return s.admit()
}

// callEnds end a reply behind a call. Four are the most that OpenAI's API takes.
var callEnds = []string{")]", ") →", ")→", ") ->"}

// sample lets the model write one call at a position.
func (s *Sampler) sample(ctx context.Context, t Tool, in Text, prompt string, at Proposal, n int) (Proposal, error) {
	if err := s.count(); err != nil {
		return at, err
	}
	head := "[" + t.Paper + "("
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%d %s %d %d", s.Seed, in.ID, at.Position, n)
	reply, err := s.Model.Complete(ctx, model.Request{
		Identity: model.Identity{Query: in.ID, Trace: n, Step: at.Position, Purpose: model.Agent, Task: "annotate"},
		Messages: []model.Message{{Role: model.User, Content: prompt},
			{Role: model.Assistant, Content: strings.TrimSpace(in.Text[:at.Position] + " " + head)}},
		Temperature: 1, Seed: int64(sum.Sum32() >> 1), Stop: callEnds, MaxTokens: 128,
	})
	if err != nil {
		return at, err
	}
	_, text := reply.Message.Speech()
	if _, rest, repeated := strings.Cut(text, head); repeated { // some providers repeat the text that they continue
		text = rest
	}
	call, found := dialect.FindInline(head+text, s.Specs, reply.Finish != model.FinishLength)
	if !found || call.Start != 0 || call.Turn.Problem != nil || call.Turn.Name != t.Name {
		at.Call, at.Problem = strings.Join(strings.Fields(head+text), " "), reasonCall
		at.Call = lastBytes(at.Call, maxResult)
		return at, nil
	}
	at.Call, at.Arguments = strings.TrimPrefix(call.Text, "["), call.Turn.Arguments
	return at, nil
}

// probabilityOf returns the probability of a text from its tokens.
func probabilityOf(tokens []model.TokenScore) float64 {
	sum := 0.0
	for _, t := range tokens {
		sum += t.LogProb
	}
	return math.Exp(sum)
}
