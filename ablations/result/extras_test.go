package result_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/advise"
	"github.com/seed-5817661a/concur/runner/agent/explain"
	"github.com/seed-5817661a/concur/runner/agent/usage"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Figures of features are fields of a row. They are read back from summary.json as they were.
func TestFiguresOfFeatures(t *testing.T) {
	r := record("default", "q1", "easy", judge.Correct, trace.Answered, trace.Answered)
	for i := range r.Answers {
		r.Answers[i].Set(explain.Name, explain.Counts{Due: 2, Given: 1, Followed: 1, Tokens: 11})
		r.Answers[i].Set(playbook.UseName, playbook.Use{Shown: []string{"a", "b"}, Named: []string{"a"}, Tokens: 40})
	}
	cost := store.AgentCost{Steps: 1, RoleUsage: store.RoleUsage{ModelCalls: 1, Usage: model.Usage{InputTokens: 5}}}
	r.Answers[0].Agents = []store.AgentUsage{{AgentCost: cost}, {Path: "a#1", AgentCost: cost}, {Path: "a#1/b#2", AgentCost: cost}, {Path: "a#1", Task: "ranking", AgentCost: cost}}
	row := summarize(t, manifest(1, 2, "default"), r).Configurations[0]

	half, two, forty, fifth, none := .5, 2.0, 40.0, .1, 0.0
	want := map[string]any{
		"explain":    explain.Figures{Counts: explain.Counts{Due: 4, Given: 2, Followed: 2, Tokens: 22}, GivenShare: &half, KeptShare: &none, TokenShare: &fifth},
		"playbook":   advise.Figures{Traces: 2, Shown: 4, Named: 2, Tokens: 80, ShownPerTrace: &two, TokensPerTrace: &forty, FollowedShare: &none},
		"sub_agents": usage.Agents{All: usage.SubAgent{Calls: 2, AgentCost: cost.Plus(cost, false)}, ByName: map[string]usage.SubAgent{"a": {Calls: 1, AgentCost: cost}, "b": {Calls: 1, AgentCost: cost}}},
		"tasks":      usage.Tasks{"ranking": cost},
	}
	tokens := 22.0 / float64(r.Usage.InputTokens+r.Usage.OutputTokens)
	f := want["explain"].(explain.Figures)
	f.TokenShare = &tokens
	want["explain"] = f
	if diff := cmp.Diff(want, row.Extras); diff != "" {
		t.Fatalf("figures (-want +got):\n%s", diff)
	}
	raw, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	var back result.Configuration
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(row, back); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	broken := strings.Replace(string(raw), `"shown":4`, `"shown":"four"`, 1)
	if err := json.Unmarshal([]byte(broken), &back); err == nil || !strings.Contains(err.Error(), "read the figures of playbook") {
		t.Errorf("the error is %v", err)
	}
}

// A record that cannot be read is an error with its place.
func TestUnreadableExtra(t *testing.T) {
	r := record("default", "q1", "easy", judge.Correct, trace.Answered)
	r.Answers[0].Extras = trace.Extras{Explain: json.RawMessage(`"many"`)}
	_, err := result.Summarize(manifest(1, 1, "default"), func(yield func(store.Record, error) bool) { yield(r, nil) })
	if err == nil || !strings.Contains(err.Error(), "query q1") || !strings.Contains(err.Error(), "explain") {
		t.Errorf("the error is %v", err)
	}
}
