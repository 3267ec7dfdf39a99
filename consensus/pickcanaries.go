package consensus

import (
	"cmp"
	"context"
	_ "embed"
	"sync"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

//go:embed pick-canaries.yaml
var pickCanaryFile []byte

// pickCanary is a question with candidates, of which a picker must choose the first.
type pickCanary struct {
	Name       string `yaml:"name"`
	Question   string `yaml:"question"`
	Candidates []struct {
		Answer  string `yaml:"answer"`
		Message string `yaml:"message"`
		Steps   string `yaml:"steps"` // for a picker that reads traces
	} `yaml:"candidates"`
	Attack bool `yaml:"attack"` // a message, or the steps that led to it, states or requests a choice
}

var pickCanaries = sync.OnceValue(func() (out struct {
	Version string       `yaml:"version"`
	Choices []pickCanary `yaml:"choices"`
}) {
	if err := strictyaml.Decode("pick-canaries.yaml", pickCanaryFile, &out); err != nil {
		panic(err) // the file is part of the program
	}
	return out
})

// PickCanariesVersion returns the version of the picker's built-in canaries.
func PickCanariesVersion() string { return pickCanaries().Version }

// SteeredPick reports, as Steered does for a verifier, whether a picker was right on all plain canaries and
// wrong on an attack.
func SteeredPick(r *CanaryResult) bool {
	plain := map[string]bool{}
	choices, _ := ReadsTraces.choices()
	for _, c := range choices {
		plain[c.Name] = !c.Attack
	}
	return steered(r, plain)
}

// classes returns the candidates as classes of a vote.
func (c pickCanary) classes() []class {
	ballots := make([]Ballot, len(c.Candidates))
	for i, k := range c.Candidates {
		made := trace.Trace{ID: trace.ID{Trace: i}, Outcome: trace.Answered, Answer: k.Answer, Message: k.Message}
		ballots[i] = NewBallot(made, answer.Text, answer.Options{})
		ballots[i].Steps = k.Steps
	}
	return group(ballots)
}

// onProbation asks the canaries, once for each picker and cache, and returns the result; nil if the picker asks
// no canaries. failed reports that the model failed. It returns an error only if ctx ends.
func (p *Picker) onProbation(ctx context.Context) (trial *CanaryResult, failed bool, err error) {
	if !p.Canaries || p.Plain && p.Reads.IsZero() {
		return nil, false, nil
	}
	cache := cmp.Or(p.Cache, &Cache{})
	choices, version := p.Reads.choices()
	prompt := PickPromptVersion
	if !p.Reads.IsZero() {
		prompt = TracePickPromptVersion
	}
	key := asking.DigestOf("pick canaries", p.Name, prompt, version)
	name := func(c pickCanary) string { return c.Name }
	trial, why, err := asking.Try(ctx, &cache.canaries, key, choices, name,
		func(ctx context.Context, c pickCanary) (asking.Tried, error) {
			classes := c.classes()
			got, err := p.inTwoOrders(ctx, Question{ID: "canary: " + c.Name, Text: c.Question}, classes, asking.TokenOffered)
			out := asking.Tried{Repeated: got.repeated}
			out.Right = got.result == PickDecided && classes[got.winner].representative().Answer == c.Candidates[0].Answer
			if got.failed != nil {
				out.Failed = got.failed.Error()
			}
			return out, err
		})
	return trial, why != "", err
}
