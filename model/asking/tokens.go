package asking

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model"
)

// Token limits of replies: for a short object, for an object with reasons, and for either from a model that
// reasons first. Without a limit, a small model may write until the request times out, which delays other
// requests.
const (
	ShortReply     = 256
	LongReply      = 600
	ReasoningReply = 4096
)

// ReasoningRoom raises the token limit of requests to ReasoningReply if the model reasons. The model reasons if
// Known is set. It also counts as such if a reply reached the limit before it had any text; this request is
// then sent once more.
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
	Schema string `yaml:"schema"` // JSON; every field must be required, because strict schemas demand it
}

// Prompts reads an embedded file of prompts. It returns them by the names of their schemas.
func Prompts(file []byte) (out map[string]Prompt) {
	if err := strictyaml.Decode("prompts.yaml", file, &out); err != nil {
		panic(err)
	}
	return out
}

// Response returns the schema of the reply, with this name.
func (p Prompt) Response(name string) *model.ResponseSchema {
	return &model.ResponseSchema{Name: name, Schema: json.RawMessage(p.Schema)}
}
