package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// A budget ends a run cleanly, and what it has is gone on with once there is more.
func TestBudgetEndsARunAndItGoesOn(t *testing.T) {
	runs := t.TempDir()
	args := []string{"run", "--runs-dir", runs, "--quiet", "--category", "calculation", "--concurrency", "2"}
	code, _, errs := invoke(append(args, "--budget-tokens", "20000")...)
	if code != exitInvalid || !strings.Contains(errs, "the budget is spent") || !regexp.MustCompile(`go on with: concur run --resume \S+ --budget-tokens \d{5}\b`).MatchString(errs) {
		t.Fatalf("exit %d: %s", code, errs)
	}
	run, err := runlist.Find(runs, runlist.Latest)
	if err != nil || run.Manifest.State != store.Interrupted {
		t.Fatalf("state %v, %v", run.Manifest.State, err)
	}
	// What was spent before counts.
	code, _, errs = invoke("run", "--runs-dir", runs, "--quiet", "--resume", "latest", "--budget-tokens", "20000")
	if code != exitInvalid || !strings.Contains(errs, "the budget is spent") {
		t.Errorf("with the same budget: exit %d: %s", code, errs)
	}
	code, out, errs := invoke("run", "--runs-dir", runs, "--quiet", "--resume", "latest", "--budget-tokens", "0")
	if code != exitOK || !strings.Contains(out, "6/9") {
		t.Errorf("without a budget: exit %d\n%s%s", code, out, errs)
	}
}

func TestBudgetInDollarsNeedsAPrice(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-nobody")
	code, _, errs := invoke("run", "--runs-dir", t.TempDir(), "--quiet", "--model", "openai:no-such-model", "--corpus", "offline", "--budget-usd", "1")
	if code != exitUsage || !strings.Contains(errs, "needs the price of ") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// --budget-usd holds for the fresh traces of a gate, apart from what the run took.
func TestBudgetOfFreshTraces(t *testing.T) {
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(serve.Handler(m, "reader"))
	defer server.Close()
	t.Setenv("MINE_KEY", "sk-mine-0123456789")
	t.Chdir(t.TempDir())
	write(t, "sums.yaml", sums)
	write(t, "prices.yaml", "as_of: 2026-11\nprices:\n  - {model: \"mine:reader\", input: 1000, output: 1000, as_of: 2026-11, source: \"me\"}\n")
	write(t, "concur.yaml", "model: mine:reader\nprices: prices.yaml\nsearch: {cascade: [corpus]}\nproviders:\n  mine: {kind: openai, base_url: \""+server.URL+"/v1\", auth: {env: MINE_KEY}}\n")
	for _, seed := range []string{"1", "2", "3"} {
		must(t, exitOK, "run", "sums.yaml", "--quiet", "--yes", "--seed", seed)
		must(t, exitOK, "baseline", "add", "latest")
	}
	must(t, exitOK, "run", "sums.yaml", "--quiet", "--yes", "--seed", "4", "--without", "calc")
	if g := gated(t, 4); !strings.Contains(g.Reasons[0], "they may cost about $") {
		t.Errorf("without a word: %v", g.Reasons)
	}
	for range 2 { // asked again, the budget is as it was
		if g := gated(t, 4, "--budget-usd", "0.01"); !strings.Contains(g.Reasons[0], "the budget") || !strings.Contains(g.Reasons[0], "is spent") {
			t.Errorf("with a budget: %v", g.Reasons)
		}
	}
	gated(t, exitRegression, "--budget-usd", "1000")
}

// The models of the preset paper have prices, and its plan says what it may cost.
func TestPaperHasPrices(t *testing.T) {
	out, _ := must(t, exitOK, "ablate", "paper", "--dry-run")
	if !regexp.MustCompile(`\ncost +about \$[0-9.]+ by the agent`).MatchString(out) || strings.Contains(out, "no price is known") {
		t.Errorf("%s", out)
	}
}

// A run that may cost more than limits.confirm_usd is not begun without a word; prices and
// an endpoint of one's own come from the configuration.
func TestPricesProvidersAndConfirmation(t *testing.T) {
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var authorization atomic.Value
	inner := serve.Handler(m, "reader")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		authorization.Store(r.Header.Get("Authorization"))
		inner.ServeHTTP(w, r)
	}))
	defer server.Close()
	dir := t.TempDir()
	prices := filepath.Join(dir, "prices.yaml")
	write(t, prices, "as_of: 2026-11\nprices:\n  - {model: \"mine:reader\", input: 1000, output: 1000, as_of: 2026-11, source: \"me\"}\n")
	conf := filepath.Join(dir, "concur.yaml")
	write(t, conf, "model: mine:reader\nprices: "+prices+"\nsearch: {cascade: [corpus]}\nproviders:\n  mine: {kind: openai, base_url: \""+server.URL+"/v1\", auth: {env: MINE_KEY}}\n")

	code, _, errs := invoke("run", "--runs-dir", dir, "--quiet", "--config", conf)
	if code != exitUsage || !strings.Contains(errs, "MINE_KEY is not set") {
		t.Errorf("without the key: exit %d: %s", code, errs)
	}
	t.Setenv("MINE_KEY", "sk-mine-0123456789")
	code, _, errs = invoke("run", "--runs-dir", dir, "--quiet", "--config", conf)
	if code != exitUsage || !strings.Contains(errs, "may cost about $") || !strings.Contains(errs, "--yes") {
		t.Errorf("an expensive run: exit %d: %s", code, errs)
	}
	code, out, errs := invoke("run", "--runs-dir", dir, "--quiet", "--config", conf, "--yes", "--limit", "2")
	if code != exitOK || !strings.Contains(out, "  cost  ") || authorization.Load() != "Bearer sk-mine-0123456789" {
		t.Errorf("exit %d, authorization %v\n%s%s", code, authorization.Load(), out, errs)
	}
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if strings.Contains(string(raw), "sk-mine") {
			t.Errorf("the key stands in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestGiveUp: an endpoint that always fails ends the run at the time that was set.
func TestGiveUp(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
	}))
	defer server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	code, _, errs := invoke("run", "--runs-dir", t.TempDir(), "--quiet", "--model", "openai:m", "--corpus", "offline", "--give-up", "10ms")
	if code != exitInvalid || !strings.Contains(errs, "the endpoint is given up after") || !strings.Contains(errs, "500") || !strings.Contains(errs, "--retry-failed") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
