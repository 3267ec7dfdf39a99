package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/embed"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/runner/store"
)

type modelFunc func(context.Context, model.Request) (model.Response, error)

func (f modelFunc) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

// agentWithVectors asks for vectors, and answers with the first component and its model's text.
const agentWithVectors = `import json, os, sys, urllib.error, urllib.request
query = json.loads(sys.stdin.readline())["query"]
def post(path, document):
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + path, json.dumps(document).encode(), headers)
    try:
        return json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as e:
        return json.load(e)
vectors = post("/embeddings", {"model": "vectors", "input": [query, "x"]})
if "error" in vectors:
    print(json.dumps({"answer": vectors["error"]["message"][:150]}))
else:
    said = post("/chat/completions", {"model": "any", "messages": [{"role": "user", "content": query}]})
    print(json.dumps({"answer": "%d %s" % (vectors["data"][0]["embedding"][0], said["choices"][0]["message"]["content"])}))
`

// TestEmbeddingsGoThroughTheProxy: what an agent asks of its vector store is recorded, priced apart and replayed, at
// providers of both of OpenAI's protocols; a provider without embeddings is named.
func TestEmbeddingsGoThroughTheProxy(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	var asked atomic.Int64
	server := httptest.NewServer(&serve.Server{
		Model: modelFunc(func(context.Context, model.Request) (model.Response, error) {
			return model.Response{Message: model.Message{Content: "miles"}, Finish: model.FinishStop, Usage: model.Usage{InputTokens: 10, OutputTokens: 1}}, nil
		}),
		Embeddings: func(_ *http.Request, _, name string) (model.Model, error) {
			return modelFunc(func(_ context.Context, r model.Request) (model.Response, error) {
				asked.Add(1)
				return embed.Response([][]float32{{42, 0}, {0, 1}}, model.Usage{InputTokens: 1000}), nil
			}), nil
		},
	})
	defer server.Close()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("agent.py", []byte(agentWithVectors), 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, "prices.yaml", "prices:\n  - {model: \"mine:chat\", input: 10, output: 10}\n  - {model: \"mine:vectors\", input: 1, output: 0}\n")
	write(t, "queries.yaml", "- {id: far, category: a, query: \"How far is it?\", gold: {type: text, answer: \"42 miles\"}}\n")
	configure := func(kind, model string) {
		write(t, "concur.yaml", fmt.Sprintf("model: %s\nk: 2\nprices: prices.yaml\nagent: {exec: [%q, agent.py]}\nproviders:\n  mine: {kind: %s, base_url: %q, auth: none}\n", model, python, kind, server.URL+"/v1"))
	}
	for _, kind := range []string{"openai", "responses"} {
		configure(kind, "mine:chat")
		before := asked.Load()
		out, _ := ok(t, "run", "queries.yaml", "--quiet", "--budget-usd", "1")
		has(t, out, "1/1")
		if got := asked.Load() - before; got != 2 {
			t.Errorf("%s: %d requests for embeddings", kind, got)
		}
		found, err := store.Find("runs", "latest")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records(t, found) {
			u := r.Usage // of two traces: 1,000 tokens of vectors at $1 and 11 of the chat at $10 a million
			if u.ModelCalls != 4 || u.InputTokens != 2020 || u.USD == nil || fmt.Sprintf("%.6f", *u.USD) != "0.002220" {
				t.Errorf("%s: %+v", kind, u)
			}
			if parts := r.Answers[0].Agents; len(parts) != 2 || parts[1].Path != "embeddings mine:vectors" || parts[1].ModelCalls != 1 {
				t.Errorf("%s: %+v", kind, parts)
			}
		}
		recorded, err := os.ReadFile(filepath.Join(glob(t, filepath.Join("runs", "*")), "chat.jsonl"))
		if err != nil || strings.Count(string(recorded), `"task":"embeddings `) != 2 || !strings.Contains(string(recorded), `"model":"mine:vectors"`) {
			t.Errorf("%s: %v, recorded %.600s", kind, err, recorded)
		}
		before = asked.Load()
		_, errs := ok(t, "run", "--replay", "latest", "--check", "--quiet")
		if has(t, errs, "verdict"); asked.Load() != before {
			t.Errorf("%s: a replay asked %d times", kind, asked.Load()-before)
		}
		if err := os.RemoveAll("runs"); err != nil {
			t.Fatal(err)
		}
	}
	configure("openai", "offline:reader")
	ok(t, "run", "queries.yaml", "--quiet")
	_, out, _ := invoke("trace", "latest", "far")
	has(t, strings.Join(strings.Fields(out), " "), "the configured provider offline has no embeddings")
	ok(t, "run", "--replay", "latest", "--check", "--quiet") // which refuses it too
}
