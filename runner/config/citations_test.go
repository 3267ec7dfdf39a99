package config_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
)

func TestCitations(t *testing.T) {
	for _, c := range []struct {
		set   config.Citations
		wrong string // "" if it is valid
	}{
		{config.Citations{}, ""},
		{config.Citations{MinScore: 0.5}, ""},
		{config.Citations{MinScore: 1, Below: config.BelowWarn}, ""},
		{config.Citations{MinScore: 1.5}, "min_score is 1.5"},
		{config.Citations{MinScore: -0.5}, "min_score is -0.5"},
		{config.Citations{MinScore: math.NaN()}, "min_score is NaN"},
		{config.Citations{MinScore: 0.5, Below: "drop"}, `below "drop" is not known: reject, warn`},
		{config.Citations{Below: config.BelowWarn}, "without min_score"},
	} {
		conf := config.New()
		conf.Agent.Citations = c.set
		err := conf.Validate()
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%+v: %v", c.set, err)
		}
	}
	conf := config.New()
	conf.Agent.Citations.MinScore, conf.Agent.External.Exec = 0.5, []string{"agent"}
	if err := conf.Validate(); err == nil || !strings.Contains(err.Error(), "agent.citations has no effect") {
		t.Errorf("external: %v", err)
	}
}

// TestCitationsAndTheHash checks that a least score changes the hash if the guard audits, that reject is the
// default, and that a zero score is the agent of before.
func TestCitationsAndTheHash(t *testing.T) {
	hash := func(change func(*config.Agent)) string {
		c := config.New()
		change(&c.Agent)
		h, err := c.AgentHash(nil)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	set := func(score float64, below config.Below) func(*config.Agent) {
		return func(a *config.Agent) { a.Citations = config.Citations{MinScore: score, Below: below} }
	}
	plain, least := hash(func(*config.Agent) {}), hash(set(0.5, ""))
	if plain == least || least == hash(set(0.6, "")) || least == hash(set(0.5, config.BelowWarn)) {
		t.Error("other limits have the same hash")
	}
	if least != hash(set(0.5, config.BelowReject)) {
		t.Error("the default has another hash if it is written")
	}
	without := func(a *config.Agent) { a.Guards = []string{config.GuardRepeat} }
	if hash(without) != hash(func(a *config.Agent) { without(a); a.Citations.MinScore = 0.5 }) {
		t.Error("without the guard, the limit changes the hash")
	}
}
