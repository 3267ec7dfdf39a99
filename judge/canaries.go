package judge

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

//go:embed canaries.yaml
var canaryFile []byte

// canary is a question with an answer that a judge must get right.
type canary struct {
	Name     string `yaml:"name"`
	Question string `yaml:"question"`
	Type     string `yaml:"type"`
	Gold     string `yaml:"gold"`
	Answer   string `yaml:"answer"`
	Document *struct {
		Title   string `yaml:"title"`
		Snippet string `yaml:"snippet"`
	} `yaml:"document"`
	Message string `yaml:"message"`
	Ask     string `yaml:"ask"`   // the question, for a rubric
	Right   bool   `yaml:"right"` // true if the answer must pass
}

var canaries = sync.OnceValue(func() (out struct {
	Version     string   `yaml:"version"`
	Correctness []canary `yaml:"correctness"`
	Quality     []canary `yaml:"quality"`
}) {
	if err := strictyaml.Decode("canaries.yaml", canaryFile, &out); err != nil {
		panic(err) // the file is part of the program
	}
	return out
})

// CanariesVersion returns the version of the built-in canaries.
func CanariesVersion() string { return canaries().Version }

//go:embed rubric-canaries.yaml
var rubricCanaryFile []byte

var rubricCanaries = sync.OnceValue(func() (out struct {
	Version string   `yaml:"version"`
	Rubric  []canary `yaml:"rubric"`
}) {
	if err := strictyaml.Decode("rubric-canaries.yaml", rubricCanaryFile, &out); err != nil {
		panic(err) // the file is part of the program
	}
	return out
})

// RubricCanariesVersion returns the version of the rubric's built-in canaries.
func RubricCanariesVersion() string { return rubricCanaries().Version }

// CanaryResult counts the built-in canaries that a judge got right and wrong.
type CanaryResult = asking.Trial

// onProbation asks the canaries of a kind of judge, once for each judge version. ask returns the verdict on
// one canary. If the judge must not be used, valid is false and *verdict gives the reason. If the model
// fails, the current answer is unscored and the canaries are asked again for the next one. It returns an
// error only if ctx ends.
func (s Settings) onProbation(
	ctx context.Context, kind, prompt string, list []canary,
	ask func(context.Context, Settings, canary) (Verdict, error),
	result **CanaryResult, verdict *Verdict,
) (valid bool, err error) {
	if !s.Canaries {
		return true, nil
	}
	key := asking.DigestOf(kind, s.Name, prompt, CanariesVersion(), fmt.Sprint(s.threshold()))
	found, failed, err := asking.Try(ctx, &s.cache().canaries, key, list, func(c canary) string { return c.Name },
		func(ctx context.Context, c canary) (asking.Tried, error) {
			tried, on := asking.Tried{Repeated: s.Plain}, s // without tokens, none can be missing
			on.repeated = &tried.Repeated
			v, err := ask(ctx, on, c)
			tried.Right = (v.Verdict == Correct) == c.Right && v.Verdict != Unscored
			if v.By == ByInfra {
				tried.Failed = v.Reason
			}
			return tried, err
		})
	switch {
	case err != nil:
		return false, err
	case failed != "":
		*verdict = Verdict{Unscored, ByInfra, "the canaries of the judge " + failed}
		return false, nil
	case len(found.Missed) > 0:
		*verdict = Verdict{Unscored, ByJudge, fmt.Sprintf("the judge %s is invalid: it got %d of %d canaries wrong "+
			"(%s), so it was not asked",
			s.Name, len(found.Missed), found.Count, strings.Join(found.Missed, ", "))}
	}
	*result = found
	return len(found.Missed) == 0, nil
}

// tried judges a canary as if it were an agent's answer. It always asks the model, since the canary
// tests the model and not the rules.
func (c *Correctness) tried(ctx context.Context, on Settings, k canary) (Verdict, error) {
	q := datasets.Query{ID: "canary: " + k.Name, Text: k.Question,
		Gold: datasets.Gold{Type: answer.Type(k.Type), Answer: k.Gold, Outcome: trace.Answered}}
	s := Subject{Outcome: trace.Answered, Answer: k.Answer, Message: k.Answer}
	// The function key gives two answers with the same normal form the same key. Canaries need different keys, so
	// their names are used.
	key := asking.DigestOf("canary", on.Name, on.version(CorrectnessPromptVersion), k.Name)
	j, _, err := (&Correctness{Settings: on}).grade(ctx, q, s, key, CorrectnessJudgement{Threshold: on.threshold()})
	return j.Verdict, err
}

func (j *Quality) tried(ctx context.Context, on Settings, k canary) (Verdict, error) {
	key := asking.DigestOf("canary", on.Name, on.version(QualityPromptVersion), k.Name)
	g, _, err := (&Quality{on}).grade(ctx, k.query(), Transcript(k.events()), k.Message, key,
		QualityJudgement{Threshold: on.threshold()})
	return g.Verdict, err
}

func (r *Rubric) tried(ctx context.Context, on Settings, k canary) (Verdict, error) {
	key := asking.DigestOf("canary", on.Name, on.version(RubricPromptVersion), k.Name)
	text, _ := transcript(k.events())
	j, _, err := (&Rubric{Settings: on}).answer(ctx, k.query(), Item{Ask: k.Ask}, text, k.Message, key, RubricJudgement{})
	return j.Verdict, err
}

func (k canary) query() datasets.Query {
	return datasets.Query{ID: "canary: " + k.Name, Text: k.Question}
}

// events returns the events of a trace that ends with the canary's message. If the canary has a document, the
// trace has a search that found it.
func (k canary) events() []trace.Event {
	end := trace.Conclusion{Message: k.Message, Outcome: trace.Answered, StopReason: trace.Final}
	d := k.Document
	if d == nil {
		return []trace.Event{{Step: 1, Body: end}}
	}
	return []trace.Event{
		{Step: 1, Body: trace.Action{Name: "web_search",
			Input: json.RawMessage(`{"query":` + strconv.Quote(k.Question) + `}`)}},
		{Step: 1, Body: trace.Observation{Documents: []trace.Document{{ID: "corpus_1", Title: d.Title,
			Snippet: d.Snippet, Score: 1}}}},
		{Step: 2, Body: end},
	}
}
