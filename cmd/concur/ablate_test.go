package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// What holds for a run as a whole is found in every row that has it otherwise.
func TestRunWide(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*config.Configuration)
		want   string // the beginning of what is found; "" for nothing
	}{
		"nothing": {func(*config.Configuration) {}, ""},
		"agent":   {func(c *config.Configuration) { c.Model, c.K = "openai:b", 1 }, ""},
		"limits":  {func(c *config.Configuration) { c.Limits.RPM = 5 }, "limits.rpm: "},
		"providers": {func(c *config.Configuration) {
			c.Providers = map[string]endpoints.Endpoint{"mine": {Kind: endpoints.OpenAI, BaseURL: "http://localhost"}}
		}, "providers"},
		"prices": {func(c *config.Configuration) { c.Prices = "mine.yaml" }, "prices: "},
	} {
		row := config.New()
		c.change(&row)
		got := strings.Join(runWide(config.New(), row), "; ")
		if (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}

// A strategy without tools opens neither a corpus nor a search, so that none can be missing;
// its agent is the same with and without them.
func TestStrategiesWithoutToolsOpenNone(t *testing.T) {
	open := func(strategy string) (runner.Arm, error) {
		c := withJudges(config.New())
		c.Model, c.Agent.Strategy, c.Search.Corpus = config.DefaultModel, strategy, filepath.Join(t.TempDir(), "gone")
		p := runPlan{Plan: runner.Plan{Arms: []runner.Arm{{Configuration: c.WithCascade(true)}}}}
		o := newOpened()
		defer o.close()
		err := p.open(t.Context(), o, func(error) {})
		return p.Arms[0], err
	}
	for _, strategy := range []string{config.StrategyCoT, config.StrategyDirect} {
		a, err := open(strategy)
		if err != nil || a.Configuration.Search.Corpus == "" || len(a.Configuration.Agent.Tools) == 0 {
			t.Errorf("%s: %v, and the configuration is %+v", strategy, err, a.Configuration)
		}
	}
	if _, err := open(config.StrategyReact); err == nil {
		t.Error("react opens a corpus that is not there")
	}
}
