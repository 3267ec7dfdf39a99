package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
)

// asked says who else is asked about a query.
func (r plannedRow) asked() string {
	parts := []string{}
	for _, a := range []struct{ model, what string }{
		{r.Verifier, "verifier %s, where answers differ"}, {r.Correctness, "correctness judge %s, once a query"}, {r.Quality, "quality judge %s, once a query"},
	} {
		if a.model != "" && a.model != config.NoModel {
			parts = append(parts, fmt.Sprintf(a.what, a.model))
		}
	}
	return cmp.Or(strings.Join(parts, "; "), "nobody: no verifier and no judge")
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
	line := func(key, text string) { fmt.Fprintf(o, "%-12s %s\n", key, text) }
	line("dataset", fmt.Sprintf("%s, %s", p.Dataset, queryCount(p.Queries)))
	only := p.Configurations[0]
	traces := fmt.Sprint(p.Traces)
	if p.Ablation == "" {
		line("model", withKind(only.Model))
		line("tools", cmp.Or(strings.Join(only.Tools, ", "), "none"))
		traces += fmt.Sprintf(" (K=%d)", only.K)
	} else {
		line("ablation", fmt.Sprintf("%s, %d configurations; the baseline is %s", reports.Clean(p.Ablation), len(p.Configurations), reports.Clean(p.Baseline)))
	}
	seed := "drawn when the run starts"
	if p.Seed != nil {
		seed = fmt.Sprint(*p.Seed)
	}
	line("seed", seed)
	line("traces", traces)
	line("model calls", fmt.Sprintf("at most %d by the agent (upper bound)", p.MaxModelCalls))
	key := "asked"
	for _, text := range p.askedOf() {
		line(key, text)
		key = ""
	}
	line("tool calls", p.toolCalls())
	line("tokens", p.Guess.tokens())
	if cost := p.Guess.cost(); cost != "" {
		line("cost", cost)
	}
	return o.planRows(p)
}

// planRows is the table of an ablation.
func (o *output) planRows(p planned) error {
	if p.Ablation == "" {
		return nil
	}
	var rows []reports.PlanRow
	for _, r := range p.Configurations {
		rows = append(rows, reports.PlanRow{
			Name: r.Name, Model: withKind(r.Model), K: r.K, Strategy: r.Strategy, Protocol: r.Protocol,
			Tools: r.Tools, Without: r.Without, Traces: r.Traces, Done: r.Done, Note: r.Note,
		})
	}
	fmt.Fprintln(o)
	return reports.Plan(o, rows)
}

// askedOf says who is asked, once for all configurations of which it is the same.
func (p planned) askedOf() []string {
	var texts []string
	names := map[string][]string{}
	for _, r := range p.Configurations {
		if r.Done {
			continue
		}
		text := r.asked()
		if names[text] == nil {
			texts = append(texts, text)
		}
		names[text] = append(names[text], reports.Clean(r.Name))
	}
	switch len(texts) {
	case 0:
		return []string{"nobody: nothing is left to run"}
	case 1:
		return texts
	}
	for i, text := range texts {
		texts[i] = strings.Join(names[text], ", ") + ": " + text
	}
	return texts
}

func (p planned) toolCalls() string {
	bounded, free := 0, []string{}
	for _, r := range p.Configurations {
		if r.MaxToolCalls == nil {
			free = append(free, reports.Clean(r.Name))
			continue
		}
		bounded += *r.MaxToolCalls
	}
	switch {
	case len(free) == 0:
		return fmt.Sprintf("at most %d", bounded)
	case len(free) == len(p.Configurations):
		return "without a bound: guard.calls was taken away"
	}
	return fmt.Sprintf("at most %d; without a bound for %s (guard.calls was taken away)", bounded, strings.Join(free, ", "))
}

// tokens says what a plan may take; nil is a replay.
func (c *plannedCost) tokens() string {
	if c == nil {
		return "none: the recording answers"
	}
	if c.Tokens == 0 {
		return "none by the agent: it has no trace left to run"
	}
	return fmt.Sprintf("about %d by the agent: a guess, at %d turns a trace at most; a run's table has them", c.Tokens, c.TurnsPerTrace)
}

// cost is "" where nothing can cost anything.
func (c *plannedCost) cost() string {
	if c == nil || c.USD == nil && len(c.Unpriced) == 0 {
		return ""
	}
	unpriced := slices.Clone(c.Unpriced)
	for i := range unpriced {
		unpriced[i] = reports.Clean(unpriced[i])
	}
	without := "no price is known for " + strings.Join(unpriced, ", ")
	if c.USD == nil {
		return without
	}
	text := fmt.Sprintf("about $%.2f by the agent: the same guess; verifier and judges come on top", *c.USD)
	if len(unpriced) > 0 {
		text += "; " + without
	}
	return text
}
