package asking

import (
	"context"
	"strings"
	"sync/atomic"

	"github.com/seed-5817661a/concur/runner/model"
)

// The tokens that replies to closed questions may have: a short object, one with reasons
// in it, and either from a model that reasons before it. Without a bound a small model can
// go on until the request times out, while others wait behind it.
const (
	ShortReply     = 256
	LongReply      = 600
	ReasoningReply = 4096
)

// ReasoningRoom raises the token limit of a request that has one to ReasoningReply where
// its model reasons: Known says so, or a reply that ended at the limit before it said
// anything, which is asked for once more.
type ReasoningRoom struct {
	Model model.Model
	Known bool
	found atomic.Bool
}

// Complete asks the model. The usage is that of both requests where there were two.
func (r *ReasoningRoom) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	raise := req.MaxTokens > 0 && req.MaxTokens < ReasoningReply
	if raise && (r.Known || r.found.Load()) {
		req.MaxTokens, raise = ReasoningReply, false
	}
	resp, err := r.Model.Complete(ctx, req)
	_, said := resp.Message.Speech()
	if err != nil || !raise || resp.Finish != model.FinishLength || strings.TrimSpace(said) != "" || len(resp.Message.ToolCalls) > 0 {
		return resp, err
	}
	r.found.Store(true)
	req.MaxTokens = ReasoningReply
	again, err := r.Model.Complete(ctx, req)
	again.Usage = again.Usage.Add(resp.Usage)
	return again, err
}
