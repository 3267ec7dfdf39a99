package runner_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func forecast(t *testing.T, price runner.Price, steps int, confs ...config.Configuration) runner.Forecast {
	t.Helper()
	d := runner.Draft{Dataset: queries.Of(&datasets.Dataset{Queries: []datasets.Query{{ID: "q", MaxSteps: steps, Context: datasets.Context{History: make([]datasets.Turn, 2)}}}})}
	for _, c := range confs {
		c.K = 1
		d.Manifest.Configurations = append(d.Manifest.Configurations, store.Configuration{Name: c.Name, Configuration: c})
	}
	f, err := d.Forecast(nil, price)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A strategy without tools has one turn. A missing answer line costs one more call. A limit with "stop" does
// not force an answer.
func TestForecastBoundsCalls(t *testing.T) {
	react := config.New()
	stop, cot, fixed := react, react, react
	stop.Agent.OnLimit, cot.Agent.Strategy, fixed.Agent.FixedSteps = config.OnLimitStop, config.StrategyCoT, true
	plan, rounds := react, stop
	plan.Agent.Strategy, rounds.Agent.Strategy, rounds.Agent.Plan = config.StrategyPlan, config.StrategyPlan, config.Plan{Analysis: config.Off, Reflection: config.Off}
	condensed, short := react, react // with an earlier conversation of two messages
	condensed.Agent.Condense, short.Agent.Condense = config.CondenseOn, config.CondenseAuto
	for _, c := range []struct {
		conf                 config.Configuration
		steps, models, tools int
	}{{react, 0, 12, 8}, {react, 4, 6, 8}, {fixed, 4, 12, 8}, {stop, 0, 11, 8}, {cot, 0, 2, 0}, {cot, 4, 2, 0}, {plan, 4, 11, 8}, {rounds, 4, 6, 8}, {condensed, 0, 14, 8}, {short, 0, 12, 8}} {
		row := forecast(t, nil, c.steps, c.conf).Configurations[0]
		if row.MaxModelCalls != c.models || *row.MaxToolCalls != c.tools {
			t.Errorf("%s with %d steps: %d and %d calls, want %d and %d", c.conf.Agent.Strategy, c.steps, row.MaxModelCalls, *row.MaxToolCalls, c.models, c.tools)
		}
	}
}

// The guess adds up the models that have a price, and lists each model once that costs money and has no known
// price.
func TestForecastGuessesTheCost(t *testing.T) {
	confs := make([]config.Configuration, 4)
	for i, name := range []string{"openai:priced", "openai:other", "openai:other", config.DefaultModel} {
		confs[i] = config.New()
		confs[i].Name, confs[i].Model, confs[i].Agent.Temperature = string(rune('a'+i)), name, float64(i)/4
	}
	price := func(spec string, u model.Usage) (float64, bool) {
		return float64(u.InputTokens) / 1e6, spec == "openai:priced"
	}
	g := forecast(t, price, 0, confs...).Guess
	if g.USD == nil || *g.USD != 0.012 || len(g.Unpriced) != 1 || g.Unpriced[0] != "openai:other" || g.Tokens != 4*4*3250 {
		t.Errorf("%+v", g)
	}
	if g := forecast(t, nil, 0, confs[0]).Guess; g != nil {
		t.Errorf("a replay is guessed to take %+v", g)
	}
}
