package limit_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/limit"
)

// dollar is a price of one dollar per token.
func dollar(u model.Usage) float64 { return float64(u.InputTokens + u.OutputTokens) }

// budgeted returns a model whose calls count against a budget.
func budgeted(t *testing.T, b *limit.Budget, m model.Model) model.Model {
	t.Helper()
	wrapped, err := b.Wrap(name, m, dollar)
	if err != nil {
		t.Fatal(err)
	}
	return wrapped
}

func used(in, out int) model.Response {
	return model.Response{Usage: model.Usage{InputTokens: in, OutputTokens: out}}
}

func TestBudgetEndsTheRun(t *testing.T) {
	for _, c := range []struct {
		name   string
		budget *limit.Budget
		calls  int
		says   string
	}{
		{"tokens", &limit.Budget{Tokens: 100}, 4, "120 tokens of limits.tokens 100"},
		{"dollars", &limit.Budget{USD: 90}, 3, "$90.0000 of limits.usd 90.00"},
		{"what comes first", &limit.Budget{USD: 1000, Tokens: 30}, 1, "30 tokens of limits.tokens 30"},
		{"earlier sessions count", &limit.Budget{Tokens: 100, Earlier: limit.Spend{Tokens: 60}}, 2, "120 tokens"},
		{"spent before", &limit.Budget{USD: 5, Earlier: limit.Spend{USD: 5.02}}, 0, "$5.0200 of limits.usd 5.00"},
	} {
		told := 0
		c.budget.OnSpent = func(*limit.SpentError) { told++ }
		endpoint := 0
		m := budgeted(t, c.budget, fake(func(context.Context, model.Request) (model.Response, error) {
			endpoint++
			return used(20, 10), nil
		}))
		var err error
		for range 10 {
			_, err = m.Complete(t.Context(), model.Request{})
		}
		wantKind(t, err, model.ErrBudget, c.says)
		if spent, ok := errors.AsType[*limit.SpentError](err); !ok || endpoint != c.calls || told != 1 || spent.Spent != c.budget.Spent() {
			t.Errorf("%s: %d calls, told %d times, %+v", c.name, endpoint, told, err)
		}
	}
}

func TestBudgetCounts(t *testing.T) {
	var none limit.Budget
	for _, c := range []struct {
		name  string
		reply model.Response
		err   error
		want  limit.Spend
	}{
		{"usage", used(3, 4), nil, limit.Spend{USD: 7, Tokens: 7}},
		{"no usage: the estimate", model.Response{}, nil, limit.Spend{USD: 10 + limit.DefaultOutputGuess, Tokens: 10 + limit.DefaultOutputGuess}},
		{"a failure costs nothing", used(3, 4), broken(), limit.Spend{}},
		{"nonsense gives nothing back", used(-10, 3), nil, limit.Spend{USD: 3, Tokens: 3}},
	} {
		before := none.Spent()
		m := budgeted(t, &none, fake(func(context.Context, model.Request) (model.Response, error) { return c.reply, c.err }))
		_, _ = m.Complete(t.Context(), text(10))
		if after := none.Spent(); after.USD-before.USD != c.want.USD || after.Tokens-before.Tokens != c.want.Tokens {
			t.Errorf("%s: %+v after %+v", c.name, after, before)
		}
	}
}

func TestBudgetNeedsAPrice(t *testing.T) {
	if _, err := (&limit.Budget{USD: 1}).Wrap(name, &script{}, nil); err == nil {
		t.Error("dollars are limited, and the price is not known")
	}
	m, err := (&limit.Budget{Tokens: 1000}).Wrap(name, &script{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Complete(t.Context(), model.Request{}); err != nil {
		t.Error(err)
	}
}

func TestBudgetEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &limit.Budget{Tokens: 100}
		m := budgeted(t, b, slow(time.Minute, used(10, 10)))
		var first sync.WaitGroup
		first.Go(func() { _, _ = m.Complete(t.Context(), model.Request{}) })
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		_, err := m.Complete(ctx, model.Request{}) // does not fit together with the first one
		if wantKind(t, err, model.ErrCancelled, "wait for the budget"); time.Since(start) != time.Second {
			t.Errorf("after %v", time.Since(start))
		}
		first.Wait()
	})
}

