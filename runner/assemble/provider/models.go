package provider

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/seed-5817661a/concur/model"
	closed "github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/model/price"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Models has the models of one run. All models of an endpoint have common limits, and all models of the run
// have one budget.
type Models struct {
	*Prices
	options Options
	budget  *limit.Budget
	shared  map[string]limit.Endpoint // by provider and address
	bySpec  map[string]model.Model    // the open models
	// stop ends the run with the reason why it cannot continue.
	stop context.CancelCauseFunc

	say, warning atomic.Pointer[func(string)] // functions for the run's log and for the user; nil until the log is open
}

// Options describe how the models of a run are opened. The zero value opens them without a recording.
type Options struct {
	// Replay returns a replayed model; nil if models are really called. limited opens the real model.
	Replay func(text string, limited func(string) (model.Model, error)) (model.Model, error)
	// OnText is called with the text of models as the text arrives. It may be nil.
	OnText func(string)
	// Permit waits until a request with this number of tokens may be sent to an endpoint. It takes the place of
	// limits.rpm and limits.tpm if several processes share them. It may be nil.
	Permit func(ctx context.Context, endpoint string, tokens int) error
}

// NewModels returns the models of a run. None of them is open. stop ends the run with the reason why it cannot
// continue.
func NewModels(prices *Prices, o Options, stop context.CancelCauseFunc) *Models {
	m := &Models{Prices: prices, options: o, stop: stop, shared: map[string]limit.Endpoint{},
		bySpec: map[string]model.Model{}}
	if l := prices.conf.Limits; l.USD > 0 || l.Tokens > 0 {
		m.budget = &limit.Budget{USD: l.USD, Tokens: l.Tokens, OnSpent: func(e *limit.SpentError) { stop(e) }}
	}
	return m
}

// Open opens a model with its limits, or a replayed one.
func (m *Models) Open(text string) (model.Model, error) {
	if opened, is := m.bySpec[text]; is {
		return opened, nil
	}
	opened, err := m.openBy(text, m.openLimited)
	if err == nil {
		m.bySpec[text] = opened
	}
	return opened, err
}

// openBy opens a model with the function limited, or returns a replayed model.
func (m *Models) openBy(text string, limited func(string) (model.Model, error)) (model.Model, error) {
	if m.options.Replay != nil {
		return m.options.Replay(text, limited)
	}
	return limited(text)
}

func (m *Models) openLimited(text string) (model.Model, error) {
	inner, err := m.opener.Model(text, m.conf.Providers)
	if err != nil {
		return nil, err
	}
	if m.options.OnText != nil {
		inner = model.Watch(inner, m.options.OnText)
	}
	cost := m.charged(text)
	if config.IsOffline(text) { // the offline model needs no retries and no limits
		if m.budget == nil {
			return inner, nil
		}
		return m.budget.Wrap(text, inner, cost)
	}
	wrapped, err := m.limited(text, inner)
	if err != nil {
		return nil, err
	}
	return &closed.ReasoningRoom{Model: wrapped, Known: m.opener.reasons(text, m.conf.Providers)}, nil
}

// limited wraps a model of an endpoint with its limits.
func (m *Models) limited(text string, inner model.Model) (model.Model, error) {
	return limit.Wrap(inner, limit.Options{
		Name: text, Budget: m.budget, Price: m.charged(text), Endpoint: m.endpointLimits(text),
		Retry: limit.Retry{Tries: m.conf.Limits.Tries, Total: m.conf.Limits.Patience, OnRetry: m.retried},
	})
}

// LogTo sets the functions that get messages during a run. say gets messages about retries and changes of pace;
// warn gets warnings for the user. Both are called from several goroutines.
func (m *Models) LogTo(say, warn func(string)) {
	m.say.Store(&say)
	m.warning.Store(&warn)
}

// Warn shows a warning to the user; see LogTo.
func (m *Models) Warn(text string) {
	if warn := m.warning.Load(); warn != nil {
		(*warn)(text)
	}
}

// Log writes a message to the log of the run; see LogTo.
func (m *Models) Log(text string) {
	if say := m.say.Load(); say != nil {
		(*say)(text)
	}
}

func (m *Models) retried(a limit.Again) {
	m.Log(fmt.Sprintf("retry  %s/%d  attempt %d failed, the next in %s: %v", a.Request.Query, a.Request.Trace,
		a.Attempt, a.Wait.Round(time.Millisecond), a.Err))
}

