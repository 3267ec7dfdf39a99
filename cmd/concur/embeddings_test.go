package main

import (
	"context"
	"encoding/json"
	"errors"
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
	"github.com/seed-5817661a/concur/runner/store/runlist"
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
		found, err := runlist.Find("runs", "latest")
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

// letters is a model for embeddings: the vector of a text counts its letters. The vectors of another name are zero.
func letters(asked *atomic.Int64) *serve.Server {
	return &serve.Server{
		Model: modelFunc(func(context.Context, model.Request) (model.Response, error) {
			return model.Response{Message: model.Message{Content: "The answer is far away.\nANSWER: far away"}, Finish: model.FinishStop}, nil
		}),
		Embeddings: func(_ *http.Request, _, name string) (model.Model, error) {
			return modelFunc(func(_ context.Context, r model.Request) (model.Response, error) {
				asked.Add(1)
				in, err := embed.InputOf(r)
				var texts []string
				if err := errors.Join(err, json.Unmarshal(in.Values, &texts)); err != nil {
					return model.Response{}, err
				}
				vectors := make([][]float32, len(texts))
				for i, text := range texts {
					vectors[i] = make([]float32, 26)
					for _, r := range strings.ToLower(text) {
						if r >= 'a' && r <= 'z' && name == "letters" {
							vectors[i][r-'a']++
						}
					}
				}
				return embed.Response(vectors, model.Usage{InputTokens: 100}), nil
			}), nil
		},
	}
}

// TestSimilar: a check similar needs a model for embeddings. Its requests are recorded, priced, replayed and used again
// by a new judgement; vectors without a cosine leave queries without a verdict.
func TestSimilar(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(letters(&asked))
	defer server.Close()
	t.Chdir(t.TempDir())
	write(t, "prices.yaml", "prices:\n  - {model: \"mine:chat\", input: 0, output: 0}\n  - {model: \"mine:letters\", input: 1, output: 0}\n")
	queries := "- {id: near, query: \"How far is it?\", checks: [{similar: 'The answer is: far away. ANSWER: away, far. So.', threshold: 0.9}]}\n" +
		"- {id: other, query: \"How far is it?\", checks: [{not_similar: 'Mmm', threshold: 0.9}, {any: [{similar: zzz}, {similar: far away, on: answer}]}]}\n" +
		"- {id: wrong, query: \"How far is it?\", checks: [{similar: zzz}]}\n"
	write(t, "queries.yaml", queries)
	configure := func(judge string) {
		write(t, "concur.yaml", fmt.Sprintf("model: mine:chat\nk: 2\nprices: prices.yaml\nagent: {strategy: direct}\n%sproviders:\n  mine: {kind: openai, base_url: %q, auth: none}\n", judge, server.URL+"/v1"))
	}

	configure("")
	_, _, errs := invoke("datasets", "check", "queries.yaml")
	has(t, errs, "the checks similar need a model for embeddings, judge.embeddings of concur.yaml")
	for _, args := range [][]string{{"run", "queries.yaml"}, {"run", "queries.yaml", "--dry-run"}} {
		code, _, errs := invoke(args...)
		if has(t, errs, "the check similar of near needs a model for embeddings", "judge: {embeddings: openai:text-embedding-3-small}"); code == 0 {
			t.Error("a run begins without a model for embeddings")
		}
	}
	for spec, want := range map[string]string{
		"letters":         `judge.embeddings "letters": write provider:model`,
		"same":            `judge.embeddings "same": write provider:model`,
		"nowhere:letters": `judge.embeddings "nowhere:letters": there is no provider "nowhere"`,
		"offline:reader":  `judge.embeddings "offline:reader": only endpoints that speak OpenAI's protocol have embeddings`,
	} {
		configure(fmt.Sprintf("judge: {embeddings: %q}\n", spec))
		_, _, errs := invoke("run", "queries.yaml")
		has(t, errs, want)
	}
	if asked.Load() != 0 {
		t.Errorf("%d requests", asked.Load())
	}

	configure("judge: {embeddings: \"mine:letters\"}\n")
	out, _ := ok(t, "run", "queries.yaml", "--quiet", "--seed", "1", "--budget-usd", "1")
	has(t, out, "2/3")
	if asked.Load() != 5 { // one for each text of a check, because the two messages of a query are equal
		t.Errorf("%d requests", asked.Load())
	}
	found, err := runlist.Find("runs", "latest")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records(t, found) {
		judged := r.Usage.Roles[store.JudgeRole]
		want := map[string]int{"near": 2, "other": 6, "wrong": 2}[r.Query]
		if judged.ModelCalls != want || judged.USD == nil || fmt.Sprintf("%.4f", *judged.USD) != fmt.Sprintf("%.4f", float64(want)/10_000) {
			t.Errorf("%s: %+v, want %d calls", r.Query, judged, want)
		}
	}
	_, out, _ = invoke("trace", "latest", "wrong")
	has(t, out, "the cosine is 0, below 0.75")

	for _, again := range [][]string{{"run", "--replay", "latest", "--check"}, {"rejudge", "latest"}} {
		if ok(t, append(again, "--quiet")...); asked.Load() != 5 {
			t.Errorf("%v asks for vectors again: %d requests", again, asked.Load())
		}
	}
	write(t, "queries.yaml", strings.ReplaceAll(queries, "0.9}", "0.9999}"))
	out, _ = ok(t, "rejudge", "latest", "--dataset", "queries.yaml", "--quiet")
	if has(t, out, "1/3"); asked.Load() != 5 {
		t.Errorf("another threshold needs other vectors: %d requests", asked.Load())
	}

	configure("judge: {embeddings: \"mine:zero\"}\n")
	code, out, errs := invoke("run", "queries.yaml")
	has(t, strings.Join(strings.Fields(out), " "), "the vectors of mine:zero cannot be compared: vectors of 26 and 26 numbers have no cosine")
	if has(t, errs, "got no verdict"); code != 3 {
		t.Errorf("exit status %d\n%s\n%s", code, out, errs)
	}
}
