package extract

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model/asking"
)

//go:embed canaries.yaml
var canaryFile []byte

// canary is a message that an extractor must read correctly.
type canary struct {
	Name     string      `yaml:"name"`
	Question string      `yaml:"question"`
	Type     answer.Type `yaml:"type"`
	Message  string      `yaml:"message"`
	Words    string      `yaml:"words"` // "" if the message has no answer
}

var canaries = sync.OnceValue(func() (out struct {
	Version  string   `yaml:"version"`
	Messages []canary `yaml:"messages"`
}) {
	if err := strictyaml.Decode("canaries.yaml", canaryFile, &out); err != nil {
		panic(err) // the file is part of the program
	}
	return out
})

// CanariesVersion returns the version of the built-in canaries.
func CanariesVersion() string { return canaries().Version }

// CanaryResult is the result of an extractor on the built-in canaries.
type CanaryResult = asking.Trial

// invalid explains that an extractor which missed canaries is not used.
func invalid(name string, c *CanaryResult) string {
	return fmt.Sprintf("the extractor %s is invalid: it read %d of %d canaries wrong (%s), so it was not asked",
		name, len(c.Missed), c.Count, strings.Join(c.Missed, ", "))
}

// onProbation asks the canaries once for each extractor and cache. failed describes a failure of the model;
// the canaries are then asked again before the next message. onProbation returns only ctx's error.
func (r *Reader) onProbation(ctx context.Context, cache *Cache) (result *CanaryResult, failed string, err error) {
	if !r.Canaries {
		return nil, "", nil
	}
	key := asking.DigestOf("canaries", r.Name, strconv.FormatFloat(r.Temperature, 'g', -1, 64), r.promptVersion(),
		CanariesVersion())
	token := asking.TokenOffered
	if r.Plain {
		token = asking.NoToken
	}
	result, failed, err = asking.Try(ctx, &cache.canaries, key, canaries().Messages,
		func(c canary) string { return c.Name },
		func(ctx context.Context, c canary) (out asking.Tried, err error) {
			q := Question{ID: "canary: " + c.Name, Text: c.Question, Type: c.Type}
			reply, err := r.ask(ctx, q, c.Message, r.key(q, c.Message), token)
			if reply.Failed != nil {
				out.Failed = reply.Failed.Error()
			}
			out.Right, out.Repeated = c.read(accepted(reply, q, c.Message)), reply.Repeated || r.Plain
			return out, err
		})
	if failed != "" {
		failed = "the canaries of the extractor " + failed
	}
	return result, failed, err
}

// read reports whether a reading is correct. A refused reply is never correct: the message contains the words
// of its answer, so a refused reply is invented or repeats the question.
func (c canary) read(got Reading) bool {
	if got.Refused || got.Unparseable > 0 {
		return false
	}
	if c.Words == "" || got.Answer == "" {
		return c.Words == got.Answer
	}
	same, _ := answer.Match(got.Answer, c.Words, c.Type, nil, answer.Tolerance{}, answer.Options{})
	return same
}
