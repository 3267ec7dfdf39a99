package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gopkg.in/yaml.v3"

	closed "github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/anthropic"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
	lapsing "github.com/seed-5817661a/concur/runner/model/lapse"
	"github.com/seed-5817661a/concur/runner/model/limit"
	"github.com/seed-5817661a/concur/runner/model/offline"
	"github.com/seed-5817661a/concur/runner/model/openai"
	"github.com/seed-5817661a/concur/runner/model/price"
	"github.com/seed-5817661a/concur/runner/store"
)

// offlineProvider needs neither key nor network; all others are endpoints.
const offlineProvider = "offline"

// modelSpec is provider:model[?option=value], taken apart.
type modelSpec struct {
	text           string // as written
	provider, name string
	options        url.Values
}

func parseModel(text string) (modelSpec, error) {
	provider, rest, _ := strings.Cut(text, ":")
	name, query, _ := strings.Cut(rest, "?")
	options, err := url.ParseQuery(query)
	if err != nil {
		return modelSpec{}, fmt.Errorf("model %q: read options: %w", text, err)
	}
	return modelSpec{text, provider, name, options}, nil
}

// duration takes an option out of the list.
func (s modelSpec) duration(key string) (time.Duration, error) {
	text := s.options.Get(key)
	s.options.Del(key)
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%s %q is no duration such as 90s", key, text)
	}
	return d, nil
}

func (s modelSpec) number(key string) (int, error) {
	text := s.options.Get(key)
	s.options.Del(key)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s %q is no number above 0", key, text)
	}
	return n, nil
}

// probability takes an option from 0 to 1.
func (s modelSpec) probability(key string) (float64, error) {
	text := s.options.Get(key)
	s.options.Del(key)
	if text == "" {
		return 0, nil
	}
	p, err := strconv.ParseFloat(text, 64)
	if err != nil || !(p >= 0 && p <= 1) {
		return 0, fmt.Errorf("%s %q is no probability from 0 to 1", key, text)
	}
	return p, nil
}

// flag takes an option that is true or false.
func (s modelSpec) flag(key string) (bool, error) {
	text := s.options.Get(key)
	s.options.Del(key)
	if text == "" {
		return false, nil
	}
	on, err := strconv.ParseBool(text)
	if err != nil {
		return false, fmt.Errorf("%s %q is neither true nor false", key, text)
	}
	return on, nil
}

// none refuses options that nobody has taken.
func (s modelSpec) none(known ...string) error {
	for key := range s.options {
		return fmt.Errorf("there is no option %q; known: %s", key, strings.Join(known, ", "))
	}
	return nil
}

// endpoint finds the endpoint of a provider: a configuration's own, over a preset of its
// name where there is one.
func endpoint(providers map[string]endpoints.Endpoint, name string) (endpoints.Endpoint, error) {
	preset, known := endpoints.Lookup(name)
	own, configured := providers[name]
	switch {
	case configured:
		own.Name = name
		return own.Over(preset), nil
	case known:
		return preset, nil
	}
	names := slices.Concat([]string{offlineProvider}, endpoints.Names(), slices.Sorted(maps.Keys(providers)))
	return endpoints.Endpoint{}, fmt.Errorf("there is no provider %q; known: %s; others go under providers in concur.yaml", name, strings.Join(slices.Compact(names), ", "))
}

// openModel opens a model as it is, without limits.
func openModel(text string, providers map[string]endpoints.Endpoint) (model.Model, error) {
	s, err := parseModel(text)
	if err != nil {
		return nil, err
	}
	var m model.Model
	if s.provider == offlineProvider {
		m, err = openOffline(s)
	} else {
		m, err = openEndpoint(s, providers)
	}
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", text, err)
	}
	return m, nil
}

func openOffline(s modelSpec) (model.Model, error) {
	latency, err := s.duration("latency")
	if err != nil {
		return nil, err
	}
	lapse, err := s.probability("lapse")
	if err != nil {
		return nil, err
	}
	if err := s.none("latency", "lapse"); err != nil {
		return nil, err
	}
	m, err := offline.New(s.name, offline.Options{Latency: latency})
	if lapse > 0 && err == nil {
		m = lapsing.Model{Inner: m, Rate: lapse}
	}
	return m, err
}

