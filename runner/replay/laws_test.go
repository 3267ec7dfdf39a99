package replay_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

var (
	words = rapid.StringMatching(`[a-z<& \n"é]{0,12}`)
	roles = rapid.SampledFrom([]model.Role{model.System, model.User, model.Assistant, model.ToolRole})
)

func messages(t *rapid.T) model.Message {
	m := model.Message{Role: roles.Draw(t, "role"), Content: words.Draw(t, "content")}
	for i := range rapid.IntRange(0, 2).Draw(t, "calls") {
		m.ToolCalls = append(m.ToolCalls, model.ToolCall{ID: fmt.Sprint("c", i), Name: "calc", Arguments: words.Draw(t, "arguments")})
	}
	return m
}

// rewrite changes a conversation as an agent may do between two requests.
func rewrite(t *rapid.T, conversation []model.Message) []model.Message {
	keep := len(conversation)
	if rapid.Bool().Draw(t, "rewrites") {
		keep = rapid.IntRange(0, keep).Draw(t, "keep")
	}
	out := append([]model.Message(nil), conversation[:keep]...)
	for range rapid.IntRange(0, 3).Draw(t, "more") {
		out = append(out, messages(t))
	}
	return out
}

// conversations draws the requests of some agents in any conversations, in a possible order: each agent's own
// order is kept.
func conversations(t *rapid.T, m model.Model) (requests []model.Request, responses []model.Response, errs []error, recorded []store.Exchange) {
	var out tape
	k := rapid.IntRange(1, 3).Draw(t, "k")
	recorders := make([]*recorder, k)
	said := make([][]model.Message, k)
	steps := make([]int, k)
	for i := range recorders {
		recorders[i] = &recorder{inner: m, tape: &out}
	}
	for range rapid.IntRange(1, 10).Draw(t, "requests") {
		i := rapid.IntRange(0, k-1).Draw(t, "trace")
		said[i] = rewrite(t, said[i])
		req := model.Request{
			Identity: model.Identity{Agent: "a", Query: "q", Trace: i, Step: steps[i], Purpose: model.Agent},
			Messages: said[i], Seed: int64(i), Temperature: rapid.Float64Range(0, 2).Draw(t, "temperature"),
		}
		resp, err := recorders[i].Complete(context.Background(), req)
		if err == nil {
			said[i] = append(append([]model.Message(nil), said[i]...), resp.Message)
		}
		if rapid.Bool().Draw(t, "next step") { // otherwise the same identity is requested again
			steps[i]++
		}
		requests, responses, errs = append(requests, req), append(responses, resp), append(errs, err)
	}
	return requests, responses, errs, out.exchanges
}

func moody(t *rapid.T) modelFunc {
	return func(context.Context, model.Request) (model.Response, error) {
		if rapid.IntRange(0, 4).Draw(t, "fails") == 0 {
			return model.Response{}, &model.Error{Kind: model.ErrTimeout, Model: "m", Err: errors.New(words.Draw(t, "cause"))}
		}
		return model.Response{Message: messages(t), Finish: model.FinishStop}, nil
	}
}

// TestExchangesAreReplayed checks the law of the package: every recorded exchange can be replayed.
func TestExchangesAreReplayed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		requests, responses, errs, recorded := conversations(t, moody(t))
		m := &replay.Model{Recording: open(recorded)}
		for i, req := range requests {
			got, err := m.Complete(context.Background(), req)
			if fmt.Sprint(err) != fmt.Sprint(errs[i]) || model.KindOf(err) != model.KindOf(errs[i]) {
				t.Fatalf("request %d: %v, want %v", i, err, errs[i])
			}
			if diff := cmp.Diff(throughJSON(responses[i]), got); err == nil && diff != "" {
				t.Fatalf("request %d (-recorded +replayed):\n%s", i, diff)
			}
		}
	})
}

// TestNoOtherRequestIsAnswered changes one message of one request, which must then have no reply.
func TestNoOtherRequestIsAnswered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		requests, _, _, recorded := conversations(t, moody(t))
		m := &replay.Model{Recording: open(recorded)}
		changed := rapid.IntRange(0, len(requests)-1).Draw(t, "changed")
		for i, req := range requests {
			if i != changed {
				if _, err := m.Complete(context.Background(), req); model.KindOf(err) == model.ErrBadRequest {
					t.Fatalf("request %d: %v", i, err)
				}
				continue
			}
			at := rapid.IntRange(0, len(req.Messages)).Draw(t, "at")
			req.Messages = append([]model.Message(nil), req.Messages...)
			if at == len(req.Messages) {
				req.Messages = append(req.Messages, model.Message{})
			}
			req.Messages[at].Content += "!"
			_, err := m.Complete(context.Background(), req)
			d, ok := errors.AsType[*replay.Difference](err)
			if !ok || d.Fields[0] != fmt.Sprintf("messages[%d]", at) {
				t.Fatalf("message %d of request %d was changed: %v", at, i, err)
			}
		}
	})
}
