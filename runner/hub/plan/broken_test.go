package plan_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/plan"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/worker"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/trace"
)

// keyed returns an assembler in an environment with a key.
func keyed(key string) *assemble.Assembler {
	return assemble.New(func(name string) string {
		if name == "MINE_API_KEY" {
			return key
		}
		return ""
	}, assemble.Build{Version: "test"})
}

// A worker whose key an endpoint refuses fails each trace at once, so it would take nearly all of them. It gives them
// back instead, takes no more, and the run shows the reason; the other worker makes them all.
func TestWorkerWithWrongKey(t *testing.T) {
	m, err := assembler().Model("offline:reader", nil)
	if err != nil {
		t.Fatal(err)
	}
	const right = "right-key-1234567890"
	answering := serve.Handler(m, "reader")
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+right {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		answering.ServeHTTP(w, r)
	}))
	defer endpoint.Close()
	d := draftOf(t, named(config.DefaultName, func(c *config.Configuration) {
		c.Providers = map[string]endpoints.Endpoint{"mine": {Kind: endpoints.OpenAI, BaseURL: endpoint.URL + "/v1",
			Auth: endpoints.Auth{Env: []string{"MINE_API_KEY"}}}}
		c.Model, c.Verifier.Model = "mine:reader", "offline:reader"
	}))
	hub := hubOf(t, server.Options{})
	with := func(key string) func(*worker.Options) {
		return func(o *worker.Options) { o.Open = plan.Opener(o.Link, keyed(key), o.Places) }
	}
	refused := make(chan struct{})
	working(t, hub.URL(), "wrong", 4, with("wrong-key-1234567890"))
	go func() {
		<-refused // only now is there a worker that can make the traces
		working(t, hub.URL(), "right", 4, with(right))
	}()
	o, once := settings(t), sync.OnceFunc(func() { close(refused) })
	o.Warn = func(text string) {
		if strings.Contains(text, `worker "wrong" takes no work: `) && strings.Contains(text, "401") {
			once()
		}
	}
	dir, counts, err := coordinatedBy(t.Context(), keyed(right), d, hub.URL(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	if counts.Losses+counts.Infra > 0 {
		t.Errorf("counts: %+v", counts)
	}
	for _, line := range linesOf(t, dir, "results.jsonl") {
		if strings.Contains(line, `"outcome":"`+string(trace.Infra)+`"`) {
			t.Errorf("a trace failed: %.300s", line)
		}
	}
}
