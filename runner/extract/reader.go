package extract

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
)

// FromModel marks an answer that a model read; it extends the values of answer.Extraction.
const FromModel = "model"

// PromptVersion changes with every change of the prompt, and of the rules that refuse a reply. plainVersion is
// the version for recordings without tokens.
const (
	PromptVersion = "extraction/v2"
	plainVersion  = "extraction/v1"
)

// Schema is the name of the reply's schema.
const Schema = "concur_extraction_v1"

// Reader asks a language model for the words of a final message that give the answer. It is safe for concurrent
// use if its Model is.
type Reader struct {
	Model       model.Model
	Name        string  // the configured name of the model; models do not share cached replies
	Temperature float64 // temperature of the requests; 0 is recommended
	MaxTokens   int     // limit of a reply; 0 means asking.ShortReply, or asking.LongReply for a list
	Seed        int64   // seed of the run; the seeds of requests are derived from it and from the content
	Canaries    bool    // asks the built-in canaries before the first message
	Plain       bool    // asks as older versions did, without tokens, so that their recordings can be replayed
	Cache       *Cache  // earlier readings, usually shared by all queries of a run; nil asks every time
}

// Cache keeps readings in memory: equal messages of a query are read once. The zero value is empty and ready;
// it is safe for concurrent use. Failures of a model are not cached.
type Cache struct {
	readings memo.Once[asking.Digest, Reading]
	canaries memo.Once[asking.Digest, CanaryResult]
}

// Question is the question that a message answers, with the type of the answer, but without the gold.
type Question struct {
	ID      string // part of the request's identity; not shown to the model
	Text    string
	Type    answer.Type
	Options answer.Options
	Locale  string // locale of the agent; may be empty
}

// Reading is the result of asking a model about one message.
type Reading struct {
	Answer string // words of the message; "" if none were accepted
	// Problem explains why there is no answer; "" if there is an answer. Refused is set if the rules refused the
	// model's words.
	Problem  string
	Refused  bool
	Canaries *CanaryResult // nil if no canaries were asked
	// Effort does not include the canaries, because it is random before which message they are asked.
	asking.Effort
}

// Read asks for the answer of a message. If the model fails, there is no answer, and Effort.Errors counts the
// failure. A model that missed a canary is not asked. Read returns only ctx's error.
func (r *Reader) Read(ctx context.Context, q Question, message string) (Reading, error) {
	cache := cmp.Or(r.Cache, &Cache{})
	trial, failed, err := r.onProbation(ctx, cache)
	if err != nil {
		return Reading{}, err
	}
	if failed != "" {
		return Reading{Problem: failed, Effort: asking.Effort{Errors: 1}}, nil
	}
	if trial.Invalid() {
		return Reading{Problem: invalid(r.Name, trial), Canaries: trial}, nil
	}
	key, token := r.key(q, message), asking.TokenAfter(trial)
	if r.Plain {
		token = asking.NoToken
	}
	out, err := cache.readings.Get(ctx, key, func() (Reading, bool, error) {
		reply, err := r.ask(ctx, q, message, key, token)
		return accepted(reply, q, message), reply.Failed == nil, err
	})
	out.Canaries = trial
	return out, err
}

func (r *Reader) key(q Question, message string) asking.Digest {
	return asking.DigestOf(r.Name, strconv.FormatFloat(r.Temperature, 'g', -1, 64), strconv.Itoa(r.MaxTokens),
		r.promptVersion(), answer.Version, q.Text, string(q.Type), message)
}

func (r *Reader) promptVersion() string {
	if r.Plain {
		return plainVersion
	}
	return PromptVersion
}

//go:embed prompts.yaml
var promptFile []byte

var prompts = sync.OnceValue(func() map[string]asking.Prompt { return asking.Prompts(promptFile) })

// Limits of the texts shown to the model, in bytes. If a message is longer, its end is shown, because the
// answer is usually there.
const (
	maxQuestion = 4 << 10
	maxMessage  = 16 << 10
)

// words are the words of a reply; nil means that the message has no answer.
type words = *string

// ask asks the question. The content names the request, because with a shared cache it is random which trace
// asks first.
func (r *Reader) ask(ctx context.Context, q Question, message string, key asking.Digest,
	token asking.Token) (asking.Reply[words], error) {
	room := asking.ShortReply
	if q.Type == answer.List || q.Type == answer.Code || q.Type == answer.Text {
		room = asking.LongReply
	}
	p := prompts()[Schema]
	return asking.Verdict(ctx, r.Model, model.Request{
		Identity: model.Identity{Agent: "extractor:" + hex.EncodeToString(key[:8]), Query: q.ID,
			Purpose: model.Extractor},
		Messages: asking.Messages(p.Task, r.Seed,
			asking.Data("question", q.Text, maxQuestion), asking.Data("kind of value", string(q.Type), maxQuestion),
			asking.Data("message", shownEnd(message), maxMessage)),
		Temperature: r.Temperature,
		Seed:        asking.DigestOf(string(key[:]), strconv.FormatInt(r.Seed, 10)).Seed(),
		MaxTokens:   cmp.Or(r.MaxTokens, room),
		Schema:      p.Response(Schema),
	}, token, readWords)
}

// shownEnd returns the shown part of a message: its last bytes, from a whole character.
func shownEnd(message string) string {
	message = asking.Visible(message)
	return strings.ToValidUTF8(message[max(0, len(message)-maxMessage):], "")
}

func readWords(reply string) (out words, err error) {
	err = asking.ReadInto(reply, map[string]any{"words": &out})
	return out, err
}
