package runner

import (
	"cmp"
	"slices"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// GuessedTurns is how many turns a trace is taken to have before anybody knows, each with a
// prompt that holds instructions, tools and what was found, and a short reply. It is a guess
// for a question and an order of magnitude, no bound.
const (
	GuessedTurns  = 4
	guessedPrompt = 3000 // tokens
	guessedReply  = 250
)

// Forecast is what a draft would run. Calls and tokens depend on what the models do, so that
// only bounds and a guess can be given before.
type Forecast struct {
	Schema   string `json:"schema"`
	Ablation string `json:"ablation"` // "" for a single run
	Baseline string `json:"baseline"`
	Dataset  string `json:"dataset"`
	Queries  int    `json:"queries"`
	// Of the first configuration, the only one of a single run.
	K           int      `json:"k"`
	Model       string   `json:"model"`
	Tools       []string `json:"tools"`
	Extractor   string   `json:"extractor"`
	Verifier    string   `json:"verifier"`
	Correctness string   `json:"correctness"`
	Quality     string   `json:"quality"`

	Seed           *int64        `json:"seed"` // null where it will be drawn
	Traces         int           `json:"traces"`
	MaxModelCalls  int           `json:"max_model_calls"`
	MaxToolCalls   *int          `json:"max_tool_calls"` // null where a configuration has no bound
	Guess          *Guess        `json:"guess"`          // null for a replay, which asks nobody
	Configurations []ForecastRow `json:"configurations"`
}

// Guess is what the agent alone may take: verifier and judges come on top.
type Guess struct {
	TurnsPerTrace int      `json:"turns_per_trace"` // at most
	Calls         int      `json:"calls"`           // of the agent's model, at so many turns
	Tokens        int      `json:"tokens"`
	USD           *float64 `json:"usd"`      // of the models that have a price; null where none has
	Unpriced      []string `json:"unpriced"` // models that cost something and have no known price
}

// ForecastRow is one configuration of a forecast. Settings without effect are not shown: cot
// and direct have no tools, and one trace needs no verifier.
type ForecastRow struct {
	Name     string   `json:"name"`
	Note     string   `json:"note"`
	External string   `json:"external"` // command or address of an external agent; "" for concur's own
	K        int      `json:"k"`
	Model    string   `json:"model"`
	Strategy string   `json:"strategy"`
	Protocol string   `json:"protocol"`
	Tools    []string `json:"tools"`
	Guards   []string `json:"guards"`
	Without  []string `json:"without"` // guards that were taken away
	// Traces are still to be run for it. One that has none is Done, or shares another's.
	Traces        int  `json:"traces"`
	Done          bool `json:"done"`
	MaxModelCalls int  `json:"max_model_calls"` // by the agent
	MaxToolCalls  *int `json:"max_tool_calls"`  // null without a bound
	// Models that are asked about a query once its traces are there; "" is none. The extractor is asked about each
	// message in which rules read no answer, the verifier twice at most for each pair of different answers.
	Extractor   string `json:"extractor"`
	Verifier    string `json:"verifier"`
	Correctness string `json:"correctness"`
	Quality     string `json:"quality"`
}

// Price is what a usage of a model, named as in the configuration, costs in USD, if known.
type Price = func(spec string, u model.Usage) (usd float64, known bool)

// Forecast tells what is left to run of a draft after prior. price is nil for a replay.
func (d Draft) Forecast(prior *store.Prior, price Price) (Forecast, error) {
	m := d.Manifest
	f := Forecast{
		Schema: "concur/plan/v1", Ablation: m.Ablation, Baseline: m.Baseline,
		Dataset: d.Dataset.Name, Queries: len(d.Dataset.Queries), MaxToolCalls: new(int),
	}
	if !d.SeedDrawn {
		f.Seed = &m.Seed
	}
	missing, err := d.missing(prior)
	if err != nil {
		return f, err
	}
	for i := range m.Configurations {
		row := d.row(i, missing, prior)
		f.Configurations = append(f.Configurations, row)
		f.Traces += row.Traces
		f.MaxModelCalls += row.MaxModelCalls
		if f.MaxToolCalls != nil && row.MaxToolCalls != nil {
			*f.MaxToolCalls += *row.MaxToolCalls
		} else {
			f.MaxToolCalls = nil
		}
	}
	first := f.Configurations[0]
	f.K, f.Model, f.Tools = first.K, first.Model, first.Tools
	f.Extractor, f.Verifier, f.Correctness, f.Quality = first.Extractor, first.Verifier, first.Correctness, first.Quality
	if price != nil {
		f.Guess = f.guess(m.Configurations, price)
	}
	return f, nil
}

// missing counts the traces that are still to be run, by query and configuration.
func (d Draft) missing(prior *store.Prior) ([][]int, error) {
	p := d.Plan()
	for i := range p.Arms { // models are not open: the hash is of the settings alone
		if a := &p.Arms[i]; a.AgentHash == "" {
			var err error
			if a.AgentHash, err = a.Configuration.AgentHash(map[string]string{"corpus": a.Configuration.Search.Corpus}); err != nil {
				return nil, err
			}
		}
	}
	missing := make([][]int, len(d.Dataset.Queries))
	for j, q := range d.Dataset.Queries {
		missing[j] = p.Missing(prior, q.ID)
	}
	return missing, nil
}

// row is what the i-th configuration would run.
func (d Draft) row(i int, missing [][]int, prior *store.Prior) ForecastRow {
	made := d.Manifest.Configurations[i]
	c, e := made.Configuration, made.Effective()
	row := ForecastRow{
		Name: made.Name, Note: made.Note, External: c.Agent.External.Label(), K: c.K, Model: c.Model, Strategy: e.Agent.Strategy, Protocol: c.Agent.Protocol, Tools: e.Agent.Tools, Guards: e.Agent.Guards,
		Without: []string{}, Done: true, Correctness: c.Judge.Correctness, Quality: c.Judge.Quality,
	}
	if !c.Extract.IsZero() {
		row.Extractor = cmp.Or(c.Extractor.Model, config.SameModel)
	}
	if e.VerifierModel() != "" {
		row.Verifier = c.Verifier.Model
	}
	for _, g := range config.Guards() {
		if !c.Agent.HasGuard(g) {
			row.Without = append(row.Without, "guard."+g)
		}
	}
	bound := 0
	for j, q := range d.Dataset.Queries {
		models, tools := mostCalls(c, q.MaxSteps)
		if e.Agent.Condenses(len(q.History)) {
			models += 2 // the question is rewritten, at the second try at the latest
		}
		row.Traces += missing[j][i]
		row.MaxModelCalls += models * missing[j][i]
		bound += tools * missing[j][i]
		row.Done = row.Done && prior.Decided(made.Name, q.ID)
	}
	if e.Agent.MaxSteps == 0 || row.External == "" && c.Agent.HasGuard(config.GuardCalls) {
		row.MaxToolCalls = &bound
	}
	return row
}

// mostCalls bounds what a trace asks of the agent's model and of tools. A strategy without
// a bound on its turns takes one, and no tool; where a final message lacks its answer line,
// each takes one more. With sub-agents, every call of a tool may be one of the agent that
// takes longest. steps are those that the query allows; 0 leaves them to the configuration.
func mostCalls(c config.Configuration, steps int) (models, tools int) {
	a := c.Effective().Agent
	switch {
	case a.External.Used():
		return external.MaxExchanges, 0
	case a.MaxSteps == 0:
		return 2, 0
	}
	steps = a.Steps(steps)
	models = steps + 1 + a.MoreCalls(steps)
	if a.OnLimit != config.OnLimitStop {
		models++ // the answer that a limit forces
	}
	longest := 0 // of the sub-agents, each of whose calls is one of the trace's
	for _, name := range c.SubAgents() {
		longest = max(longest, min(c.Child(name).Agent.MaxSteps, models)+2)
	}
	return models + c.Agent.MaxToolCalls*longest, a.MaxToolCalls
}

func (f Forecast) guess(confs []store.Configuration, price Price) *Guess {
	g := &Guess{TurnsPerTrace: GuessedTurns, Unpriced: []string{}}
	for i, row := range f.Configurations {
		if row.Traces == 0 {
			continue
		}
		// A strategy without a bound on its turns takes one.
		agent := confs[i].Effective().Agent
		turns := max(1, min(GuessedTurns, agent.MaxSteps))
		calls := row.Traces * (turns + agent.MoreCalls(turns))
		g.Calls += calls
		u := model.Usage{InputTokens: calls * guessedPrompt, OutputTokens: calls * guessedReply}
		g.Tokens += u.InputTokens + u.OutputTokens
		cost, priced := price(row.Model, u)
		switch {
		case priced && g.USD == nil:
			g.USD = &cost
		case priced:
			*g.USD += cost
		case !config.IsOffline(row.Model) && !slices.Contains(g.Unpriced, row.Model):
			g.Unpriced = append(g.Unpriced, row.Model)
		}
	}
	return g
}
