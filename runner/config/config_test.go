package config_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/config"
)

func ExampleConfiguration_Without() {
	c, err := config.New().Without("calc", "guard.repeat")
	fmt.Println(c.Agent.Tools, c.Agent.Guards, err)
	_, err = c.Without("calc")
	fmt.Println(err)
	// Output:
	// [planner web_search] [injection calls failures citations spotlight sanitise] <nil>
	// remove "calc": the configuration has no such part; it has planner, web_search, guard.injection, guard.calls, guard.failures, guard.citations, guard.spotlight, guard.sanitise, stage.verifier, stage.majority
}

func TestWithoutStagesAndJudges(t *testing.T) {
	c := config.New()
	c.Judge.Correctness, c.Judge.Quality, c.Agent.ConfidenceCheck = config.SameModel, "a:b", 2
	c, err := c.Without("stage.verifier", "judge.correctness", "judge.quality", "confidence_check")
	if err != nil {
		t.Fatal(err)
	}
	e := c.Effective()
	if !slices.Equal(e.Consensus.Stages, []consensus.Stage{consensus.StageExact, consensus.StageMajority}) || e.Verifier.Model != "" ||
		e.Judge.Correctness != "" || e.Judge.Quality != "" || e.Agent.ConfidenceCheck != 0 {
		t.Errorf("still there: %+v", e)
	}
	if _, err := c.Without("stage.exact"); err == nil {
		t.Error("the stage that reads the answers was taken away")
	}
}

func TestDefaultsAreValid(t *testing.T) {
	if err := config.New().Validate(); err != nil {
		t.Error(err)
	}
}

func TestEveryStrategyAndGuardIsValid(t *testing.T) {
	for _, strategy := range config.Strategies() {
		c := config.New()
		c.Agent.Strategy = strategy
		for _, g := range config.Guards() {
			if strategy != config.StrategyReact && g != config.GuardInjection {
				continue // see TestWithoutWhatHasNoEffect
			}
			var err error
			if c, err = c.Without("guard." + g); err != nil || c.Agent.HasGuard(g) {
				t.Errorf("take away %s: %v, still there: %t", g, err, c.Agent.HasGuard(g))
			}
			if err := c.Validate(); err != nil {
				t.Errorf("%s without %s: %v", strategy, g, err)
			}
		}
	}
}

