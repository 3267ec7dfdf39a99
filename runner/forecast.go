package runner

import (
	"cmp"
	"slices"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// GuessedTurns is the assumed number of turns of a trace. Each turn is assumed to have a prompt of
// guessedPrompt tokens, for instructions, tools and results, and a short reply. This is a rough guess and not a
// bound.
const (
	GuessedTurns  = 4
	guessedPrompt = 3000 // tokens
	guessedReply  = 250
)

// Forecast describes a run before it starts. Because calls and tokens depend on the models, it has only bounds
// for them and a guess.
type Forecast struct {
	Schema   string `json:"schema"`
	Ablation string `json:"ablation"` // "" for a single run
	Baseline string `json:"baseline"`
	Dataset  string `json:"dataset"`
	Source   string `json:"source"` // the dataset's built-in name, or the absolute path of its file
	Queries  int    `json:"queries"`
	// These are settings of the first configuration. In a single run, it is the only configuration.
	K           int      `json:"k"`
	Model       string   `json:"model"`
	Tools       []string `json:"tools"`
	Extractor   string   `json:"extractor"`
	Verifier    string   `json:"verifier"`
	Correctness string   `json:"correctness"`
	Quality     string   `json:"quality"`

	Seed           *int64        `json:"seed"` // null if it will be drawn
	Traces         int           `json:"traces"`
	MaxModelCalls  int           `json:"max_model_calls"`
	MaxToolCalls   *int          `json:"max_tool_calls"` // null if a configuration has no bound
	Guess          *Guess        `json:"guess"`          // null for a replay, which calls no model
	Configurations []ForecastRow `json:"configurations"`
}

// Guess is the estimated usage of the agent only, without verifier and judges.
type Guess struct {
	TurnsPerTrace int      `json:"turns_per_trace"` // at most
	Calls         int      `json:"calls"`           // by the agent, with that number of turns
	Tokens        int      `json:"tokens"`
	USD           *float64 `json:"usd"`      // of the models that have a price; null if none has one
	Unpriced      []string `json:"unpriced"` // models that cost money but have no known price
}

// ForecastRow is one configuration of a forecast. Settings without effect are omitted: cot and direct have no
// tools, and one trace needs no verifier.
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
	Without  []string `json:"without"` // guards that are turned off
	// Traces is the number of traces that must still run for the configuration. If it is 0, the configuration
	// is Done, or it uses the traces of another configuration.
	Traces        int  `json:"traces"`
	Questions     int  `json:"-"` // questions of these traces: one each, or the turns of a conversation
	Done          bool `json:"done"`
	MaxModelCalls int  `json:"max_model_calls"` // by the agent
	MaxToolCalls  *int `json:"max_tool_calls"`  // null without a bound
	// These models verify and judge a query after its traces; "" means no model. The extractor is called for
	// each message in which the rules found no answer. The verifier is called at most twice for each pair of
	// different answers.
	Extractor   string `json:"extractor"`
	Verifier    string `json:"verifier"`
	Correctness string `json:"correctness"`
	Quality     string `json:"quality"`
}

// Price returns the cost in USD of the usage of a model, and whether the cost is known. spec is the name of the
// model in the configuration.
type Price = func(spec string, u model.Usage) (usd float64, known bool)

