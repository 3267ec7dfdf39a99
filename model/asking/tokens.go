package asking

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model"
)

// Token limits of replies: for a short object, for one with reasons in it, and for either from a model that reasons
// first. Without a limit, a small model may write until the request times out, while other requests wait.
const (
	ShortReply     = 256
	LongReply      = 600
	ReasoningReply = 4096
)

// ReasoningRoom raises the token limit of a request to ReasoningReply if its model reasons: if Known is set, or after
// a reply reached the limit without any text. That request is sent once more.
type ReasoningRoom struct {
	Model model.Model
	Known bool
	found atomic.Bool
}

// Complete asks the model. The usage includes a repeated request.
func (r *ReasoningRoom) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	raise := req.MaxTokens > 0 && req.MaxTokens < ReasoningReply
	if raise && (r.Known || r.found.Load()) {
		req.MaxTokens, raise = ReasoningReply, false
	}
	resp, err := r.Model.Complete(ctx, req)
	_, text := resp.Message.Speech()
	if err != nil || !raise || resp.Finish != model.FinishLength || strings.TrimSpace(text) != "" ||
		len(resp.Message.ToolCalls) > 0 {
		return resp, err
	}
	r.found.Store(true)
	req.MaxTokens = ReasoningReply
	again, err := r.Model.Complete(ctx, req)
	again.Usage = again.Usage.Add(resp.Usage)
	return again, err
}

// Prompt is a task for a model and the schema of its reply.
type Prompt struct {
	Task   string `yaml:"task"`
	Schema string `yaml:"schema"` // JSON, which requires every field, as strict schemas do
}

// Prompts reads a file that is a part of the program: prompts by the names of their schemas.
func Prompts(file []byte) (out map[string]Prompt) {
	if err := strictyaml.Decode("prompts.yaml", file, &out); err != nil {
		panic(err)
	}
	return out
}

// Response returns the schema of a request, under its name.
func (p Prompt) Response(name string) *model.ResponseSchema {
	return &model.ResponseSchema{Name: name, Schema: json.RawMessage(p.Schema)}
}