// Spent adds the cost of a run's earlier sessions to its budget. These are the cost of model calls, and the
// cost of the usage that external agents without the proxy reported.
func (m *Models) Spent(run *store.Run) error {
	if m.budget == nil {
		return nil
	}
	count := func(text string, u model.Usage) { m.budget.Earlier = m.budget.Earlier.Plus(m.spend(text, u)) }
	if err := run.Calls(count); err != nil {
		return err
	}
	reporting := map[string]string{} // models of external agents without the proxy, by agent hash
	for _, c := range run.Manifest.Configurations {
		if e := c.Configuration.Agent.External; e.Used() && !e.Proxied() {
			reporting[c.Agent] = c.Model
		}
	}
	if len(reporting) == 0 {
		return nil
	}
	for e, err := range run.Events() {
		if err != nil {
			return err
		}
		end, ended := e.Body.(trace.Conclusion)
		// the usage of a conversation is that of its turns
		if text, reports := reporting[e.ID.Agent]; ended && reports && end.Turns == nil {
			count(text, end.Usage)
		}
	}
	return nil
}

// spend returns the cost of a usage. If the price is unknown, the result has only the tokens.
func (m *Models) spend(text string, u model.Usage) limit.Spend {
	usd, _ := m.Price(text, u)
	return limit.Spend{USD: usd, Tokens: u.InputTokens + u.OutputTokens}
}

// Charge adds the usage of a request that another process made to the budget of the run, and returns its cost. text is
// the model's name in the configuration.
func (m *Models) Charge(text string, u model.Usage) limit.Spend {
	cost := m.spend(text, u)
	if m.budget != nil {
		m.budget.Charge(cost)
		_ = m.budget.Left(text) // ends the run if the budget is spent
	}
	return cost
}

// Reserve waits until the budget of the run has room for a trace that another process makes, as limit.Budget.Reserve
// says. Without a budget it does not wait.
func (m *Models) Reserve(ctx context.Context, text string, estimate func() (limit.Spend, int)) (release func(),
	err error) {
	if m.budget == nil {
		return func() {}, nil
	}
	return m.budget.Reserve(ctx, text, estimate)
}

// Budgeted reports whether the run has a budget.
func (m *Models) Budgeted() bool { return m.budget != nil }

// Meter returns a meter that adds the usage that an agent reports to the budget. It computes the cost by the price of a
// model. The run must have a budget.
func (m *Models) Meter(text string) external.Meter { return meter{m, text} }

type meter struct {
	models *Models
	spec   string
}

func (m meter) Left() error { return m.models.budget.Left(m.spec) }

func (m meter) Charge(u model.Usage) { m.models.budget.Charge(m.models.spend(m.spec, u)) }

// Prices has the prices of a run's models.
type Prices struct {
	opener *Opener
	conf   config.Configuration
	table  *price.Table
	own    *price.Table // prices from the price file only; nil without a file
}

// Prices reads the built-in prices and the price file of a configuration.
func (o *Opener) Prices(conf config.Configuration) (*Prices, error) {
	p := &Prices{opener: o, conf: conf}
	var err error
	if p.table, err = price.Builtin(); err != nil || conf.Prices == "" {
		return p, err
	}
	if p.table, err = p.table.Load(conf.Prices); err != nil {
		return nil, err
	}
	p.own, err = (&price.Table{}).Load(conf.Prices)
	return p, err
}

// Price returns the price of a usage in USD. If the provider's address was changed, it uses only the price
// file, because the built-in prices are those of the usual address.
func (p *Prices) Price(text string, u model.Usage) (usd float64, known bool) {
	cost, known := p.cost(text)
	if !known {
		return 0, false
	}
	return cost(u), true
}

func (p *Prices) cost(text string) (func(model.Usage) float64, bool) {
	s, err := parseSpec(p.conf.ModelOf(text))
	if err != nil {
		return nil, false
	}
	table, tier := p.table, "" // the provider's default tier
	if e, known := endpointOf(p.conf.Providers, s.provider); known {
		tier, _ = e.For(s.name).ExtraBody["service_tier"].(string)
		preset, listed := endpoints.Lookup(s.provider)
		if resolved, _, err := e.Resolve(p.opener.environ); listed && err == nil && resolved.BaseURL != preset.BaseURL {
			table = p.own
		}
	}
	if table == nil {
		return nil, false
	}
	rate, ok := table.AtTier(s.provider, s.name, tier)
	return rate.Cost, ok
}

// AsOf returns the month in which the built-in prices were last checked.
func (p *Prices) AsOf() string { return p.table.AsOf() }

// charged returns the function that computes the cost of a usage for the budget. For models on this machine and
// models of ollama, the cost is 0. charged returns nil if the price is unknown.
func (p *Prices) charged(text string) func(model.Usage) float64 {
	if cost, known := p.cost(text); known {
		return cost
	}
	if s, err := parseSpec(text); err == nil && p.opener.free(text, s, p.conf.Providers) {
		return func(model.Usage) float64 { return 0 }
	}
	return nil
}
