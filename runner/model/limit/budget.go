package limit

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/seed-5817661a/concur/runner/model"
)

// Spend is what calls have cost.
type Spend struct {
	USD    float64
	Tokens int // input and output
}

func (s Spend) plus(t Spend) Spend  { return Spend{s.USD + t.USD, s.Tokens + t.Tokens} }
func (s Spend) minus(t Spend) Spend { return Spend{s.USD - t.USD, s.Tokens - t.Tokens} }

// Budget ends a run when its money or its tokens are spent: every further call fails with
// kind budget and a *SpentError.
//
// A call reserves what it is estimated to cost. What would not fit beside the calls in
// flight waits until they are paid, and the last call before the end goes alone. So the
// budget is overshot at most by the cost of that call, and by as much as the calls in
// flight exceed their estimates. Failed calls cost nothing that is known, and a reply
// without a usage costs its estimate.
type Budget struct {
	USD         float64 // 0 is no limit
	Tokens      int     // input and output; 0 is no limit
	Earlier     Spend   // what earlier sessions of the run spent
	OutputGuess int     // tokens of a reply; default DefaultOutputGuess
	// OnSpent, where set, is told once, before the first call fails with a *SpentError: what
	// it cancels is cancelled by then.
	OnSpent func(*SpentError)

	mu       sync.Mutex
	spent    Spend // in this session
	reserved Spend
	flying   int           // calls with a reservation
	changed  chan struct{} // closed when a call is paid; nil while nobody waits
	telling  sync.Once
}

// SpentError is why a budget allows no further call.
type SpentError struct {
	Spent   Spend
	Allowed Spend // 0 is no limit
}

func (e *SpentError) Error() string {
	if e.Allowed.USD > 0 && e.Spent.USD >= e.Allowed.USD {
		return fmt.Sprintf("the budget is spent: $%.4f of limits.usd %.2f; raise it and resume the run", e.Spent.USD, e.Allowed.USD)
	}
	return fmt.Sprintf("the budget is spent: %d tokens of limits.tokens %d; raise it and resume the run", e.Spent.Tokens, e.Allowed.Tokens)
}

// Spent is what the run has cost so far, earlier sessions included.
func (b *Budget) Spent() Spend {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Earlier.plus(b.spent)
}

// Wrap puts a model under the budget. price is what a usage costs in USD; nil is unknown,
// an error where the budget is in USD. name is provider:model, as errors name it.
func (b *Budget) Wrap(name string, m model.Model, price func(model.Usage) float64) (model.Model, error) {
	if price == nil {
		if b.USD > 0 {
			return nil, fmt.Errorf("limit %s: limits.usd is set, but the price of the model is not known; add it to a price file, or set limits.tokens instead", name)
		}
		price = func(model.Usage) float64 { return 0 }
	}
	cost := func(u model.Usage) Spend { return Spend{USD: positive(price(u)), Tokens: total(u)} }
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		estimated := estimate(req, b.OutputGuess)
		held := cost(estimated)
		if err := b.reserve(ctx, name, held); err != nil {
			return model.Response{}, err
		}
		var paid Spend
		defer func() { b.settle(held, paid) }() // also where the model panics
		resp, err := m.Complete(ctx, req)
		if err == nil {
			paid = cost(actual(resp.Usage, estimated))
		}
		return resp, err
	}), nil
}

// positive keeps a price from giving money back.
func positive(usd float64) float64 {
	if math.IsNaN(usd) || usd < 0 {
		return 0
	}
	return usd
}

// reserve waits until a call may go. Its error is a *model.Error.
func (b *Budget) reserve(ctx context.Context, name string, held Spend) error {
	for {
		changed, spent := b.try(held)
		switch {
		case spent != nil:
			b.telling.Do(func() {
				if b.OnSpent != nil {
					b.OnSpent(spent)
				}
			})
			return &model.Error{Kind: model.ErrBudget, Model: name, Err: spent}
		case changed == nil:
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return waited(ctx, name, "the budget", context.Cause(ctx))
		}
	}
}

// try reserves where it may. Else it gives what is spent, or what to wait for.
func (b *Budget) try(held Spend) (changed chan struct{}, spent *SpentError) {
	b.mu.Lock()
	defer b.mu.Unlock()
	allowed := Spend{b.USD, b.Tokens}
	so := b.Earlier.plus(b.spent)
	if reaches(so, allowed) {
		return nil, &SpentError{Spent: so, Allowed: allowed}
	}
	if b.flying > 0 && exceeds(so.plus(b.reserved).plus(held), allowed) {
		if b.changed == nil {
			b.changed = make(chan struct{})
		}
		return b.changed, nil
	}
	b.reserved = b.reserved.plus(held)
	b.flying++
	return nil, nil
}

// settle turns a reservation into what was paid.
func (b *Budget) settle(held, paid Spend) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved = b.reserved.minus(held)
	b.spent = b.spent.plus(paid)
	if b.flying--; b.flying == 0 {
		b.reserved = Spend{} // without what rounding left
	}
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

func reaches(s, allowed Spend) bool {
	return allowed.USD > 0 && s.USD >= allowed.USD || allowed.Tokens > 0 && s.Tokens >= allowed.Tokens
}

func exceeds(s, allowed Spend) bool {
	return allowed.USD > 0 && s.USD > allowed.USD || allowed.Tokens > 0 && s.Tokens > allowed.Tokens
}
