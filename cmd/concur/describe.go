package main

import (
	"slices"

	"github.com/seed-5817661a/concur/runner/config"
)

// planned is what --dry-run shows. Calls and tokens depend on what the models do, so that
// only bounds and a guess can be told before.
type planned struct {
	Schema   string `json:"schema"`
	Ablation string `json:"ablation"` // "" for a single run
	Baseline string `json:"baseline"`
	Dataset  string `json:"dataset"`
	Queries  int    `json:"queries"`
	// Of the first configuration, the only one of a single run.
	K           int      `json:"k"`
	Model       string   `json:"model"`
	Tools       []string `json:"tools"`
	Verifier    string   `json:"verifier"`
	Correctness string   `json:"correctness"`
	Quality     string   `json:"quality"`

	Seed           *int64       `json:"seed"` // null where it will be drawn
	Traces         int          `json:"traces"`
	MaxModelCalls  int          `json:"max_model_calls"`
	MaxToolCalls   *int         `json:"max_tool_calls"` // null where a configuration has no bound
	Guess          *plannedCost `json:"guess"`          // null for a replay, which asks nobody
	Configurations []plannedRow `json:"configurations"`
}

// plannedCost is what the agent alone may take, by a guess at each trace's turns.
type plannedCost struct {
	TurnsPerTrace int      `json:"turns_per_trace"` // at most
	Tokens        int      `json:"tokens"`
	USD           *float64 `json:"usd"`      // of the models that have a price; null where none has
	Unpriced      []string `json:"unpriced"` // models whose price is not known
}

// plannedRow is one configuration of it. Settings without effect are not shown: cot and
// direct have no tools, and one trace needs no verifier.
type plannedRow struct {
	Name     string   `json:"name"`
	Note     string   `json:"note"`
	K        int      `json:"k"`
	Model    string   `json:"model"`
	Strategy string   `json:"strategy"`
	Protocol string   `json:"protocol"`
	Tools    []string `json:"tools"`
	Guards   []string `json:"guards"`
	Without  []string `json:"without"` // guards that were taken away
	// Traces are those that are still to be run for it. One that has none is Done, or
	// shares another's.
	Traces        int  `json:"traces"`
	Done          bool `json:"done"`
	MaxModelCalls int  `json:"max_model_calls"` // by the agent
	MaxToolCalls  *int `json:"max_tool_calls"`  // null without a bound
	// Models that are asked about a query once its traces are there; "" is none. The
	// verifier is asked twice at most for each pair of different answers.
	Verifier    string `json:"verifier"`
	Correctness string `json:"correctness"`
	Quality     string `json:"quality"`
}

// knowsProviders refuses a model of a provider that nobody knows, as the run would.
func (p *runPlan) knowsProviders() error {
	if p.replay != nil {
		return nil
	}
	for _, a := range p.Arms {
		if err := p.assembler.CheckProviders(a.Configuration); err != nil {
			return usagef("%w", err)
		}
	}
	return nil
}

// describe shows what a run would do.
func (p *runPlan) describe(o *output) error {
	if !slices.Contains(plainFormats(), o.format) {
		return usagef("--dry-run shows a plan, and --format %s is a form of results: give --format table or json, or leave it out", o.format)
	}
	if err := p.identify(); err != nil {
		return err
	}
	if err := p.knowsProviders(); err != nil {
		return err
	}
	out := planned{
		Schema: "concur/plan/v1", Ablation: p.ablation, Baseline: p.baseline,
		Dataset: p.Dataset.Name, Queries: len(p.Dataset.Queries), Seed: p.given, MaxToolCalls: new(int),
	}
	missing := make([][]int, len(p.Dataset.Queries)) // traces by query and configuration
	for j, q := range p.Dataset.Queries {
		missing[j] = p.Missing(p.prior, q.ID)
	}
	for i := range p.Arms {
		row := p.plannedRow(i, missing)
		out.Configurations = append(out.Configurations, row)
		out.Traces += row.Traces
		out.MaxModelCalls += row.MaxModelCalls
		out.MaxToolCalls = sum(out.MaxToolCalls, row.MaxToolCalls)
	}
	first := out.Configurations[0]
	out.K, out.Model, out.Tools = first.K, first.Model, first.Tools
	out.Verifier, out.Correctness, out.Quality = first.Verifier, first.Correctness, first.Quality
	if p.replay == nil {
		g, err := p.estimate()
		if err != nil {
			return usagef("%w", err)
		}
		out.Guess = &plannedCost{TurnsPerTrace: guessedTurns, Tokens: g.tokens, USD: g.usd, Unpriced: slices.Concat([]string{}, g.unpriced)}
	}
	return o.plan(out)
}

// plannedRow is what the i-th configuration would do.
func (p *runPlan) plannedRow(i int, missing [][]int) plannedRow {
	c := p.Arms[i].Configuration
	e := c.Effective()
	row := plannedRow{
		Name: c.Name, K: c.K, Model: c.Model, Strategy: c.Agent.Strategy, Protocol: c.Agent.Protocol, Tools: e.Agent.Tools, Guards: e.Agent.Guards,
		Without: []string{}, Done: true, Correctness: c.Judge.Correctness, Quality: c.Judge.Quality,
	}
	if e.VerifierModel() != "" {
		row.Verifier = c.Verifier.Model
	}
	for _, g := range config.Guards() {
		if !c.Agent.HasGuard(g) {
			row.Without = append(row.Without, "guard."+g)
		}
	}
	if p.notes != nil {
		row.Note = p.notes[i]
	}
	bound := new(int)
	for j, q := range p.Dataset.Queries {
		traces := missing[j][i]
		models, tools := mostCalls(c, q.MaxSteps)
		row.Traces += traces
		row.MaxModelCalls += models * traces
		*bound += tools * traces
		row.Done = row.Done && p.prior.Decided(c.Name, q.ID)
	}
	if e.Agent.MaxSteps == 0 || c.Agent.HasGuard(config.GuardCalls) {
		row.MaxToolCalls = bound
	}
	return row
}

// mostCalls bounds what a trace asks of the agent's model and of tools. A strategy without
// a bound on its turns takes one, and no tool; where a final message lacks its answer line,
// each takes one more. steps are those that the query allows; 0
// leaves them to the configuration.
func mostCalls(c config.Configuration, steps int) (models, tools int) {
	a := c.Effective().Agent
	if a.MaxSteps == 0 {
		return 2, 0
	}
	models = a.MaxSteps + 1
	if steps > 0 && !a.FixedSteps {
		models = steps + 1
	}
	if a.OnLimit != config.OnLimitStop {
		models++ // the answer that a limit forces
	}
	return models, a.MaxToolCalls
}

// sum is nil where either is without a bound.
func sum(a, b *int) *int {
	if a == nil || b == nil {
		return nil
	}
	s := *a + *b
	return &s
}

// identify tells the agents of a plan that was not opened apart, so that it can be said
// which share their traces. What it makes of their names is no agent hash.
func (p *runPlan) identify() error {
	for i := range p.Arms {
		a := &p.Arms[i]
		if a.AgentHash != "" {
			continue
		}
		var err error
		if a.AgentHash, err = a.Configuration.AgentHash(map[string]string{"corpus": a.Configuration.Search.Corpus}); err != nil {
			return err
		}
	}
	return nil
}
