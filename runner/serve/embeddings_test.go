package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/embed"
	"github.com/seed-5817661a/concur/runner/serve"
)

const embeddingsPath = "/v1/embeddings"

// embedding returns a server whose model for embeddings is m.
func embedding(m fake) *serve.Server {
	return &serve.Server{Model: fake(nil), Embeddings: func(_ *http.Request, key, name string) (model.Model, error) {
		if name != "small" {
			return nil, serve.Refuse(http.StatusNotFound, "there is no "+name)
		}
		return m, nil
	}}
}

func TestEmbeddings(t *testing.T) {
	vectors := [][]float32{{0.25, -1}, {3, 1e-7}}
	for _, c := range []struct{ name, body, seen, extra, first string }{
		{"a list", `{"model": "small", "input": ["a <b>", "c"], "user": "x"}`, `["a <b>", "c"]`, `null`, `[0.25,-1]`},
		{"floats", `{"model": "small", "input": [[1, 2], [3]], "encoding_format": "float", "dimensions": 2}`, `[[1, 2], [3]]`, `{"dimensions":2}`, `[0.25,-1]`},
		{"base64", `{"model": "small", "input": ["a", "c"], "encoding_format": "base64"}`, `["a", "c"]`, `null`, `"AACAPgAAgL8="`},
	} {
		var seen model.Request
		s := embedding(func(_ context.Context, req model.Request) (model.Response, error) {
			seen = req
			return embed.Response(vectors, model.Usage{InputTokens: 5}), nil
		})
		w := send(s, http.MethodPost, embeddingsPath, c.body)
		var got struct {
			Object, Model string
			Data          []struct {
				Object    string
				Index     int
				Embedding json.RawMessage
			}
			Usage map[string]int
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s: %v", c.name, w.Code, w.Body, err)
		}
		if got.Object != "list" || got.Model != "small" || len(got.Data) != 2 || got.Data[1].Index != 1 || got.Data[0].Object != "embedding" || string(got.Data[0].Embedding) != c.first {
			t.Errorf("%s: %s", c.name, w.Body)
		}
		if diff := cmp.Diff(map[string]int{"prompt_tokens": 5, "total_tokens": 5}, got.Usage); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		extra, _ := json.Marshal(seen.Extra)
		if in, err := embed.InputOf(seen); err != nil || string(in.Values) != c.seen || string(extra) != c.extra {
			t.Errorf("%s: seen %s, %s, %v", c.name, in.Values, extra, err)
		}
	}
}

func TestEmbeddingsRefused(t *testing.T) {
	down := embedding(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{}, &model.Error{Kind: model.ErrRateLimited, Model: "x:small", Err: errors.New("slow down")}
	})
	chat := embedding(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{Message: model.Message{Content: "hello"}}, nil
	})
	for _, c := range []struct {
		name, body string
		s          *serve.Server
		status     int
		says       string
	}{
		{"no model", `{"input": "a"}`, down, 400, "names no model"},
		{"no input", `{"model": "small"}`, down, 400, "has no input"},
		{"a wrong input", `{"model": "small", "input": {}}`, down, 400, "it must be a text"},
		{"a wrong format", `{"model": "small", "input": "a", "encoding_format": "int8"}`, down, 400, "int8"},
		{"no JSON", `{`, down, 400, "not JSON"},
		{"another model", `{"model": "large", "input": "a"}`, down, 404, "there is no large"},
		{"a slow provider", `{"model": "small", "input": "a"}`, down, 429, "slow down"},
		{"no vectors", `{"model": "small", "input": "a"}`, chat, 502, "read vectors"},
		{"not here", `{"model": "small", "input": "a"}`, &serve.Server{}, 404, "no embeddings are served here"},
	} {
		w := send(c.s, http.MethodPost, embeddingsPath, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
		}
	}
	if w := send(down, http.MethodGet, embeddingsPath, ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", w.Code)
	}
}
