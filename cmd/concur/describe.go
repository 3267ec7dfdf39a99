package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
)

// planned is what --dry-run shows. Calls and tokens depend on what the models do, so that
// only bounds can be told before.
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
	MaxToolCalls   int          `json:"max_tool_calls"`
	Configurations []plannedRow `json:"configurations"`
}

// plannedRow is one configuration of it.
type plannedRow struct {
	Name     string   `json:"name"`
	Note     string   `json:"note"`
	K        int      `json:"k"`
	Model    string   `json:"model"`
	Strategy string   `json:"strategy"`
	Protocol string   `json:"protocol"`
	Tools    []string `json:"tools"`
	Guards   []string `json:"guards"`
	// Traces are those that are still to be run for it; a row that shares another's has
	// none.
	Traces        int `json:"traces"`
	MaxModelCalls int `json:"max_model_calls"` // by the agent
	MaxToolCalls  int `json:"max_tool_calls"`
	// Models that are asked about a query once its traces are there; "" is none. The
	// verifier is asked twice at most for each pair of different answers.
	Verifier    string `json:"verifier"`
	Correctness string `json:"correctness"`
	Quality     string `json:"quality"`
}

// describe shows what a run would do.
func (p *runPlan) describe(o *output) error {
	if err := p.identify(); err != nil {
		return err
	}
	out := planned{
		Schema: "concur/plan/v1", Ablation: p.ablation, Baseline: p.baseline,
		Dataset: p.Dataset.Name, Queries: len(p.Dataset.Queries), Seed: p.given,
	}
	for i, a := range p.Arms {
		c := a.Configuration
		out.Configurations = append(out.Configurations, plannedRow{
			Name: c.Name, K: c.K, Model: c.Model, Strategy: c.Agent.Strategy, Protocol: c.Agent.Protocol, Tools: c.Agent.Tools, Guards: c.Agent.Guards,
			Verifier: verifierOf(c), Correctness: c.Judge.Correctness, Quality: c.Judge.Quality,
		})
		if p.notes != nil {
			out.Configurations[i].Note = p.notes[i]
		}
	}
	for _, q := range p.Dataset.Queries {
		for i, missing := range p.Missing(p.prior, q.ID) {
			c := p.Arms[i].Configuration.Agent
			turns := c.MaxSteps
			if q.MaxSteps > 0 && !c.FixedSteps {
				turns = q.MaxSteps
			}
			row := &out.Configurations[i]
			row.Traces += missing
			row.MaxModelCalls += (turns + 1) * missing // and the forced answer
			row.MaxToolCalls += missing * c.MaxToolCalls
		}
	}
	for _, row := range out.Configurations {
		out.Traces += row.Traces
		out.MaxModelCalls += row.MaxModelCalls
		out.MaxToolCalls += row.MaxToolCalls
	}
	first := out.Configurations[0]
	out.K, out.Model, out.Tools = first.K, first.Model, first.Tools
	out.Verifier, out.Correctness, out.Quality = first.Verifier, first.Correctness, first.Quality
	return o.plan(out)
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

// asked says who else is asked about a query.
func (r plannedRow) asked() string {
	parts := []string{}
	for _, a := range []struct{ model, what string }{
		{r.Verifier, "verifier %s, where answers differ"}, {r.Correctness, "correctness judge %s, once a query"}, {r.Quality, "quality judge %s, once a query"},
	} {
		if a.model != "" {
			parts = append(parts, fmt.Sprintf(a.what, a.model))
		}
	}
	if len(parts) == 0 {
		return "nobody: no verifier and no judge"
	}
	return strings.Join(parts, "; ")
}

func (o *output) plan(p planned) error {
	if o.format == formatJSON {
		raw, err := json.MarshalIndent(p, "", "  ")
		if err != nil {
			return err
		}
		o.Write(append(raw, '\n'))
		return nil
	}
	seed := "drawn when the run starts"
	if p.Seed != nil {
		seed = fmt.Sprint(*p.Seed)
	}
	only := p.Configurations[0]
	fmt.Fprintf(o, "dataset      %s, %d queries\n", p.Dataset, p.Queries)
	if p.Ablation == "" {
		fmt.Fprintf(o, "model        %s\ntools        %s\n", withKind(only.Model), strings.Join(only.Tools, ", "))
	} else {
		fmt.Fprintf(o, "ablation     %s, %d configurations; the baseline is %s\n", reports.Clean(p.Ablation), len(p.Configurations), reports.Clean(p.Baseline))
	}
	fmt.Fprintf(o, "seed         %s\n", seed)
	if p.Ablation == "" {
		fmt.Fprintf(o, "traces       %d (K=%d)\n", p.Traces, only.K)
	} else {
		fmt.Fprintf(o, "traces       %d\n", p.Traces)
	}
	fmt.Fprintf(o, "model calls  at most %d by the agent; what it does decides\n", p.MaxModelCalls)
	if p.Ablation == "" {
		fmt.Fprintf(o, "asked        %s\n", only.asked())
	}
	fmt.Fprintf(o, "tool calls   at most %d\ntokens       not known before the first run; a run's table has them\n", p.MaxToolCalls)
	if p.Ablation == "" {
		return nil
	}
	fmt.Fprintln(o)
	return reports.Plan(o, p.rows())
}

func (p planned) rows() []reports.PlanRow {
	out := make([]reports.PlanRow, len(p.Configurations))
	for i, r := range p.Configurations {
		without := []string{}
		for _, g := range config.Guards() {
			if !slices.Contains(r.Guards, g) {
				without = append(without, "guard."+g)
			}
		}
		out[i] = reports.PlanRow{
			Name: r.Name, Model: withKind(r.Model), K: r.K, Strategy: r.Strategy, Protocol: r.Protocol,
			Tools: r.Tools, Without: without, Traces: r.Traces, Note: r.Note,
		}
	}
	return out
}
