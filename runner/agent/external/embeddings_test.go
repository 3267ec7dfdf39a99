package external_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/embed"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/trace"
)

// embedder returns models whose vectors have the lengths of the inputs.
func embedder(seen *[]model.Identity) external.Embedder {
	return func(name string) (string, model.Model, error) {
		if name == "none" {
			return "", nil, errors.New("it has no embeddings")
		}
		return "x:" + name, modelFunc(func(_ context.Context, r model.Request) (model.Response, error) {
			*seen = append(*seen, r.Identity)
			if name == "down" {
				return model.Response{}, &model.Error{Kind: model.ErrUnavailable, Model: "x:down", Err: errors.New("it is down")}
			}
			return embed.Response([][]float32{{float32(len(r.Messages[0].Content))}}, model.Usage{InputTokens: 3}), nil
		}), nil
	}
}

func TestProxyPassesEmbeddingsOn(t *testing.T) {
	for _, c := range []struct {
		name, model, query, answer string
		children                   []trace.Child
		stop                       trace.StopReason
	}{
		{"a model", "small", "Nile", "6", []trace.Child{{Path: "embeddings x:small", ModelCalls: 1, Usage: model.Usage{InputTokens: 3}}}, trace.Final},
		{"with the provider", "offline:small", "Nile", "6", []trace.Child{{Path: "embeddings x:small", ModelCalls: 1, Usage: model.Usage{InputTokens: 3}}}, trace.Final},
		{"a provider without", "none", "Nile", "404 the configured provider offline has no embeddings: it has no embeddings", nil, trace.Final},
		{"a name that is none", "small?timeout=1h", "Nile", "404", nil, trace.Final},
		{"an endpoint that is down", "down", "Nile", "503", []trace.Child{{Path: "embeddings x:down", ModelCalls: 1}}, trace.Final},
	} {
		var seen []model.Identity
		proxy, err := external.NewProxy("offline:reader", embedder(&seen))
		if err != nil {
			t.Fatal(err)
		}
		var r recorder
		a := &external.Agent{Config: configuration(nil), Transport: command(t, "embeds "+c.model, nil), Proxy: proxy}
		got := a.Run(t.Context(), task(c.query, answer.Text, modelFunc(echo), &r))
		if !strings.HasPrefix(got.Answer, c.answer) || got.StopReason != c.stop || got.ModelCalls != len(c.children) {
			t.Errorf("%s: %q, %s, %d calls", c.name, got.Answer, got.StopReason, got.ModelCalls)
		}
		if diff := cmp.Diff(c.children, got.Children); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		for _, id := range seen {
			if !strings.HasPrefix(id.Task, "embeddings ") || id.Step != 0 || id.Trace != 1 {
				t.Errorf("%s: %+v", c.name, id)
			}
		}
		if err := proxy.Close(); err != nil {
			t.Error(err)
		}
	}
}
