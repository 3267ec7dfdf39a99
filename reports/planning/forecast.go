package planning

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
)

// ModelKind describes an offline model, for places where only its name is printed.
func ModelKind(spec string) string {
	if config.IsOffline(spec) {
		return spec + " (rule-based, no language model)"
	}
	return spec
}

// WriteForecast writes the forecast of a run, for a terminal.
func WriteForecast(w io.Writer, f runner.Forecast, s document.Screen) error {
	first := f.Configurations[0]
	traces, seed := strconv.Itoa(f.Traces), "drawn when the run starts"
	if f.Seed != nil {
		seed = fmt.Sprint(*f.Seed)
	}
	var facts []document.LabelledText
	add := func(label, text string) {
		facts = append(facts, document.LabelledText{Label: label, Text: document.Plain(text)})
	}
	add("dataset", f.Dataset+", "+text.Counted(f.Queries, "query"))
	if f.Ablation == "" {
		if first.External != "" {
			add("agent", first.External)
		}
		add("model", ModelKind(first.Model))
		if first.External == "" {
			add("tools", cmp.Or(strings.Join(first.Tools, ", "), "none"))
		}
		traces += fmt.Sprintf(" (K=%d)", first.K)
	} else {
		add("ablation", fmt.Sprintf("%s, %d configurations; the baseline is %s", f.Ablation,
			len(f.Configurations), f.Baseline))
	}
	add("seed", seed)
	add("traces", traces)
	add("model calls", guessedCalls(f))
	for _, text := range questioned(f.Configurations) {
		add("asked", text)
	}
	add("tool calls", toolCallBound(f.Configurations))
	add("tokens", guessedTokens(f.Guess))
	if cost := guessedCost(f.Guess); cost != "" {
		add("cost", cost)
	}
	d := document.Document{Details: []document.Section{{Facts: facts}}}
	if f.Ablation != "" {
		d.Details = append(d.Details, document.Section{Table: forecastRows(f.Configurations)})
	}
	return s.Write(w, d)
}

// forecastRows returns the table of an ablation's configurations.
func forecastRows(rows []runner.ForecastRow) *document.Table {
	type row = runner.ForecastRow
	return document.Tabulate(nil, []document.Column[row]{
		{Header: "configuration", Text: func(r row) document.RichText { return document.Quoted(r.Name) }},
		{Header: "model", Text: func(r row) document.RichText { return document.Quoted(ModelKind(r.Model)) }, Leaves: 4},
		{Header: "K", Show: func(r row) string { return strconv.Itoa(r.K) }},
		{
			Header: "agent", Leaves: 3,
			Text: func(r row) document.RichText { return document.Quoted(cmp.Or(r.External, r.Strategy+", "+r.Protocol)) },
		},
		{
			Header: "tools",
			Text:   func(r row) document.RichText { return document.Quoted(strings.Join(r.Tools, ", ")) },
			Leaves: 1,
		},
		{Header: "without", Text: func(r row) document.RichText { return document.Quoted(strings.Join(r.Without, ", ")) }},
		{
			Header: "traces\nto run",
			Show: func(r row) string {
				switch {
				case r.Done:
					return "done"
				case r.Traces == 0:
					return "shared"
				}
				return strconv.Itoa(r.Traces)
			},
		},
		{
			Header: "note",
			Text:   func(r row) document.RichText { return document.Quoted(r.Note) },
			Most:   document.MaxReason,
			Leaves: 2,
		},
	}, rows)
}

// questioned lists the models that are asked about a query's traces. Configurations with the same models share
// a line.
func questioned(rows []runner.ForecastRow) []string {
	var texts []string
	names := map[string][]string{}
	for _, r := range rows {
		if r.Done {
			continue
		}
		var parts []string
		for _, a := range []struct{ model, what string }{
			{r.Extractor, "extractor %s, where rules read no answer"},
			{r.Verifier, "verifier %s, where answers differ"}, {r.Correctness, "correctness judge %s, once a query"},
			{r.Quality, "quality judge %s, once a query"},
		} {
			if a.model != "" && a.model != config.NoModel {
				parts = append(parts, fmt.Sprintf(a.what, a.model))
			}
		}
		text := cmp.Or(strings.Join(parts, "; "), "nobody: no verifier and no judge")
		if names[text] == nil {
			texts = append(texts, text)
		}
		names[text] = append(names[text], r.Name)
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

func toolCallBound(rows []runner.ForecastRow) string {
	bounded, free := 0, []string{}
	why := "guard.calls was taken away"
	for _, r := range rows {
		if r.MaxToolCalls == nil {
			free = append(free, r.Name)
			if r.External != "" {
				why = "the agent's own business"
			}
			continue
		}
		bounded += *r.MaxToolCalls
	}
	switch len(free) {
	case 0:
		return fmt.Sprintf("at most %d", bounded)
	case len(rows):
		return "without a bound: " + why
	}
	return fmt.Sprintf("at most %d; without a bound for %s (%s)", bounded, strings.Join(free, ", "), why)
}

// guessedCalls describes the expected and the maximum number of calls of the agent's model.
func guessedCalls(f runner.Forecast) string {
	if f.Guess == nil || f.Guess.Calls == 0 {
		return fmt.Sprintf("at most %d by the agent", f.MaxModelCalls)
	}
	return fmt.Sprintf("about %d by the agent: a guess, at %d turns a trace; at most %d", f.Guess.Calls,
		f.Guess.TurnsPerTrace, f.MaxModelCalls)
}

// guessedTokens describes the tokens that a run may take; g is nil for a replay.
func guessedTokens(g *runner.Guess) string {
	switch {
	case g == nil:
		return "none: the recording answers"
	case g.Tokens == 0:
		return "none by the agent: it has no trace left to run"
	}
	return fmt.Sprintf("about %d by the agent: a guess, at %d turns a trace at most; a run's table has them", g.Tokens,
		g.TurnsPerTrace)
}

// guessedCost describes the cost; "" if no model has a price.
func guessedCost(g *runner.Guess) string {
	if g == nil || g.USD == nil && len(g.Unpriced) == 0 {
		return ""
	}
	without := "no price is known for " + strings.Join(g.Unpriced, ", ")
	if g.USD == nil {
		return without
	}
	text := fmt.Sprintf("about $%.2f by the agent: the same guess, without verifier and judges", *g.USD)
	if len(g.Unpriced) > 0 {
		text += "; " + without
	}
	return text
}
