//go:build soak

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// What many runs of the gate have to come to. The bound on false alarms is 0.3 % of runs.
const (
	soakBlocks     = 10 // each with a baseline of its own
	unchangedRuns  = 200
	brokenRuns     = 50
	mostAlarms     = 2
	fewestFound    = 49
	brokenRate     = .05
	soakQueries    = 29
	soakPoolOfRuns = 5
)

// scriptedAgent is a model that is right at the rates of GOLD29, and never says the same twice.
type scriptedAgent struct {
	lock   sync.Mutex
	random *rand.Rand
	broken int // query that is right in 5 % of traces; -1 for none
	calls  int
}

var numbered = regexp.MustCompile(`code of item number (\d+)`)

func soakRate(query int) float64 {
	switch {
	case query < 24:
		return .995
	case query < 27:
		return .9
	}
	return .6
}

func (s *scriptedAgent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Messages []struct {
			Content any `json:"content"`
		} `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	query := -1
	for _, m := range body.Messages {
		if found := numbered.FindStringSubmatch(fmt.Sprint(m.Content)); found != nil {
			query, _ = strconv.Atoi(found[1])
		}
	}
	s.lock.Lock()
	s.calls++
	rate := soakRate(query)
	if query == s.broken {
		rate = brokenRate
	}
	answer, nonce := 4200+query, s.random.Uint64()
	if s.random.Float64() >= rate {
		answer = 1 + int(nonce%3000)
	}
	s.lock.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{ // the peer may be gone
		"id": fmt.Sprint(nonce), "object": "chat.completion", "model": "scriptedAgent-1",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{
			"role": "assistant", "content": fmt.Sprintf("I looked into the list (%x).\n\nANSWER: %d", nonce, answer),
		}}},
		"usage": map[string]any{"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
	})
}

// TestGateOverManyRuns asks the gate about runs of an agent that did not change, and of one of
// which a query broke.
func TestGateOverManyRuns(t *testing.T) {
	model := &scriptedAgent{random: rand.New(rand.NewPCG(7, 7)), broken: -1}
	server := httptest.NewServer(model)
	defer server.Close()
	t.Setenv("MINE_KEY", "sk-mine-0123456789")
	var queries strings.Builder
	for i := range soakQueries {
		fmt.Fprintf(&queries, "- {id: q%02d, category: c, query: \"What is the code of item number %d?\", gold: {type: integer, answer: \"%d\"}}\n", i, i, 4200+i)
	}
	alarms, fresh, found, said := 0, 0, 0, map[gate.Decision]int{}
	ask := func() (gate.Decision, []string, int) {
		must(t, exitOK, "run", "queries.yaml", "--quiet")
		before := model.calls
		code, out, stderr := invoke("gate", "latest", "--quiet", "--yes", "--spaced", "0s", "--format", "json", "--simulations", "0")
		var g struct {
			Decision gate.Decision
			Reasons  []string
			Queries  []struct{ Query, Status string }
		}
		if err := json.Unmarshal([]byte(out), &g); err != nil || code != g.Decision.ExitCode() {
			t.Fatalf("exit %d, %v\n%s\n%s", code, err, out, stderr)
		}
		var names []string
		for _, q := range g.Queries {
			if q.Status == "broken" {
				names = append(names, q.Query)
			}
		}
		said[g.Decision]++
		return g.Decision, names, model.calls - before
	}
	for range soakBlocks {
		t.Chdir(t.TempDir())
		write(t, "queries.yaml", queries.String())
		write(t, "concur.yaml", "model: mine:scriptedAgent\nagent: {strategy: direct}\n"+
			"providers:\n  mine: {kind: openai, base_url: \""+server.URL+"/v1\", auth: {env: MINE_KEY}}\n")
		model.broken = -1
		for range soakPoolOfRuns {
			must(t, exitOK, "run", "queries.yaml", "--quiet")
			must(t, exitOK, "baseline", "add", "latest")
		}
		for range unchangedRuns / soakBlocks {
			d, names, n := ask()
			fresh += n
			if d != gate.Pass {
				alarms++
				t.Logf("an unchanged run: %s, naming %v", d, names)
			}
		}
		for i := range brokenRuns / soakBlocks {
			model.broken = i * 5
			d, names, _ := ask()
			if d == gate.Regression && slices.Contains(names, fmt.Sprintf("q%02d", model.broken)) {
				found++
			} else {
				t.Logf("q%02d is broken: %s, naming %v", model.broken, d, names)
			}
		}
		model.broken = -1
	}
	t.Logf("%d unchanged runs: %d alarms, %.1f fresh traces a run; %d broken runs: %d found; decisions %v", unchangedRuns, alarms, float64(fresh)/unchangedRuns, brokenRuns, found, said)
	if alarms > mostAlarms || found < fewestFound {
		t.Errorf("%d alarms, at most %d; %d found, at least %d", alarms, mostAlarms, found, fewestFound)
	}
}
