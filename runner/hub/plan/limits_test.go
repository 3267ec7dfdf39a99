package plan_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/plan"
	"github.com/seed-5817661a/concur/runner/hub/rate"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/runner/store"
)

// The requests of four workers together stay within limits.rpm. The endpoint counts them.
func TestRequestsOfAllWorkers(t *testing.T) {
	m, err := assembler().Model("offline:reader", nil)
	if err != nil {
		t.Fatal(err)
	}
	answering := serve.Handler(m, "reader")
	var mu sync.Mutex
	var sent []time.Time
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		sent = append(sent, time.Now())
		mu.Unlock()
		answering.ServeHTTP(w, r)
	}))
	defer endpoint.Close()
	const rpm, places = 1247, 4 // a request each 50 ms
	conf := named(config.DefaultName, func(c *config.Configuration) {
		c.Providers = map[string]endpoints.Endpoint{
			"mine": {Kind: endpoints.OpenAI, BaseURL: endpoint.URL + "/v1", Auth: endpoints.Auth{None: true}}}
		c.Model, c.K, c.Limits.RPM = "mine:reader", 4, rpm
		c.Verifier.Model = "offline:reader"
	})
	hub := hubOf(t, server.Options{})
	names := []string{"w0", "w1", "w2", "w3"}
	for _, name := range names {
		working(t, hub.URL(), name, places)
	}
	d := draftOf(t, conf)
	var permits plan.Permits
	a := assembler()
	err = a.While(t.Context(), d, assemble.Options{Permit: permits.Take}, func(ctx context.Context, s *assemble.Session) error {
		out, err := store.Create(t.TempDir(), s.Manifest())
		if err != nil {
			return err
		}
		_, err = conducted(ctx, a, s, out, nil, hub.URL(), settings(t))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d requests", len(sent)); len(sent) < 100 {
		t.Fatalf("the endpoint got only %d requests", len(sent))
	}
	// Tokens of the last second were waiting; and a busy machine may hold up a request that has its token, at each place.
	begin, late := sent[0].Add(-time.Second), places*len(names)
	for i, at := range sent {
		if most := int(at.Sub(begin)/rate.Limits{RPM: rpm}.Spacing()) + 2 + late; i+1 > most {
			t.Fatalf("%d requests in %v, at most %d are allowed", i+1, at.Sub(begin), most)
		}
	}
}

// What workers spend counts for the budget of the run, which then ends. Traces in flight count as much as the most
// expensive trace before them, so the budget is exceeded by the traces at the worker's 4 places at most, although the run
// may ask for 64 traces at a time. How many of them are cheap depends on which trace comes first.
func TestBudgetOfAllWorkers(t *testing.T) {
	conf := named(config.DefaultName, func(c *config.Configuration) { c.Limits.Tokens = 20_000 })
	hub := hubOf(t, server.Options{})
	working(t, hub.URL(), "w", 4)
	dir, _, err := coordinated(t.Context(), draftOf(t, conf), hub.URL(), t.TempDir(), settings(t))
	var spent *limit.SpentError
	if !errors.As(err, &spent) {
		t.Fatalf("the run ended with %v", err)
	}
	run, openErr := store.Open(dir)
	if openErr != nil {
		t.Fatal(openErr)
	}
	used, costs := 0, map[string]int{}
	for x, err := range run.Exchanges() {
		if err != nil {
			t.Fatal(err)
		}
		if x.Usage != nil {
			used += x.Usage.InputTokens + x.Usage.OutputTokens
			costs[fmt.Sprint(x.Query, x.Trace)] += x.Usage.InputTokens + x.Usage.OutputTokens
		}
	}
	most := slices.Max(slices.Collect(maps.Values(costs)))
	t.Logf("%d tokens, at most %d a trace", used, most)
	if used < conf.Limits.Tokens*8/10 || used > conf.Limits.Tokens+4*most {
		t.Errorf("the traces used %d tokens, and the budget is %d", used, conf.Limits.Tokens)
	}
	if n := len(linesOf(t, dir, "results.jsonl")); n == 29 {
		t.Errorf("the run has all %d records, although its budget was spent", n)
	}
}
