package provider

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/runner/config"
)

// completes is a model that is a function.
type completes func(context.Context, model.Request) (model.Response, error)

func (f completes) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

// variables is an environment that has only these variables.
func variables(all map[string]string) Environ { return func(name string) string { return all[name] } }

// TestBoundOfAnEndpoint checks that concurrent requests to loopback begin with a few, unless a limit is
// configured.
func TestBoundOfAnEndpoint(t *testing.T) {
	for _, c := range []struct {
		base        string
		concurrency int
		want        int
	}{
		{"http://127.0.0.1:1/v1", 0, 4}, {"http://localhost/v1", 0, 4}, {"http://[::1]:8080/v1", 0, 4},
		{"http://127.0.0.1:1/v1", 20, 20}, {"http://127.0.0.1:1/v1", 1, 1},
		{"http://llm.example.com/v1", 0, 32}, {"http://10.0.0.3/v1", 0, 32}, {"http://localhost.example.com/v1", 8, 8},
	} {
		conf := config.New()
		conf.Limits.Concurrency = c.concurrency
		prices, err := New(variables(map[string]string{"OPENAI_BASE_URL": c.base})).Prices(conf)
		if err != nil {
			t.Fatal(err)
		}
		if got := NewModels(prices, Options{}, nil).endpointLimits("openai:m").Concurrency.Limit(); got != c.want {
			t.Errorf("%s with %d: %d, want %d", c.base, c.concurrency, got, c.want)
		}
	}
}

// TestWhatIsWaitedFor checks that the run reports that no request has ended, again each time that the
// duration has doubled, and never for an endpoint without requests.
func TestWhatIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bound := &limit.Concurrency{Most: 2}
		hangs := bound.Wrap("openai:m", completes(func(ctx context.Context, _ model.Request) (model.Response, error) {
			<-ctx.Done()
			return model.Response{}, ctx.Err()
		}))
		m := &Models{shared: map[string]limit.Endpoint{
			"openai http://127.0.0.1:1/v1": {Concurrency: bound}, "other http://h": {Concurrency: &limit.Concurrency{}},
		}}
		start := time.Now()
		var said []string
		var at []time.Duration
		unwatch := m.Watch(func(text string) {
			said, at = append(said, text), append(at, time.Since(start).Round(time.Second))
		})
		time.Sleep(time.Minute)
		ctx, cancel := context.WithCancel(t.Context())
		for range 3 {
			go func() { _, _ = hangs.Complete(ctx, model.Request{}) }()
		}
		time.Sleep(2*time.Minute + time.Second)
		cancel()
		time.Sleep(time.Hour)
		unwatch()
		if len(said) != 3 || at[0] != 90*time.Second || at[1] != 2*time.Minute || at[2] != 3*time.Minute {
			t.Fatalf("%q at %v", said, at)
		}
		if want := "no request has ended for 30s: 2 are in progress at http://127.0.0.1:1/v1 (openai), 1 are waiting to be sent; use --concurrency 1 if the server answers one request at a time"; said[0] != want {
			t.Errorf("%s\nwant %s", said[0], want)
		}
	})
}

// TestPriceFileAtAnotherAddress checks that the built-in price of a model is not used at another address, but
// the price of a file is.
func TestPriceFileAtAnotherAddress(t *testing.T) {
	conf := config.New()
	conf.Prices = filepath.Join(t.TempDir(), "prices.yaml")
	text := "as_of: 2026-11\nprices:\n  - {model: \"openai:mine\", input: 1, output: 2, as_of: 2026-11, source: \"me\"}\n"
	if err := os.WriteFile(conf.Prices, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := New(variables(map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"})).Prices(conf)
	if err != nil {
		t.Fatal(err)
	}
	if usd, known := p.Price("openai:mine", model.Usage{InputTokens: 1e6}); !known || usd != 1 {
		t.Errorf("the file's: %v, %t", usd, known)
	}
	if _, known := p.Price("openai:gpt-4o-mini", model.Usage{InputTokens: 1e6}); known {
		t.Error("the built-in price holds at another address")
	}
}

// TestPaid checks that models on this machine and of ollama cost nothing, and that every other model is
// listed.
func TestPaid(t *testing.T) {
	conf := config.New()
	for _, c := range []struct {
		model, judge, base string
		want               []string
	}{
		{"offline:reader", "", "", nil},
		{"ollama:llama3", "", "", nil},
		{"openai:m", "", "http://127.0.0.1:8000/v1", nil},
		{"openai:m", "", "http://localhost/v1", nil},
		{"openai:m", "", "", []string{"openai:m"}},
		{"openai:m", "", "http://10.0.0.3/v1", []string{"openai:m"}},
		{"openai:m", "anthropic:claude", "http://[::1]/v1", []string{"anthropic:claude"}},
	} {
		conf.Model, conf.Judge.Correctness = c.model, c.judge
		if got := New(variables(map[string]string{"OPENAI_BASE_URL": c.base})).Paid(conf); !slices.Equal(got, c.want) {
			t.Errorf("%s, judged by %q, at %q: %q, want %q", c.model, c.judge, c.base, got, c.want)
		}
	}
}