// Forecast returns the forecast of the part of a draft that remains after prior. price is nil for a replay.
func (d Draft) Forecast(prior *store.Prior, price Price) (Forecast, error) {
	m := d.Manifest
	f := Forecast{
		Schema: "concur/plan/v1", Ablation: m.Ablation, Baseline: m.Baseline,
		Dataset: d.Dataset.Name, Source: m.Dataset.Source, Queries: d.Dataset.Len(), MaxToolCalls: new(int),
	}
	if !d.SeedDrawn {
		f.Seed = &m.Seed
	}
	missing, err := d.missing(prior)
	if err != nil {
		return f, err
	}
	f.Configurations = d.rows(missing, prior)
	for _, row := range f.Configurations {
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
	f.Extractor, f.Verifier, f.Correctness, f.Quality = first.Extractor, first.Verifier, first.Correctness,
		first.Quality
	if price != nil {
		f.Guess = f.guess(m.Configurations, price)
	}
	return f, nil
}

// missing returns a function that counts, for each configuration, the traces of a query that must still run.
func (d Draft) missing(prior *store.Prior) (func(query string) []int, error) {
	p := d.Plan()
	for i := range p.Arms { // models are not open, so the hash covers only the settings
		if a := &p.Arms[i]; a.AgentHash == "" {
			var err error
			parts := map[string]string{"corpus": a.Configuration.Search.Corpus}
			if a.AgentHash, err = a.Configuration.AgentHash(parts); err != nil {
				return nil, err
			}
		}
	}
	return p.Missing(prior), nil
}

// rows returns the forecasts of the configurations.
func (d Draft) rows(missing func(query string) []int, prior *store.Prior) []ForecastRow {
	rows := make([]ForecastRow, len(d.Manifest.Configurations))
	effective := make([]config.Agent, len(rows))
	tools := make([]int, len(rows)) // bounds of the calls
	type bound struct{ configuration, steps int }
	most := map[bound][2]int{} // calls of models and tools in one trace, for each bound
	for i, made := range d.Manifest.Configurations {
		rows[i], effective[i] = forecastRow(made), made.Effective().Agent
	}
	for q := range d.Dataset.Bounds() {
		for i, traces := range missing(q.ID) {
			made, row := d.Manifest.Configurations[i], &rows[i]
			if traces > 0 {
				of := bound{i, q.MaxSteps}
				if _, known := most[of]; !known {
					models, tools := mostCalls(made.Configuration, q.MaxSteps)
					most[of] = [2]int{models, tools}
				}
				perTrace, calls := most[of][0], most[of][1]
				asked := max(1, q.Scripted)
				perTrace, calls = perTrace*asked, calls*asked
				for n := range asked { // each turn of a conversation follows two more messages
					if effective[i].Condenses(q.Turns + 2*n) {
						perTrace += 2 // the question is rewritten, with at most two tries
					}
				}
				row.Questions += asked * traces
				row.Traces += traces
				row.MaxModelCalls += perTrace * traces
				tools[i] += calls * traces
			}
			row.Done = row.Done && prior.Decided(made.Name, q.ID)
		}
	}
	for i, e := range effective {
		if e.MaxSteps == 0 || rows[i].External == "" &&
			d.Manifest.Configurations[i].Configuration.Agent.HasGuard(config.GuardCalls) {
			rows[i].MaxToolCalls = &tools[i]
		}
	}
	return rows
}

// forecastRow returns the part of a forecast that does not depend on queries.
func forecastRow(made store.Configuration) ForecastRow {
	c, e := made.Configuration, made.Effective()
	row := ForecastRow{
		Name: made.Name, Note: made.Note, External: c.Agent.External.Label(), K: c.K, Model: c.Model,
		Strategy: e.Agent.Strategy, Protocol: c.Agent.Protocol, Tools: e.Agent.Tools, Guards: e.Agent.Guards,
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
	return row
}

// mostCalls returns upper bounds of one trace's model calls and tool calls. Each number of model calls includes
// one more call for a final message without an answer line. A strategy without a limit of turns calls the model
// once and no tools. If the agent has sub-agents, every tool call may be a call of the sub-agent with the
// largest bound. steps is the query's step limit; 0 means the limit of the configuration.
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
		models++ // the answer that a limit requires
	}
	longest := 0 // of the model, in one call of a sub-agent
	for _, name := range c.SubAgents() {
		sub := c.Child(name).Agent
		turns := min(sub.MaxSteps, models)
		if !sub.Loops() {
			turns = 1
		}
		longest = max(longest, turns+2+sub.MoreCalls(turns))
	}
	return models + c.Agent.MaxToolCalls*longest, a.MaxToolCalls
}

func (f Forecast) guess(confs []store.Configuration, price Price) *Guess {
	g := &Guess{TurnsPerTrace: GuessedTurns, Unpriced: []string{}}
	for i, row := range f.Configurations {
		if row.Traces == 0 {
			continue
		}
		// A strategy without a bound on its turns makes one call.
		agent := confs[i].Effective().Agent
		turns := max(1, min(GuessedTurns, agent.MaxSteps))
		calls := row.Questions * (turns + agent.MoreCalls(turns))
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
