//go:build peers

package peers

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// TestOpenAIAgent takes an agent with OpenAI's own client through the gold set, an ablation
// and the gate.
func TestOpenAIAgent(t *testing.T) {
	b := newExamples(t)
	b.venv(t, "-r", "examples/openai/requirements.txt")
	t.Run("gold set", b.testGoldSet)
	t.Run("ablation", func(t *testing.T) {
		matches(t, b.prints(t, 0, nil, "ablate", "ablation.yaml", "--category", "calculation", "--limit", "2", "--quiet"),
			`^concur's own +2/2`, `^client +2/2`, `^client without calc +0/2`)
	})
	t.Run("gate", b.testGate)
}

// testGoldSet runs gold29 behind an endpoint that counts requests: one for each call of the
// agent, and none in a replay.
func (b bench) testGoldSet(t *testing.T) {
	var requests atomic.Int64
	to, err := url.Parse(b.serveModel(t))
	if err != nil {
		t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(to)
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		pass.ServeHTTP(w, r)
	}))
	defer endpoint.Close()
	env := []string{"OPENAI_BASE_URL=" + endpoint.URL + "/v1", "OPENAI_API_KEY=" + serveKey}

	run := []string{"run", "gold29", "-k", "3", "--seed", "1", "--quiet", "--format", "json"}
	own := resultOf(t, b.prints(t, 0, nil, append(run, "--model", servedModel)...))
	got := resultOf(t, b.prints(t, 0, env, append(run, "--model", "openai:"+servedModel, "--config", "examples/openai/concur.yaml")...))
	t.Logf("gold29: %d of %d correct by OpenAI's client, %d by concur's own agent; %d requests", got.Counts.Correct, got.Counts.Queries, own.Counts.Correct, requests.Load())
	if 5*got.Counts.Correct < 4*own.Counts.Correct || got.Traces.Total != 3*29 || got.Traces.Outcomes["infra"] != 0 {
		t.Errorf("counts %+v, traces %+v", got.Counts, got.Traces)
	}
	asked := requests.Load()
	if asked == 0 || asked != int64(got.Usage.ModelCalls) {
		t.Errorf("%d requests for %d model calls", asked, got.Usage.ModelCalls)
	}
	matches(t, b.prints(t, 0, nil, "trace", "latest", "calc-01"), `action +calc \{"expression"`, `observation +\{"value":"35546100850794"\}`)

	again := resultOf(t, b.prints(t, 0, env, "run", "--replay", "latest", "--check", "--quiet", "--format", "json"))
	if more := requests.Load() - asked; more != 0 || again.Counts != got.Counts || again.Usage != got.Usage {
		t.Errorf("a replay made %d requests, with counts %+v and usage %+v, want %+v, %+v", more, again.Counts, again.Usage, got.Counts, got.Usage)
	}
}

// testGate accepts two runs, passes a third, and refuses an agent whose calculator has got
// another name.
func (b bench) testGate(t *testing.T) {
	run := []string{"run", "sums.yaml", "-k", "3", "--quiet", "--config", "examples/openai/concur.yaml"}
	for _, seed := range []string{"1", "2"} {
		b.prints(t, 0, nil, append(run, "--seed", seed)...)
		b.prints(t, 0, nil, "baseline", "add", "latest")
	}
	b.prints(t, 0, nil, append(run, "--seed", "3")...)
	matches(t, b.prints(t, 0, nil, "gate", "latest", "--quiet"), `^PASS`)

	agent := filepath.Join(b.dir, "examples", "openai", "agent.py")
	text, err := os.ReadFile(agent)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(text), `tool("calc"`, `tool("compute"`, 1)
	if err := os.WriteFile(agent, []byte(broken), 0o600); err != nil || broken == string(text) {
		t.Fatalf("break the agent: %v", err)
	}
	b.prints(t, 0, nil, append(run, "--seed", "4")...)
	matches(t, b.prints(t, 1, nil, "gate", "latest", "--quiet"), `^REGRESSION.*: 2 queries are broken: product, power`, `differs from the accepted runs in file examples/openai/agent\.py`)
}

// TestOtherAgents runs agents with Anthropic's client in TypeScript and with LangGraph, and
// replays them.
func TestOtherAgents(t *testing.T) {
	for example, install := range map[string]func(*testing.T, *bench){
		"typescript": func(t *testing.T, b *bench) {
			b.takeNode(t)
			b.npm(t, "install", "--prefix", "examples/typescript")
		},
		"langgraph": func(t *testing.T, b *bench) { b.venv(t, "-r", "examples/langgraph/requirements.txt") },
	} {
		t.Run(example, func(t *testing.T) {
			b := newExamples(t)
			install(t, &b)
			run := []string{"run", "gold29", "-k", "3", "--seed", "1", "--quiet", "--format", "json"}
			own := resultOf(t, b.prints(t, 0, nil, run...))
			run = slices.Concat(run, []string{"--config", "examples/" + example + "/concur.yaml"})
			got := resultOf(t, b.prints(t, 0, nil, run...))
			t.Logf("gold29: %d of %d correct, %d by concur's own agent", got.Counts.Correct, got.Counts.Queries, own.Counts.Correct)
			if 5*got.Counts.Correct < 4*own.Counts.Correct || got.Traces.Total != 3*29 || got.Traces.Outcomes["infra"] != 0 {
				t.Errorf("counts %+v, traces %+v", got.Counts, got.Traces)
			}
			matches(t, b.prints(t, 0, nil, "trace", "latest", "calc-01"), `action +calc \{"expression"`, `observation +\{"value":"35546100850794"\}`)
			b.prints(t, 0, nil, "run", "--replay", "latest", "--check", "--quiet")
			got = resultOf(t, b.prints(t, 0, nil, append(run, "--query", "calc-01", "--without", "calc")...))
			if got.Counts.Correct != 0 {
				t.Errorf("without calc: %+v", got.Counts)
			}
		})
	}
}
