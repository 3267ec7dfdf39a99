package limit

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/model"
)

// Spend is the cost of calls, in USD and in tokens.
type Spend struct {
	USD    float64
	Tokens int // input and output
}

// Plus returns the sum of two costs.
func (s Spend) Plus(t Spend) Spend { return Spend{s.USD + t.USD, s.Tokens + t.Tokens} }

// Budget ends a run when its money or tokens are spent: every later call fails with kind budget and a
// *SpentError.
//
// Before a call is sent, its estimated cost is reserved. If that does not fit together with the running
// calls, the call waits for them; so the last call before the end runs alone. The budget can be exceeded only
// by the cost of that call, and by errors of the estimates. A failed call counts as free. A reply without a
// usage costs its estimate.
type Budget struct {
	USD         float64 // 0 means no limit
	Tokens      int     // input and output; 0 means no limit
	Earlier     Spend   // cost of the run's earlier sessions
	OutputGuess int     // estimated tokens of a reply; default DefaultOutputGuess
	// OnSpent, if set, is called once, before the first call fails with a *SpentError.
	OnSpent func(*SpentError)

	mu       sync.Mutex
	spent    Spend // cost in this session
	reserved Spend
	inFlight int           // number of calls with a reservation
	changed  chan struct{} // closed when a running call ends; nil if no call waits
	report   sync.Once
}

// SpentError is the error of a call for which the budget is not enough.
type SpentError struct {
	Spent   Spend
	Allowed Spend // 0 means no limit
}

func (e *SpentError) Error() string {
	if e.Allowed.USD > 0 && e.Spent.USD >= e.Allowed.USD {
		return fmt.Sprintf("the budget is spent: $%.4f of limits.usd %.2f", e.Spent.USD, e.Allowed.USD)
	}
	return fmt.Sprintf("the budget is spent: %d tokens of limits.tokens %d", e.Spent.Tokens, e.Allowed.Tokens)
}

// Spent returns the cost of the run so far, including earlier sessions.
func (b *Budget) Spent() Spend {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Earlier.Plus(b.spent)
}

// Wrap returns a model whose calls count against the budget. It returns an error if the budget needs a price
// and the model's price is unknown.
func (b *Budget) Wrap(name string, m model.Model, price func(model.Usage) float64) (model.Model, error) {
	if price == nil {
		if b.USD > 0 {
			return nil, fmt.Errorf("limit %s: limits.usd needs the price of %q, which is not known: set `prices: FILE` (see "+
				"docs/models.md), or limits.tokens in place of it", name, nameOnly(name))
		}
		price = func(model.Usage) float64 { return 0 }
	}
	cost := func(u model.Usage) Spend { return Spend{USD: price(u), Tokens: total(u)} }
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		estimated := estimate(req, b.OutputGuess)
		reservation, err := b.reserve(ctx, name, func() Spend { return cost(estimated) })
		if err != nil {
			return model.Response{}, err
		}
		var paid Spend
		defer func() { b.settle(reservation, paid) }() // also after a panic of the model
		resp, err := m.Complete(ctx, req)
		if err == nil {
			paid = cost(actual(resp.Usage, estimated))
		}
		return resp, err
	}), nil
}

// reserve waits until a call may be sent, and reserves its cost, which it returns. Its error is a *model.Error.
func (b *Budget) reserve(ctx context.Context, name string, cost func() Spend) (Spend, error) {
	for {
		reservation := cost()
		changed, spent := b.try(reservation)
		switch {
		case spent != nil:
			return Spend{}, b.fail(name, spent)
		case changed == nil:
			return reservation, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Spend{}, waitError(ctx, name, "the budget")
		}
	}
}

// Reserve waits until the budget has room for work that another process does, beside all work in flight. The real cost
// is added with Charge; release must be called after that. estimate is asked again and again while Reserve waits, for
// the cost of the most expensive work so far, and how much work it knows of. The first work runs alone. When n are
// known, at most 2n are in flight: the first ones may happen to be cheap. The error is a *model.Error.
func (b *Budget) Reserve(ctx context.Context, name string, estimate func() (most Spend, known int)) (release func(),
	err error) {
	reservation, err := b.reserve(ctx, name, func() Spend {
		most, known := estimate()
		if known == 0 {
			return Spend{b.USD, b.Tokens}
		}
		return Spend{max(most.USD, b.USD/float64(2*known)), max(most.Tokens, b.Tokens/(2*known))}
	})
	if err != nil {
		return nil, err
	}
	return func() { b.settle(reservation, Spend{}) }, nil
}

// fail calls OnSpent the first time, and returns the error of a call that the budget does not allow.
func (b *Budget) fail(name string, spent *SpentError) error {
	b.report.Do(func() {
		if b.OnSpent != nil {
			b.OnSpent(spent)
		}
	})
	return &model.Error{Kind: model.ErrBudget, Model: name, Err: spent}
}

// Charge adds the known cost of calls that were not made through Wrap.
func (b *Budget) Charge(cost Spend) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = b.spent.Plus(cost)
}

// Left returns an error if the budget is spent, and nil otherwise. It is for work whose cost is added with
// Charge.
func (b *Budget) Left(name string) error {
	b.mu.Lock()
	spent := b.over()
	b.mu.Unlock()
	if spent != nil {
		return b.fail(name, spent)
	}
	return nil
}

// over returns the error of a spent budget; nil if some of it is left.
func (b *Budget) over() *SpentError {
	s := SpentError{Spent: b.Earlier.Plus(b.spent), Allowed: Spend{b.USD, b.Tokens}}
	if b.USD > 0 && s.Spent.USD >= b.USD || b.Tokens > 0 && s.Spent.Tokens >= b.Tokens {
		return &s
	}
	return nil
}

// try reserves a cost if it fits. Otherwise it returns the error of the spent budget, or a channel that is
// closed when the caller should try again.
func (b *Budget) try(cost Spend) (changed chan struct{}, spent *SpentError) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if spent := b.over(); spent != nil {
		return nil, spent
	}
	sum := b.Earlier.Plus(b.spent).Plus(b.reserved).Plus(cost)
	if b.inFlight > 0 && (b.USD > 0 && sum.USD > b.USD || b.Tokens > 0 && sum.Tokens > b.Tokens) {
		if b.changed == nil {
			b.changed = make(chan struct{})
		}
		return b.changed, nil
	}
	b.reserved = b.reserved.Plus(cost)
	b.inFlight++
	return nil, nil
}

// settle replaces a reservation by the real cost.
func (b *Budget) settle(reservation, paid Spend) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved = Spend{b.reserved.USD - reservation.USD, b.reserved.Tokens - reservation.Tokens}
	b.spent = b.spent.Plus(paid)
	if b.inFlight--; b.inFlight == 0 {
		b.reserved = Spend{} // remove rounding errors
	}
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// nameOnly returns a model's name without its options, in the form of price files.
func nameOnly(name string) string {
	name, _, _ = strings.Cut(name, "?")
	return name
}
