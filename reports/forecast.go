package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/text"
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

// Forecast writes the forecast of a run, for a terminal.
func Forecast(w io.Writer, f runner.Forecast, s Screen) error {
	first := f.Configurations[0]
	traces, seed := strconv.Itoa(f.Traces), "drawn when the run starts"
	if f.Seed != nil {
		seed = fmt.Sprint(*f.Seed)
	}
	var facts []fact
	add := func(label, text string) { facts = append(facts, fact{label, plain(text)}) }
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
	d := document{details: []part{{facts: facts}}}
	if f.Ablation != "" {
		d.details = append(d.details, part{table: forecastRows(f.Configurations)})
	}
	return s.write(w, d)
}

// forecastRows returns the table of an ablation's configurations.
func forecastRows(rows []runner.ForecastRow) *table {
	type row = runner.ForecastRow
	return tabulate(nil, []Column[row]{
		{Header: "configuration", Text: func(r row) line { return quoted(r.Name) }},
		{Header: "model", Text: func(r row) line { return quoted(ModelKind(r.Model)) }, Leaves: 4},
		{Header: "K", Show: func(r row) string { return strconv.Itoa(r.K) }},
		{
			Header: "agent", Leaves: 3,
			Text: func(r row) line { return quoted(cmp.Or(r.External, r.Strategy+", "+r.Protocol)) },
		},
		{Header: "tools", Text: func(r row) line { return quoted(strings.Join(r.Tools, ", ")) }, Leaves: 1},
		{Header: "without", Text: func(r row) line { return quoted(strings.Join(r.Without, ", ")) }},
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
		{Header: "note", Text: func(r row) line { return quoted(r.Note) }, Most: maxReason, Leaves: 2},
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
	text := fmt.Sprintf("about $%.2f by the agent: the same guess; verifier and judges come on top", *g.USD)
	if len(g.Unpriced) > 0 {
		text += "; " + without
	}
	return text
}

// soFar returns the columns of runs in progress.
func soFar(now time.Time) []Column[runner.Progress] {
	type p = runner.Progress
	left := func(p p) string {
		if p.Ends.IsZero() {
			return undefined
		}
		s := max(0, p.Ends.Sub(now)).Round(time.Second)
		return fmt.Sprintf("%d:%02d", int(s.Minutes()), int(s.Seconds())%60)
	}
	return []Column[p]{
		{Header: "configuration", Text: func(p p) line { return quoted(p.Configuration) }, Most: maxAnswer},
		{Header: "done", Show: func(p p) string { return fmt.Sprintf("%d/%d", p.Decided(), p.Queries) }},
		{
			Header: "right so far",
			Show: func(p p) string {
				if p.PassRate == nil {
					return undefined
				}
				d := digits(p.Decided())
				return fmt.Sprintf("%s %% [%.*f, %.*f]", rate(p.PassRate.Value, d), d, p.PassRate.Low*100, d,
					p.PassRate.High*100)
			},
		},
		{Header: "wrong", Show: func(p p) string { return whole(p.Incorrect) }, Leaves: 2},
		{Header: "unscored", Show: func(p p) string { return unlessNone(p.Unscored) }, When: ifFilled, Leaves: 3},
		{Header: "in flight", Show: func(p p) string { return whole(p.InFlight) }, Leaves: 5},
		{Header: "tokens", Show: func(p p) string { return thousands(p.Tokens) }, Leaves: 6},
		{Header: "cost", Show: func(p p) string { return dollars(p.USD) }, When: ifFilled, Leaves: 4},
		{Header: "left", Show: left, Leaves: 1},
	}
}

// ProgressTable returns a row for each configuration of a run in progress, followed by their last errors, cut
// to the screen.
func ProgressTable(rows []runner.Progress, now time.Time, s Screen) ([]string, error) {
	var b bytes.Buffer
	if err := s.table(&b, *tabulate(nil, soFar(now), rows)); err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, p := range rows {
		if p.LastError != "" {
			lines = append(lines, Clean("last error of "+p.Configuration+": "+p.LastError))
		}
	}
	for i, l := range lines {
		lines[i] = s.Cut(l)
	}
	return lines, nil
}

// ProgressLine returns the row of a configuration as a line for a log.
func ProgressLine(p runner.Progress, now time.Time) string {
	t := tabulate(nil, soFar(now), []runner.Progress{p})
	var parts []string
	for i, c := range t.columns[1:] {
		if cell := t.rows[0][i+1].String(); cell != "" && cell != undefined {
			parts = append(parts, c.header.String()+" "+cell)
		}
	}
	if p.LastError != "" {
		parts = append(parts, "last error: "+p.LastError)
	}
	return Clean(p.Configuration + ": " + strings.Join(parts, ", "))
}
