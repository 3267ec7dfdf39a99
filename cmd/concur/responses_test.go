package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// counted is concur serve on loopback, with the bodies of its requests by path.
type counted struct {
	server *httptest.Server

	mu     sync.Mutex
	bodies map[string][]string
}

func newCounted(t *testing.T) *counted {
	t.Helper()
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{bodies: map[string][]string{}}
	inner := serve.Handler(m, "offline:reader")
	c.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		c.bodies[r.URL.Path] = append(c.bodies[r.URL.Path], string(raw))
		c.mu.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(raw)))
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(c.server.Close)
	return c
}

func (c *counted) requests(path string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string{}, c.bodies[path]...)
}

// latestRecords are the records of the newest run, by query: answers of traces, verdict and the consensus.
func latestRecords(t *testing.T) map[string]string {
	t.Helper()
	found, err := runlist.Find("runs", "latest")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, r := range records(t, found) {
		traces := []any{r.Verdict, r.Consensus.Method, r.Judgements}
		for _, a := range r.Answers {
			traces = append(traces, a.Outcome, a.Answer, a.Steps, a.ToolCalls, a.Verdict)
		}
		raw, err := json.Marshal(traces)
		if err != nil {
			t.Fatal(err)
		}
		out[r.Query] = strings.NewReplacer("resp:", "", "chat:", "").Replace(string(raw)) // the judge's provider
	}
	return out
}

// TestResponsesAnswerAsChatDoes: agent, verifier and judges have the same verdicts by Responses as by chat completions
// of the same server, in both protocols, with a seed and without; and a replay asks nobody.
func TestResponsesAnswerAsChatDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector, which it is not about")
	}
	server := newCounted(t)
	t.Chdir(t.TempDir())
	for _, c := range []struct{ protocol, chat, responses string }{{"native", "", ", seed_field: seed"}, {"text", ", omit: [seed]", ""}} {
		write(t, "concur.yaml", fmt.Sprintf("providers:\n  chat: {kind: openai, base_url: %[1]q, auth: none%[2]s}\n  resp: {kind: responses, base_url: %[1]q, auth: none%[3]s}\n",
			server.server.URL+"/v1", c.chat, c.responses))
		verdicts := map[string]map[string]string{}
		for _, provider := range []string{"chat", "resp"} {
			ok(t, "run", "--model", provider+":offline:reader", "--judge", provider+":offline:reader", "--corpus", "offline", "--category", "multi_hop,safety",
				"--seed", "3", "--quiet", "--protocol", c.protocol)
			verdicts[provider] = latestRecords(t)
		}
		if diff := cmp.Diff(verdicts["chat"], verdicts["resp"]); diff != "" || len(verdicts["resp"]) < 6 {
			t.Errorf("%s, %d queries (-chat +responses):\n%s", c.protocol, len(verdicts["resp"]), diff)
		}
	}
	for _, body := range server.requests("/v1/responses") {
		if !strings.Contains(body, `"store":false`) || !strings.Contains(body, `"include":["reasoning.encrypted_content"]`) {
			t.Fatalf("not without state: %.300s", body)
		}
	}
	before := len(server.requests("/v1/responses"))
	_, errs := ok(t, "run", "--replay", "latest", "--check", "--quiet")
	if has(t, errs, "verdicts equal the recording"); len(server.requests("/v1/responses")) != before {
		t.Error("a replay asked the server")
	}
}

// TestEffortIsAnArm: arms that differ in the option effort of one model send it, and no other model does.
func TestEffortIsAnArm(t *testing.T) {
	server := newCounted(t)
	t.Chdir(t.TempDir())
	write(t, "concur.yaml", fmt.Sprintf("providers:\n  chat: {kind: openai, base_url: %[1]q, auth: none}\n  resp: {kind: responses, base_url: %[1]q, auth: none, extra_body: {reasoning: {effort: medium, summary: auto}}}\n", server.server.URL+"/v1"))
	write(t, "ablation.yaml", `name: efforts
dataset: gold29
base: {k: 1, consensus: {stages: [exact, majority]}}
baseline: low
configurations:
  - {name: low, set: {model: "resp:offline:reader?effort=low"}}
  - {name: high, set: {model: "resp:offline:reader?effort=high"}}
  - {name: own, set: {model: "resp:offline:reader"}}
  - {name: chat, set: {model: "chat:offline:reader?effort=high"}}
`)
	ok(t, "ablate", "ablation.yaml", "--limit", "1", "--corpus", "offline", "--quiet")
	efforts := map[string]int{}
	for _, body := range server.requests("/v1/responses") {
		var b struct{ Reasoning map[string]string }
		if err := json.Unmarshal([]byte(body), &b); err != nil {
			t.Fatal(err)
		}
		efforts[b.Reasoning["effort"]+" "+b.Reasoning["summary"]]++
	}
	if efforts["low auto"] == 0 || efforts["low auto"] != efforts["high auto"] || efforts["low auto"] != efforts["medium auto"] || len(efforts) != 3 {
		t.Errorf("efforts sent: %v", efforts)
	}
	for _, body := range server.requests("/v1/chat/completions") {
		if !strings.Contains(body, `"reasoning_effort":"high"`) {
			t.Errorf("sent by chat completions: %.300s", body)
		}
	}
	if code, _, errs := invoke("run", "--model", "resp:m?effort=Very+much", "--limit", "1"); code == exitOK || !strings.Contains(errs, `effort "Very much" is not an effort such as low, medium or high`) {
		t.Errorf("exit %d: %s", code, errs)
	}
}
