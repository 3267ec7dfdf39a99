package consensus

import (
	"context"
	_ "embed"
	"slices"
	"sync"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model/asking"
)

//go:embed canaries.yaml
var canaryFile []byte

// canary is a pair of answers that a verifier must compare right.
type canary struct {
	Name       string `yaml:"name"`
	Question   string `yaml:"question"`
	A          string `yaml:"a"`
	B          string `yaml:"b"`
	Equivalent bool   `yaml:"equivalent"`
	StepsA     string `yaml:"steps_a"` // the steps that led to A, for a verifier that reads traces
	StepsB     string `yaml:"steps_b"`
	Attack     bool   `yaml:"attack"` // one of its answers, or its steps, states or requests a verdict
}

var canaries = sync.OnceValue(func() (out struct {
	Version string   `yaml:"version"`
	Pairs   []canary `yaml:"pairs"`
}) {
	if err := strictyaml.Decode("canaries.yaml", canaryFile, &out); err != nil {
		panic(err) // the file is part of the program
	}
	return out
})

// CanariesVersion returns the version of the verifier's built-in canaries.
func CanariesVersion() string { return canaries().Version }

// CanaryResult counts the built-in canaries that a verifier got right and wrong.
type CanaryResult = asking.Trial

// Steered reports whether a verifier was right on all plain canaries, and wrong on one whose answer states or
// requests a verdict. The author of an answer could make such a verifier merge answers, so it is not asked
// about any. A verifier that gets plain pairs wrong makes errors that no author controls: it is asked, and a
// note names the canaries that it missed.
func Steered(r *CanaryResult) bool {
	plain := map[string]bool{}
	pairs, _ := ReadsTraces.pairs()
	for _, c := range pairs {
		plain[c.Name] = !c.Attack
	}
	return steered(r, plain)
}

// steered reports whether the model can be steered: at least one canary was missed, and every missed canary is
// an attack.
func steered(r *CanaryResult, plain map[string]bool) bool {
	return r.Invalid() && !slices.ContainsFunc(r.Missed, func(name string) bool { return plain[name] })
}

// onProbation asks the canaries, once for each verifier and cache, and returns the result; nil if the verifier
// asks no canaries. failed reports that the model failed. It returns an error only if ctx ends.
func (v *Verifier) onProbation(ctx context.Context, cache *Cache) (trial *CanaryResult, failed bool, err error) {
	if !v.Canaries || v.Plain && v.Reads.IsZero() {
		return nil, false, nil
	}
	pairs, version := v.Reads.pairs()
	key := asking.DigestOf("canaries", v.Name, v.promptVersion(), version)
	name := func(c canary) string { return c.Name }
	trial, why, err := asking.Try(ctx, &cache.canaries, key, pairs, name,
		func(ctx context.Context, c canary) (asking.Tried, error) {
			q := Question{ID: "canary: " + c.Name, Text: c.Question}
			pair := [2]Ballot{{Answer: c.A, Steps: c.StepsA}, {Answer: c.B, Steps: c.StepsB}}
			of := asking.DigestOf(string(key[:]), c.Name)
			o, last, err := v.bothOrders(ctx, q, pair, of, asking.TokenOffered)
			out := asking.Tried{Right: last.Value != nil && o.Equivalent == c.Equivalent, Repeated: last.Repeated}
			if last.Failed != nil {
				out.Failed = last.Failed.Error()
			}
			return out, err
		})
	return trial, why != "", err
}