// Work of other processes begins slowly: one alone, then at most twice as many as have ended, as long as the most
// expensive one fits beside them.
func TestBudgetOfOtherProcesses(t *testing.T) {
	t.Parallel()
	b := &limit.Budget{Tokens: 1000}
	atOnce, cancel := context.WithCancel(t.Context())
	cancel() // what has no room returns an error and does not wait
	var most limit.Spend
	known := 0
	estimate := func() (limit.Spend, int) { return most, known }
	for _, c := range []struct{ cost, known, want int }{{0, 0, 1}, {10, 1, 1}, {10, 3, 4}, {10, 100, 70}, {400, 100, 1}} {
		most.Tokens, known = c.cost, c.known
		var releases []func()
		for {
			release, err := b.Reserve(atOnce, "a worker", estimate)
			if err != nil {
				break
			}
			releases = append(releases, release)
		}
		if len(releases) != c.want {
			t.Errorf("%d ended, at most %d tokens each: %d in flight, want %d", c.known, c.cost, len(releases), c.want)
		}
		for _, release := range releases {
			release()
		}
		b.Charge(limit.Spend{Tokens: 100}) // before each case, 1000, 900, 800, 700, 600 are left
	}
	b.Charge(limit.Spend{Tokens: 500})
	if _, err := b.Reserve(atOnce, "a worker", estimate); !errors.As(err, new(*limit.SpentError)) {
		t.Errorf("a spent budget: %v", err)
	}
}

// Only as many calls run at once as fit into the budget.
func TestBudgetReserves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var endpoint crowd
		b := &limit.Budget{Tokens: 1000, OutputGuess: 100}
		m := budgeted(t, b, fake(func(ctx context.Context, req model.Request) (model.Response, error) {
			_, err := endpoint.Complete(ctx, req)
			return used(0, 100), err
		}))
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() { _, _ = m.Complete(t.Context(), model.Request{}) })
		}
		all.Wait()
		if spent := b.Spent(); endpoint.most.Load() != 10 || spent.Tokens != 1000 {
			t.Errorf("%d at once, %+v", endpoint.most.Load(), spent)
		}
	})
}

func TestBudgetReleasesWhatAPanicHeld(t *testing.T) {
	b := &limit.Budget{Tokens: 600}
	m := budgeted(t, b, fake(func(context.Context, model.Request) (model.Response, error) { panic("no") }))
	for range 3 {
		func() {
			defer func() { _ = recover() }()
			_, _ = m.Complete(t.Context(), model.Request{})
		}()
	}
	if _, err := budgeted(t, b, &script{}).Complete(t.Context(), model.Request{}); err != nil {
		t.Error(err)
	}
}

// For any number of concurrent calls, a budget is exceeded at most by one call and by the amounts by which
// the running calls exceed their estimates. All of the budget is used.
func TestBudgetProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const guess = 50
		allowed := rapid.IntRange(1, 3000).Draw(rt, "allowed")
		calls := rapid.SliceOfN(rapid.IntRange(0, 100), 1, 80).Draw(rt, "outputs")
		excess := 0
		for _, out := range calls {
			excess = max(excess, out)
		}
		synctest.Test(t, func(t *testing.T) {
			b := &limit.Budget{Tokens: allowed, USD: float64(allowed), OutputGuess: guess}
			var mu sync.Mutex
			flying, over := 0, 0 // over is the largest possible excess over the estimates
			var all sync.WaitGroup
			for i, out := range calls {
				m := budgeted(t, b, fake(func(ctx context.Context, req model.Request) (model.Response, error) {
					mu.Lock()
					flying++
					over = max(over, flying*max(0, excess-guess))
					mu.Unlock()
					resp, err := slow(time.Duration(i%7)*time.Second, used(1, out)).Complete(ctx, req)
					mu.Lock()
					flying--
					mu.Unlock()
					return resp, err
				}))
				all.Go(func() { _, _ = m.Complete(t.Context(), text(1)) })
			}
			all.Wait()
			demand := 0
			for _, out := range calls {
				demand += 1 + out
			}
			spent := b.Spent()
			if spent.Tokens > allowed+over+1+excess || spent.Tokens < min(allowed, demand) || spent.USD != float64(spent.Tokens) {
				rt.Errorf("%+v of %d, demanded %d; at most %d over the estimates", spent, allowed, demand, over)
			}
		})
	})
}