func TestWithoutLeavesTheOriginalAlone(t *testing.T) {
	c := config.New()
	if _, err := c.Without("planner", "guard.calls"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.New(), c); diff != "" {
		t.Error(diff)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		change func(*config.Configuration)
		want   string
	}{
		{func(c *config.Configuration) { c.K = 0 }, "k is 0"},
		{func(c *config.Configuration) { c.Model = "gpt" }, `model "gpt": write provider:model`},
		{func(c *config.Configuration) { c.Model = ":x" }, "write provider:model"},
		{func(c *config.Configuration) { c.Limits.Concurrency = -1 }, "limits.concurrency is -1"},
		{func(c *config.Configuration) { c.Limits.GiveUp = -1 }, "limits.give_up is -1ns"},
		{func(c *config.Configuration) { c.Agent.Strategy = "magic" }, `agent.strategy "magic"`},
		{func(c *config.Configuration) { c.Agent.Protocol = "smoke" }, `agent.protocol "smoke"`},
		{func(c *config.Configuration) { c.Agent.MaxSteps = -1 }, "agent.max_steps is -1"},
		{func(c *config.Configuration) { c.Agent.MaxToolFailures = 0 }, "agent.max_tool_failures is 0: give 1 to"},
		{func(c *config.Configuration) { c.Agent.ConfidenceCheck = -1 }, "agent.confidence_check is -1: give 0 to"},
		{func(c *config.Configuration) { c.Agent.OnLimit = "" }, `agent.on_limit "" is not known: answer, stop`},
		{func(c *config.Configuration) { c.Agent.Spotlight = "lamp" }, `agent.spotlight "lamp" is not known: delimiter, datamark`},
		{func(c *config.Configuration) { c.Agent.ToolTimeout = 0 }, "agent.tool_timeout is 0s"},
		{func(c *config.Configuration) { c.Agent.Temperature = math.NaN() }, "agent.temperature is NaN"},
		{func(c *config.Configuration) { c.Agent.Locale = "deutsch" }, `agent.locale: unknown locale "deutsch"`},
		{func(c *config.Configuration) { c.Agent.Temperature = 2.5 }, "agent.temperature is 2.5"},
		{func(c *config.Configuration) { c.Agent.Tools = []string{"calc", "calc"} }, "named twice"},
		{func(c *config.Configuration) { c.Agent.Guards = []string{"dog"} }, "agent.guards [dog]"},
		{func(c *config.Configuration) { c.Consensus.Stages = []consensus.Stage{"majority"} }, "exact comes first"},
		{func(c *config.Configuration) { c.Consensus.Stages = []consensus.Stage{"exact", "exact"} }, "consensus.stages"},
		{func(c *config.Configuration) { c.Consensus.Stages = nil }, "consensus.stages"},
		{func(c *config.Configuration) { c.Consensus.Stages = []consensus.Stage{"exact", "majority", "verifier"} }, "then verifier, then majority"},
		{func(c *config.Configuration) { c.Consensus.Quorum = "half" }, `consensus.quorum "half" is not known: majority, none`},
		{func(c *config.Configuration) { c.Verifier.Model = "" }, "verifier.model is empty"},
		{func(c *config.Configuration) { c.Verifier.Model = "gpt" }, `verifier.model "gpt"`},
		{func(c *config.Configuration) { c.Judge.Quality = "gpt:" }, `judge.quality "gpt:"`},
		{func(c *config.Configuration) { c.Judge.Threshold = 6 }, "judge.threshold is 6"},
		{func(c *config.Configuration) {
			c.Judge.Correctness, c.Judge.Panel.Members = config.PanelOfJudges, []string{"a:b", "a:b"}
		}, "a judge is named twice"},
		{func(c *config.Configuration) {
			c.Model, c.Judge.Correctness, c.Judge.Panel.Members = "a:b", config.PanelOfJudges, []string{"same", "a:b"}
		}, "a judge is named twice"},
		{func(c *config.Configuration) { c.Agent.Strategy, c.Agent.Plan.Reflection = "plan", "sometimes" }, `agent.reflection "sometimes" is not known: on, off, on_failure`},
		{func(c *config.Configuration) { c.Agent.Strategy, c.Agent.Plan.Analysis = "plan", "on_failure" }, `agent.analysis "on_failure" is not known: on, off`},
		{func(c *config.Configuration) { c.Agent.Plan.Synthesis = config.Off }, "agent.synthesis has no effect under agent.strategy react"},
		{func(c *config.Configuration) { c.Agent.Plan.Workers = -1 }, "agent.tool_workers is -1"},
		{func(c *config.Configuration) {
			c.Agent.External.Exec, c.Agent.External.Sandbox = []string{"a"}, "chroot"
		}, `agent.sandbox "chroot"`},
		{func(c *config.Configuration) {
			c.Agent.External.HTTP, c.Agent.External.Sandbox = "http://127.0.0.1:1", config.SandboxBwrap
		}, "agent.sandbox is for agent.exec"},
		{func(c *config.Configuration) {
			c.Agent.External.Exec, c.Agent.External.SandboxAllow = []string{"a"}, []string{"b"}
		}, "agent.sandbox_allow has no effect without agent.sandbox"},
		{func(c *config.Configuration) {
			c.Agent.External = config.External{Exec: []string{"a"}, Sandbox: config.SandboxBwrap, SandboxAllow: []string{"ftp://b"}}
		}, `agent.sandbox_allow: "ftp://b": write a host as https://api.example.org`},
		{func(c *config.Configuration) { c.Agent.External.Sandbox = config.SandboxBwrap },
			"agent.sandbox has no effect without agent.exec"},
		{func(c *config.Configuration) { c.Agent.Strategy, c.Agent.Tools = "plan", []string{"complete_task"} }, "complete_task is the tool with which"},
		{func(c *config.Configuration) { c.Pass = "correctness" }, "needs a correctness judge"},
		{func(c *config.Configuration) { c.Pass, c.Judge.Correctness = "both", "same" }, "needs a quality judge"},
		{func(c *config.Configuration) { c.K = 3_000_000_000 }, "k is 3000000000: give 1 to 10000"},
		{func(c *config.Configuration) { c.Limits.Concurrency = 1 << 40 }, "limits.concurrency is"},
		{func(c *config.Configuration) { c.Agent.MaxSteps = math.MaxInt }, "agent.max_steps is"},
		{func(c *config.Configuration) { c.Pass = "vibes" }, `pass "vibes"`},
		{func(c *config.Configuration) { c.Search.Cascade = []string{"bing"} }, "search.cascade [bing]"},
	} {
		conf := config.New()
		c.change(&conf)
		if err := conf.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "concur.yaml")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("k: 5\ndataset: own.yaml\nagent: {tools: [calc], tool_timeout: 2s, temperature: 0}\nlimits: {concurrency: 4}\n")
	got, err := config.Load(path, config.New())
	if err != nil {
		t.Fatal(err)
	}
	want := config.New()
	want.K, want.Agent.Tools, want.Agent.ToolTimeout, want.Agent.Temperature, want.Limits.Concurrency = 5, []string{"calc"}, 2e9, 0, 4
	if diff := cmp.Diff(want, got.Configuration); diff != "" || got.Dataset != "own.yaml" {
		t.Errorf("dataset %q, %s", got.Dataset, diff)
	}

	write("k: many\nagent:\n  tool: [calc]\nname: x\n")
	_, err = config.Load(path, config.New())
	for _, want := range []string{"concur.yaml:1:", "concur.yaml:3:", `"tools"`, "concur.yaml:4:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

// The written form of a configuration is hashed and sealed, so it has the quorum only if that is not the
// default.
func TestQuorumIsWrittenWhereItCounts(t *testing.T) {
	for quorum, want := range map[consensus.Quorum]bool{"": false, consensus.QuorumMajority: false, consensus.QuorumNone: true} {
		c := config.New()
		c.Consensus.Quorum = quorum
		raw, err := yaml.Marshal(c)
		if err != nil || strings.Contains(string(raw), "quorum") != want {
			t.Errorf("quorum %q is written as\n%s%v", quorum, raw, err)
		}
	}
	path := filepath.Join(t.TempDir(), "concur.yaml")
	if err := os.WriteFile(path, []byte("consensus: {quorum: none}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := config.Load(path, config.New()); err != nil || c.Consensus.Quorum != consensus.QuorumNone || len(c.Consensus.Stages) != 3 {
		t.Errorf("consensus %+v, %v", c.Consensus, err)
	}
}

func TestAgentHashCoversTheAgentAndNothingElse(t *testing.T) {
	hash := func(change func(*config.Configuration), parts map[string]string) string {
		c := config.New()
		if change != nil {
			change(&c)
		}
		h, err := c.AgentHash(parts)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	parts := map[string]string{"prompt": "react/v2"}
	base := hash(nil, parts)
	same := hash(func(c *config.Configuration) {
		c.Name, c.K, c.Pass, c.Limits.Concurrency, c.Consensus.Stages, c.Search.Corpus = "x", 9, "y", 1, nil, "elsewhere"
	}, parts)
	if same != base {
		t.Error("a change that cannot reach the agent changed its hash")
	}
	for name, h := range map[string]string{
		"model":       hash(func(c *config.Configuration) { c.Model = "offline:other" }, parts),
		"strategy":    hash(func(c *config.Configuration) { c.Agent.Strategy = config.StrategyCoT }, parts),
		"on_limit":    hash(func(c *config.Configuration) { c.Agent.OnLimit = config.OnLimitStop }, parts),
		"guards":      hash(func(c *config.Configuration) { c.Agent.Guards = nil }, parts),
		"temperature": hash(func(c *config.Configuration) { c.Agent.Temperature = 0 }, parts),
		"locale":      hash(func(c *config.Configuration) { c.Agent.Locale = "de" }, parts),
		"tools":       hash(func(c *config.Configuration) { c.Agent.Tools = nil }, parts),
		"cascade":     hash(func(c *config.Configuration) { c.Search.Cascade = []string{"wikipedia"} }, parts),
		"prompt":      hash(nil, map[string]string{"prompt": "react/v3"}),
	} {
		if h == base {
			t.Errorf("the hash does not cover %s", name)
		}
	}
}
