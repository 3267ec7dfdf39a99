package main

import (
	"context"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/runner/serve"
)

// witness is the model of an agent that thinks of a person, calls the calculator, and describes the person in
// words; and of a verifier that knows the person only from the thoughts.
type witness struct{ turns, begun atomic.Int64 }

func (w *witness) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if !strings.HasPrefix(req.Messages[0].Content, "You compare answers.") {
		w.turns.Add(1)
		words := [][2]string{{"She was his second wife: Mary Shelley.", "his second wife"},
			{"She wrote Frankenstein: Mary Shelley.", "the author of Frankenstein"}}
		last := req.Messages[len(req.Messages)-1]
		if last.Role == model.ToolRole {
			said := req.Messages[len(req.Messages)-2].Content
			i := slices.IndexFunc(words, func(w [2]string) bool { return w[0] == said })
			return model.Response{Message: model.Message{Role: model.Assistant, Content: "Answer: " + words[i][1]}, Finish: model.FinishStop}, nil
		}
		return model.Response{Finish: model.FinishToolCalls, Message: model.Message{Role: model.Assistant,
			Content: words[w.begun.Add(1)%2][0], ToolCalls: []model.ToolCall{{ID: "c1", Name: "calc", Arguments: `{"expression":"1+1"}`}}}}, nil
	}
	fake := &askingtest.Fake{Answer: func(_ context.Context, req model.Request) (string, error) {
		b := askingtest.Blocks(req)
		pair := []string{b["answer A"], b["answer B"]}
		slices.Sort(pair)
		if slices.Contains([]string{"8 eight", "USA United States of America", "Canberra in the capital"}, strings.Join(pair, " ")) ||
			strings.Contains(b["steps of A"], "thought: She") && strings.Count(b["steps of A"]+b["steps of B"], "Mary Shelley") == 2 {
			return `{"equivalent": true, "difference": null}`, nil
		}
		return `{"equivalent": false, "difference": "other words"}`, nil
	}}
	return fake.Complete(ctx, req)
}

// TestAblateWhatTheVerifierReads: two rows that differ in what the verifier reads share their traces, and only the
// row that reads traces finds that the answers mean the same person. A replay and rejudging give the same.
func TestAblateWhatTheVerifierReads(t *testing.T) {
	w := &witness{}
	server := httptest.NewServer(serve.Handler(w, "witness"))
	defer server.Close()
	runs, dir := t.TempDir(), t.TempDir()
	configuration := "model: mine:witness\nagent: {tools: [calc]}\nverifier: {}\nproviders: {mine: {kind: openai, base_url: \"" + server.URL + "/v1\", auth: none}}\n"
	write(t, filepath.Join(dir, "concur.yaml"), configuration)
	write(t, filepath.Join(dir, "spec.yaml"), "base: {k: 2}\nbaseline: answers\nconfigurations:\n  - {name: answers}\n  - {name: traces, set: {verifier.reads: traces}}\n")
	write(t, filepath.Join(dir, "q.jsonl"), `{"id":"a","query":"Who was she?","gold":{"type":"text","answer":"his second wife"}}`)
	code, out, errs := invoke("ablate", filepath.Join(dir, "spec.yaml"), "--dataset", filepath.Join(dir, "q.jsonl"), "--runs-dir", runs, "--quiet", "--config", filepath.Join(dir, "concur.yaml"))
	if code != exitOK {
		t.Fatalf("exit %d: %s\n%s", code, errs, out)
	}
	want := map[string]consensus.Method{"answers": consensus.Tie, "traces": consensus.Semantic}
	check := func(what string) {
		t.Helper()
		got := map[string]consensus.Method{}
		for r, err := range newest(t, runs).Records() {
			if err != nil {
				t.Fatal(err)
			}
			if r.Consensus.Canaries == nil || len(r.Consensus.Canaries.Missed) > 0 {
				t.Errorf("%s: canaries %+v", what, r.Consensus.Canaries)
			}
			name := r.Configuration
			if len(want) == 1 { // a single run
				name = "run"
			}
			got[name] = r.Consensus.Method
		}
		for name, method := range want {
			if got[name] != method {
				t.Errorf("%s: %s decided by %s, want %s", what, name, got[name], method)
			}
		}
	}
	check("ablation")
	if n := w.turns.Load(); n != 4 {
		t.Errorf("the agent made %d turns; the rows share two traces of two turns", n)
	}
	if strings.Contains(out, "not compared") {
		t.Errorf("the rows are not compared:\n%s", out)
	}
	traces := filepath.Join(dir, "traces.yaml")
	write(t, traces, strings.Replace(configuration, "verifier: {}", "verifier: {reads: traces}", 1))
	want = map[string]consensus.Method{"run": consensus.Semantic}
	repeat := func(what string, args ...string) {
		t.Helper()
		was := newest(t, runs).Dir
		if code, _, errs := invoke(append(args, "--runs-dir", runs, "--quiet")...); code != exitOK {
			t.Fatalf("%s: exit %d: %s", what, code, errs)
		}
		if newest(t, runs).Dir == was {
			t.Fatalf("%s: there is no new run", what)
		}
		check(what)
	}
	repeat("run", "run", "--config", traces, "-k", "2", filepath.Join(dir, "q.jsonl"))
	first := newest(t, runs).Dir
	repeat("replay", "run", "--replay", first)
	want["run"] = consensus.Tie
	repeat("rejudge by answers", "rejudge", first, "--config", filepath.Join(dir, "concur.yaml"))
	want["run"] = consensus.Semantic
	repeat("rejudge by traces", "rejudge", newest(t, runs).Dir, "--config", traces)
}

// TestVerifierReadsWhat: an unknown value is an error with its place.
func TestVerifierReadsWhat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "concur.yaml")
	write(t, path, "verifier: {reads: everything}\n")
	code, _, errs := invoke("run", "--runs-dir", t.TempDir(), "--config", path, "--limit", "1")
	if code != exitUsage || !strings.Contains(errs, `verifier.reads "everything" is not known: answers, traces`) {
		t.Errorf("exit %d: %s", code, errs)
	}
}