// openEndpoint takes key and address from the environment, by the names that the
// endpoint's own clients use.
func openEndpoint(s modelSpec, providers map[string]endpoints.Endpoint) (model.Model, error) {
	e, err := endpoint(providers, s.provider)
	if err != nil {
		return nil, err
	}
	e, key, err := e.Resolve(os.Getenv)
	if err != nil {
		return nil, err
	}
	timeout, timeoutErr := s.duration("timeout")
	maxTokens, maxErr := s.number("max_tokens")
	if err := errors.Join(timeoutErr, maxErr); err != nil {
		return nil, err
	}
	if e.Kind == endpoints.Anthropic {
		return openAnthropic(s, e, anthropic.Options{BaseURL: e.BaseURL, APIKey: key, Model: s.name, Timeout: timeout, MaxTokens: maxTokens})
	}
	if err := s.none("timeout", "max_tokens"); err != nil {
		return nil, err
	}
	m, err := openai.New(openai.Options{Endpoint: e, APIKey: key, Model: s.name, Timeout: timeout, MaxTokens: maxTokens})
	if err != nil {
		return nil, err
	}
	return m, nil
}

func openAnthropic(s modelSpec, e endpoints.Endpoint, o anthropic.Options) (model.Model, error) {
	forced, err := s.flag("no_forced_tool")
	if err != nil {
		return nil, err
	}
	e = e.For(s.name)
	o.NoForcedTool = forced || slices.Contains(e.Omit, endpoints.ToolChoice)
	o.NoTemperature = slices.Contains(e.Omit, endpoints.Temperature)
	if thinking, ok := e.ExtraBody["thinking"]; ok {
		if o.Thinking, err = json.Marshal(thinking); err != nil {
			return nil, fmt.Errorf("extra_body.thinking: %w", err)
		}
	}
	if err := s.none("timeout", "max_tokens", "no_forced_tool"); err != nil {
		return nil, err
	}
	m, err := anthropic.New(o)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// modelIdentity is what stands behind a model's name: the version of the offline model's
// rules, or an endpoint's address and settings. None may change without the agent's hash.
func modelIdentity(text string, providers map[string]endpoints.Endpoint) string {
	s, err := parseModel(text)
	switch {
	case err == nil && s.provider == offlineProvider && s.options.Has("lapse"):
		return offline.Version + " " + lapsing.Version
	case err != nil || s.provider == offlineProvider:
		return offline.Version
	}
	e, err := endpoint(providers, s.provider)
	if err != nil {
		return s.provider // openModel says that there is none
	}
	if resolved, _, err := e.Resolve(os.Getenv); err == nil {
		e = resolved
	}
	e = e.For(s.name)
	raw, err := yaml.Marshal(e)
	if err != nil {
		return e.BaseURL
	}
	sum := sha256.Sum256(raw)
	return e.BaseURL + " " + hex.EncodeToString(sum[:4])
}

// reasons reports whether a model is known to reason before it replies.
func reasons(text string, providers map[string]endpoints.Endpoint) bool {
	s, err := parseModel(text)
	if err != nil {
		return false
	}
	e, err := endpoint(providers, s.provider)
	return err == nil && e.For(s.name).Reasons()
}

// models opens the models of one run: those of one endpoint share its limits, all of them
// the run's budget.
type models struct {
	conf   config.Configuration
	prices *price.Table
	own    *price.Table // those of the price file alone; nil where there is no file
	budget *limit.Budget
	shared map[string]limit.Endpoint // by address and key's variable
	opened map[string]model.Model    // by spec

	replay *replaying   // answers instead of the models; nil where they are asked
	onText func(string) // told what models say as they say it; nil is nobody

	// stop ends the run, with the reason why it cannot go on.
	stop context.CancelCauseFunc

	mu  sync.Mutex
	say func(string) // into the run's log, once there is one
}

// newModels makes the budget; earlier sessions' spending is added to it by spent.
func newModels(conf config.Configuration, stop context.CancelCauseFunc) (*models, error) {
	m := &models{conf: conf, stop: stop, shared: map[string]limit.Endpoint{}, opened: map[string]model.Model{}, say: func(string) {}}
	var err error
	if m.prices, err = price.Builtin(); err != nil {
		return nil, err
	}
	if conf.Prices != "" {
		if m.prices, err = m.prices.Load(conf.Prices); err != nil {
			return nil, err
		}
		if m.own, err = (&price.Table{}).Load(conf.Prices); err != nil {
			return nil, err
		}
	}
	if l := conf.Limits; l.USD > 0 || l.Tokens > 0 {
		m.budget = &limit.Budget{USD: l.USD, Tokens: l.Tokens, OnSpent: func(e *limit.SpentError) { m.stop(e) }}
	}
	return m, nil
}

// open opens a model behind its limits.
func (m *models) open(text string) (model.Model, error) {
	if opened, ok := m.opened[text]; ok {
		return opened, nil
	}
	if m.replay != nil {
		return m.openReplayed(text)
	}
	return m.openReal(text)
}

// openReplayed opens the model itself only where it may have to answer.
func (m *models) openReplayed(text string) (model.Model, error) {
	var missing, judge model.Model
	rules := m.replay.regrade && isOffline(text) // which need neither network nor money
	if m.replay.missing || rules {
		asked, err := m.openReal(text)
		if err != nil {
			return nil, err
		}
		if rules {
			judge = asked
		}
		if m.replay.missing {
			missing = asked
		}
	}
	opened := m.replay.model(text, missing, judge, m.stop)
	m.opened[text] = opened
	return opened, nil
}

func (m *models) openReal(text string) (model.Model, error) {
	inner, err := openModel(text, m.conf.Providers)
	if err != nil {
		return nil, err
	}
	if m.onText != nil {
		inner = model.Watch(inner, m.onText)
	}
	o := limit.Options{Name: text, Budget: m.budget}
	if cost, known := m.costs(text); known {
		o.Price = cost
	}
	wrapped := inner
	switch {
	case !isOffline(text):
		o.Endpoint = m.endpointLimits(text)
		o.Retry = limit.Retry{Tries: m.conf.Limits.Tries, Total: m.conf.Limits.Patience, OnRetry: m.retried}
		wrapped, err = limit.Wrap(inner, o)
	case m.budget != nil: // nothing to retry or to spare there
		wrapped, err = m.budget.Wrap(text, inner, o.Price)
	}
	if err != nil {
		return nil, err
	}
	if !isOffline(text) {
		wrapped = &closed.ReasoningRoom{Model: wrapped, Known: reasons(text, m.conf.Providers)}
	}
	m.opened[text] = wrapped
	return wrapped, nil
}

// costs gives the price of a model. At an address that is not the provider's own, only a
// price file knows it.
func (m *models) costs(text string) (func(model.Usage) float64, bool) {
	if text == config.SameModel {
		text = m.conf.Model
	}
	s, err := parseModel(text)
	if err != nil {
		return nil, false
	}
	prices := m.prices
	preset, known := endpoints.Lookup(s.provider)
	if own, err := endpoint(m.conf.Providers, s.provider); known && err == nil {
		if resolved, _, err := own.Resolve(os.Getenv); err == nil && resolved.BaseURL != preset.BaseURL {
			prices = m.own
		}
	}
	if prices == nil {
		return nil, false
	}
	p, ok := prices.Price(s.provider, s.name)
	return p.Cost, ok
}

// price is what a usage of a model costs, for records.
func (m *models) price(text string, u model.Usage) (usd float64, known bool) {
	cost, known := m.costs(text)
	if !known {
		return 0, false
	}
	return cost(u), true
}

// logTo says where to tell of retries and of changes of pace.
func (m *models) logTo(say func(string)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.say = say
}

func (m *models) log(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.say(text)
}

func (m *models) retried(a limit.Again) {
	m.log(fmt.Sprintf("retry  %s/%d  attempt %d failed, the next in %s: %v", a.Request.Query, a.Request.Trace, a.Attempt, a.Wait.Round(time.Millisecond), a.Err))
}

// spent counts what earlier sessions of a run have cost against its budget.
func (m *models) spent(run *store.Run) error {
	if m.budget == nil {
		return nil
	}
	return run.Calls(func(text string, u model.Usage) {
		m.budget.Earlier.Tokens += u.InputTokens + u.OutputTokens
		if usd, known := m.price(text, u); known {
			m.budget.Earlier.USD += usd
		}
	})
}
