package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// picky is an endpoint that takes no temperature if it refuses one.
func picky(t *testing.T, refuses bool) string {
	t.Helper()
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	inner := serve.Handler(m, "offline:reader")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		var body struct {
			Temperature *float64 `json:"temperature"`
		}
		if refuses && json.Unmarshal(raw, &body) == nil && body.Temperature != nil {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model.", "param": "temperature"}}`)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// heated runs an ablation of three temperatures and a strategy, and gives its table, its figures and its folder.
func heated(t *testing.T, address, baseline string) (table string, r result.Result, runs string) {
	t.Helper()
	dir := t.TempDir()
	runs = filepath.Join(dir, "runs")
	settings := fmt.Sprintf("providers: {p: {kind: openai, base_url: %q, auth: none}}\nmodel: \"p:offline:reader\"\n"+
		"consensus: {stages: [exact, majority]}\n", address)
	spec := "name: heat\nbaseline: " + baseline + "\nconfigurations:\n  - {name: cold, set: {agent.temperature: 0}}\n" +
		"  - {name: warm, set: {agent.temperature: 0.5}}\n  - {name: short, set: {agent.temperature: 0, agent.max_steps: 2}}\n" +
		"  - {name: hot, set: {agent.temperature: 1}}\n"
	for name, text := range map[string]string{"concur.yaml": settings, "heat.yaml": spec} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := invoke("ablate", filepath.Join(dir, "heat.yaml"), "--config", filepath.Join(dir, "concur.yaml"), "--runs-dir", runs,
		"--quiet", "--corpus", "offline", "-k", "1", "--seed", "1", "--limit", "6")
	if code != exitOK {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	code, raw, errs := invoke("report", "latest", "--runs-dir", runs, "--format", "json")
	if code != exitOK || json.Unmarshal([]byte(raw), &r) != nil {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	return out, r, runs
}

// Arms whose temperature was not sent are one row, are not compared with each other, and are named.
func TestOneRowForWhatWasNotSent(t *testing.T) {
	table, r, runs := heated(t, picky(t, true), "cold")
	for _, says := range []string{
		"cold = warm = hot", "temperature not settable", "cold (", "warm (", "sent the same requests to p:offline:reader", "one agent",
	} {
		if !strings.Contains(table, says) {
			t.Errorf("the table lacks %q:\n%s", says, table)
		}
	}
	if r.Family == nil || r.Family.Comparisons != 1 {
		t.Errorf("family %+v, want the comparison of short alone", r.Family)
	}
	agents := map[string]bool{}
	for _, c := range r.Configurations {
		agents[c.Agent] = true
		if same := map[string]string{"warm": "cold", "hot": "cold"}[c.Name]; c.SameAs != same || c.Sent == "" || len(c.Unset) != 1 {
			t.Errorf("%s: sent %q, unset %v, same as %q, want %q", c.Name, c.Sent, c.Unset, c.SameAs, same)
		}
	}
	if len(agents) != 4 {
		t.Errorf("%d agents, want one for each configuration: the hash is of the configuration", len(agents))
	}
	run, err := runlist.Find(runs, runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	for hash, of := range run.Manifest.Agents {
		if of.Sent == "" || of.Beyond == "" || len(of.Requests) != 1 {
			t.Errorf("run.yaml says of agent %s: %+v", hash, of)
		}
	}
	// The row of a baseline that is not the first has the baseline's figures.
	code, out, errs := invoke("report", "latest", "--runs-dir", runs, "--baseline", "hot")
	if code != exitOK || !strings.Contains(out, "cold = warm = hot") || strings.Contains(out, "not compared") {
		t.Errorf("exit %d\n%s%s", code, errs, out)
	}
}

// Where the temperature is sent, its arms stay rows of their own.
func TestRowsOfTemperaturesThatWereSent(t *testing.T) {
	table, r, _ := heated(t, picky(t, false), "cold")
	if strings.Contains(table, " = ") || strings.Contains(table, "settable") || strings.Contains(table, "same requests") {
		t.Errorf("the table puts rows together:\n%s", table)
	}
	if r.Family == nil || r.Family.Comparisons != 3 {
		t.Errorf("family %+v, want 3 comparisons", r.Family)
	}
	sent := map[string]bool{}
	for _, c := range r.Configurations {
		sent[c.Sent] = true
	}
	if len(sent) != 4 || sent[""] {
		t.Errorf("the digests are %v, want 4", sent)
	}
}

// A model on this machine costs nothing, so a budget in dollars needs no price for it.
func TestBudgetOfALocalModel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "concur.yaml")
	settings := fmt.Sprintf("providers: {p: {kind: openai, base_url: %q, auth: none}}\n", picky(t, false))
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--config", file, "--model", "p:offline:reader", "--corpus", "offline", "-k", "1", "--limit", "1", "--quiet", "--budget-usd", "1"}
	if code, _, errs := invoke(append([]string{"run", "--runs-dir", t.TempDir()}, args...)...); code != exitOK {
		t.Errorf("exit %d\n%s", code, errs)
	}
}
