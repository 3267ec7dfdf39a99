package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// TestConversationWithAModel runs a conversation of three turns with an endpoint over loopback. Its model calls the
// calculator in turn 1, and later reads its own earlier replies. The replay asks no endpoint.
func TestConversationWithAModel(t *testing.T) {
	var mu sync.Mutex
	var heard []string // roles of the messages of each request after the system prompt
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Error(err)
		}
		roles, question, said, called := "", "", "", false
		for _, m := range req.Messages[1:] {
			roles += m.Role[:1]
			switch m.Role {
			case "user":
				question = m.Content
			case "assistant":
				said += m.Content
			case "tool":
				called = true
			}
		}
		mu.Lock()
		heard = append(heard, roles)
		mu.Unlock()
		message := map[string]any{"role": "assistant", "content": "Answer: 0"}
		switch {
		case strings.HasPrefix(question, "How many") && !called:
			message["tool_calls"] = []any{map[string]any{"id": "call_1", "type": "function", "function": map[string]any{"name": "calc", "arguments": `{"expression": "2+3"}`}}}
		case strings.HasPrefix(question, "How many"), strings.HasPrefix(question, "And again") && strings.Contains(said, "Answer: 10"):
			message["content"] = "Five.\nAnswer: 5"
		case strings.HasPrefix(question, "Twice") && strings.Contains(said, "Answer: 5"):
			message["content"] = "Ten.\nAnswer: 10"
		}
		if err := json.NewEncoder(w).Encode(map[string]any{"model": "scripted", "choices": []any{map[string]any{"message": message, "finish_reason": "stop"}}}); err != nil {
			t.Error(err)
		}
	}))
	dir := t.TempDir()
	dataset, conf := filepath.Join(dir, "apples.yaml"), filepath.Join(dir, "concur.yaml")
	write(t, dataset, `- id: apples
  category: sums
  source: computed
  turns:
    - {query: "How many are 2 and 3?", gold: {type: integer, answer: "5"}, expects: {tools: [{name: calc}]}}
    - {query: "Twice that?", gold: {type: integer, answer: "10"}, expects: {none: true}}
    - {query: "And again the number before?", gold: {type: integer, answer: "5"}}
`)
	write(t, conf, "model: mine:scripted\nk: 3\npass: gold+tools\nagent: {tools: [calc], max_steps: 5}\nconsensus: {stages: [exact, majority]}\n"+
		"limits: {concurrency: 1}\nproviders:\n  mine: {kind: openai, base_url: \""+server.URL+"/v1\", auth: none}\n")
	if code, out, errs := invoke("run", dataset, "--config", conf, "--runs-dir", dir+"/runs", "--quiet"); code != exitOK {
		t.Fatalf("exit %d: %s\n%s", code, errs, out)
	}
	// Turn 1 has two requests, the second after the call; turn 2 follows one exchange, and turn 3 two.
	one := []string{"u", "uat", "uau", "uauau"}
	if diff := cmp.Diff(append(append(append([]string{}, one...), one...), one...), heard); diff != "" {
		t.Errorf("messages of the requests (-want +got):\n%s", diff)
	}
	run, err := runlist.Find(dir+"/runs", runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	first := soleRecord(t, run.Dir)
	if v := first.Verdict; v.Verdict != judge.Correct || *first.Consensus.Answer != "5 / 10 / 5" || first.Usage.ModelCalls != 12 {
		t.Errorf("verdict %+v, answer %q, %d calls", v, *first.Consensus.Answer, first.Usage.ModelCalls)
	}
	server.Close()
	if code, out, errs := invoke("run", "--replay", run.Dir, "--config", conf, "--runs-dir", dir+"/runs", "--quiet"); code != exitOK {
		t.Fatalf("replay: exit %d: %s\n%s", code, errs, out)
	}
	runs, err := filepath.Glob(dir + "/runs/*")
	if err != nil || len(runs) != 2 {
		t.Fatalf("runs %v, %v", runs, err)
	}
	again := soleRecord(t, runs[slices.IndexFunc(runs, func(dir string) bool { return dir != run.Dir })])
	first.Timing, again.Timing = store.Timing{}, store.Timing{}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the replay differs (-run +replay):\n%s", diff)
	}
}

// soleRecord returns the only record of a run.
func soleRecord(t *testing.T, dir string) store.Record {
	t.Helper()
	run, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range run.Records() {
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Fatal("the run has no record")
	return store.Record{}
}
