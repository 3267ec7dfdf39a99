package flags

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/config"
)

// ConfigurationGroup returns flags that set keys of the configuration.
func ConfigurationGroup(s *Settings) []cli.Flag {
	return append([]cli.Flag{Model(s), tracesKey(s)}, OtherConfigurationGroup(s)...)
}

// OtherConfigurationGroup returns ConfigurationGroup without --model and --k, for a command with another
// default of --k.
func OtherConfigurationGroup(s *Settings) []cli.Flag {
	return slices.Concat(agentFlags(s), LimitGroup(s), []cli.Flag{
		textKey(s, &cli.StringFlag{
			Name: NameCorpus, TakesFile: true, Destination: &s.Corpus, EnvVars: []string{"CONCUR_CORPUS"},
			DefaultText: defaults().Search.Corpus,
			Usage: "`FOLDER` of .md, .txt, .html, .jsonl and .csv files that web_search searches, or one " +
				"such file, or offline for the built-in corpus, or guards24 for that dataset's",
		}, setCorpus),
	})
}

// agentFlags returns the flags that define an agent, and how its answers are read and judged.
func agentFlags(s *Settings) []cli.Flag {
	return []cli.Flag{
		numberKey(s, &cli.Float64Flag{
			Name: "temperature", EnvVars: []string{"CONCUR_TEMPERATURE"}, DefaultText: fmt.Sprint(defaults().Agent.Temperature),
			Usage: "sampling `TEMPERATURE`, 0 to 2",
		}, func(c *config.Configuration, v float64) { c.Agent.Temperature = v }),
		wordKey(s, &cli.StringFlag{
			Name: "strategy", EnvVars: []string{"CONCUR_STRATEGY"}, DefaultText: defaults().Agent.Strategy,
			Usage: "`STRATEGY`: react, plan (planned rounds), or cot or direct (one model call without tools)",
		}, config.Strategies(), func(c *config.Configuration, v string) { c.Agent.Strategy = v }),
		wordKey(s, &cli.StringFlag{
			Name: "protocol", EnvVars: []string{"CONCUR_PROTOCOL"}, DefaultText: defaults().Agent.Protocol,
			Usage: "`PROTOCOL` of tool calls: native, text (calls written as text), or inline (calls within one text)",
		}, config.Protocols(),
			func(c *config.Configuration, v string) { c.Agent.Protocol = v }),
		listKey(s, &cli.StringSliceFlag{
			Name: "tools", EnvVars: []string{"CONCUR_TOOLS"}, DefaultText: strings.Join(defaults().Agent.Tools, ","),
			Usage: "`TOOLS` of the agent",
		}, func(c *config.Configuration, v []string) { c.Agent.Tools = v }),
		withoutKey(s, &cli.StringSliceFlag{
			Name: "without", EnvVars: []string{"CONCUR_WITHOUT"},
			Usage: "remove `PARTS`: tools, guards (" + "guard." + strings.Join(config.Guards(), ", guard.") +
				"), stages (stage.verifier, …), judges (judge.quality, …), confidence_check",
		}),
		Extract(s),
		Extractor(s),
		Judge(s),
		Calibration(s),
		Pass(s),
		WholeKey(s, &cli.IntFlag{
			Name: "max-steps", EnvVars: []string{"CONCUR_MAX_STEPS"}, DefaultText: "what the query says, else " +
				fmt.Sprint(defaults().Agent.MaxSteps),
			Usage: "model `TURNS` per trace",
		}, func(c *config.Configuration, v int) { c.Agent.MaxSteps, c.Agent.FixedSteps = v, true }),
		WholeKey(s, &cli.IntFlag{
			Name: "max-tool-calls", EnvVars: []string{"CONCUR_MAX_TOOL_CALLS"},
			DefaultText: fmt.Sprint(defaults().Agent.MaxToolCalls),
			Usage:       "tool `CALLS` per trace",
		}, func(c *config.Configuration, v int) { c.Agent.MaxToolCalls = v }),
		ToolTimeout(s),
		textKey(s, &cli.StringFlag{
			Name: "playbook", TakesFile: true, EnvVars: []string{"CONCUR_PLAYBOOK"}, DefaultText: "none",
			Usage: "`FILE` of advice from earlier runs, see concur playbook",
		}, func(c *config.Configuration, v string) { c.Agent.Playbook.File = v }),
	}
}

// LimitGroup returns the flags for keys that affect neither the agent nor the results.
func LimitGroup(s *Settings) []cli.Flag {
	return []cli.Flag{
		WholeKey(s, &cli.IntFlag{
			Name: NameConcurrency, EnvVars: []string{"CONCUR_CONCURRENCY"}, DefaultText: strconv.Itoa(config.DefaultTraces) +
				"; requests at loopback begin with " +
				strconv.Itoa(provider.LoopbackStart),
			Usage: "number of `TRACES` at the same time",
		}, func(c *config.Configuration, v int) { c.Limits.Concurrency = v }),
		WholeKey(s, &cli.IntFlag{
			Name: "rpm", EnvVars: []string{"CONCUR_RPM"}, DefaultText: "no bound",
			Usage: "`REQUESTS` per minute to one endpoint",
		}, func(c *config.Configuration, v int) { c.Limits.RPM = v }),
		WholeKey(s, &cli.IntFlag{
			Name: "tpm", EnvVars: []string{"CONCUR_TPM"}, DefaultText: "no bound",
			Usage: "`TOKENS` per minute to one endpoint",
		}, func(c *config.Configuration, v int) { c.Limits.TPM = v }),
		numberKey(s, &cli.Float64Flag{
			Name: NameBudgetUSD, EnvVars: []string{"CONCUR_BUDGET_USD"}, DefaultText: "no bound",
			Usage: "end the run when it has cost this many `DOLLARS`",
		}, func(c *config.Configuration, v float64) { c.Limits.USD = v }),
		WholeKey(s, &cli.IntFlag{
			Name: "budget-tokens", EnvVars: []string{"CONCUR_BUDGET_TOKENS"}, DefaultText: "no bound",
			Usage: "end the run when it has used this many `TOKENS`",
		}, func(c *config.Configuration, v int) { c.Limits.Tokens = v }),
		WholeKey(s, &cli.IntFlag{
			Name: "tries", EnvVars: []string{"CONCUR_TRIES"}, DefaultText: fmt.Sprint(defaults().Limits.Tries),
			Usage: "how many `TIMES` one request is sent at most",
		}, func(c *config.Configuration, v int) { c.Limits.Tries = v }),
		timeKey(s, &cli.DurationFlag{
			Name: "give-up", EnvVars: []string{"CONCUR_GIVE_UP"}, DefaultText: fmt.Sprint(defaults().Limits.GiveUp),
			Usage: "`TIME` after which the run ends if the endpoint never worked",
		}, func(c *config.Configuration, v time.Duration) { c.Limits.GiveUp = v }),
	}
}

// Model returns the flag --model, which sets a key of the configuration.
func Model(s *Settings) cli.Flag {
	return textKey(s, &cli.StringFlag{
		Name: "model", EnvVars: []string{"CONCUR_MODEL"}, DefaultText: defaults().Model,
		Usage: "`PROVIDER:MODEL`",
	}, func(c *config.Configuration, v string) { c.Model = v })
}

func tracesKey(s *Settings) cli.Flag {
	return WholeKey(s, &cli.IntFlag{
		Name: NameK, EnvVars: []string{"CONCUR_K"}, DefaultText: fmt.Sprint(defaults().K),
		Usage: "`TRACES` per query",
	}, func(c *config.Configuration, v int) { c.K = v })
}

// Extract returns the flag --extract, which sets a key of the configuration.
func Extract(s *Settings) cli.Flag {
	return wordKey(s, &cli.StringFlag{
		Name: NameExtract, EnvVars: []string{"CONCUR_EXTRACT"}, DefaultText: "rules",
		Usage: "`READER` of answers in final messages: rules, or model (if the rules find none, " +
			"--extractor is asked)",
	}, []config.Extract{config.ExtractRules, config.ExtractModel},
		func(c *config.Configuration, v config.Extract) { c.Extract = v })
}

// Extractor returns the flag --extractor, which sets a key of the configuration.
func Extractor(s *Settings) cli.Flag {
	return textKey(s, &cli.StringFlag{
		Name: NameExtractor, EnvVars: []string{"CONCUR_EXTRACTOR"}, DefaultText: "same",
		Usage: "`PROVIDER:MODEL` that --extract model asks; same: the agent's model",
	}, func(c *config.Configuration, v string) { c.Extractor.Model = v })
}

// Judge returns the flag --judge, which sets a key of the configuration.
func Judge(s *Settings) cli.Flag {
	return textKey(s, &cli.StringFlag{
		Name: NameJudge, EnvVars: []string{"CONCUR_JUDGE"}, DefaultText: "none; the rule-based ones for an offline model",
		Usage: "`PROVIDER:MODEL` that judges correctness and quality; same: the agent's model",
	}, func(c *config.Configuration, v string) { c.Judge.Correctness, c.Judge.Quality = v, v })
}

// Calibration returns the flag --calibration, which sets a key of the configuration.
func Calibration(s *Settings) cli.Flag {
	return textKey(s, &cli.StringFlag{
		Name: NameCalibration, TakesFile: true, EnvVars: []string{"CONCUR_CALIBRATION"}, DefaultText: "none",
		Usage: "calibration `FILE` of the correctness judge, made by concur judge calibrate",
	}, func(c *config.Configuration, v string) { c.Judge.Calibration = v })
}

// Pass returns the flag --pass, which sets a key of the configuration.
func Pass(s *Settings) cli.Flag {
	return wordKey(s, &cli.StringFlag{
		Name: NamePass, EnvVars: []string{"CONCUR_PASS"}, DefaultText: string(defaults().Pass),
		Usage: "the `RULE` by which a query passes: gold, correctness, quality, both, or gold+tools",
	}, judge.Modes(), func(c *config.Configuration, v judge.Mode) { c.Pass = v })
}

// ToolTimeout returns the flag --tool-timeout, which sets a key of the configuration.
func ToolTimeout(s *Settings) cli.Flag {
	return timeKey(s, &cli.DurationFlag{
		Name: "tool-timeout", EnvVars: []string{"CONCUR_TOOL_TIMEOUT"}, DefaultText: fmt.Sprint(defaults().Agent.ToolTimeout),
		Usage: "`DEADLINE` of a call of a tool that uses the network or another process",
	}, func(c *config.Configuration, v time.Duration) { c.Agent.ToolTimeout = v })
}

// Threshold returns the flag --threshold, which sets a key of the configuration.
func Threshold(s *Settings) cli.Flag {
	return WholeKey(s, &cli.IntFlag{
		Name: "threshold", EnvVars: []string{"CONCUR_THRESHOLD"}, DefaultText: "as configured",
		Usage: "lowest `SCORE` that passes, 2 to 5",
	}, func(c *config.Configuration, v int) { c.Judge.Threshold = v })
}

// Repeats returns the flag --repeats, which sets a key of the configuration.
func Repeats(s *Settings) cli.Flag {
	return WholeKey(s, &cli.IntFlag{
		Name: "repeats", EnvVars: []string{"CONCUR_REPEATS"}, DefaultText: "as configured",
		Usage: "judge a borderline answer this many `TIMES`",
	}, func(c *config.Configuration, v int) { c.Judge.Repeats = v })
}

// Stages returns the flag --stages, which sets a key of the configuration.
func Stages(s *Settings) cli.Flag {
	return listKey(s, &cli.StringSliceFlag{
		Name: "stages", EnvVars: []string{"CONCUR_STAGES"},
		Usage: "`STAGES` of the consensus, such as exact,verifier,majority",
	}, func(c *config.Configuration, v []string) {
		c.Consensus.Stages = make([]consensus.Stage, len(v))
		for i, stage := range v {
			c.Consensus.Stages[i] = consensus.Stage(stage)
		}
	})
}

// Quorum returns the flag --quorum, which sets a key of the configuration.
func Quorum(s *Settings) cli.Flag {
	return wordKey(s, &cli.StringFlag{
		Name: "quorum", EnvVars: []string{"CONCUR_QUORUM"},
		Usage: "`QUORUM`: majority or none",
	}, consensus.Quorums(), func(c *config.Configuration, v consensus.Quorum) { c.Consensus.Quorum = v })
}

// Verifier returns the flag --verifier, which sets a key of the configuration.
func Verifier(s *Settings) cli.Flag {
	return textKey(s, &cli.StringFlag{
		Name: "verifier", EnvVars: []string{"CONCUR_VERIFIER"},
		Usage: "`PROVIDER:MODEL` of the verifier; same: the agent's model",
	}, func(c *config.Configuration, v string) { c.Verifier.Model = v })
}

// Texts returns --corpus for commands that call tools without a run.
func Texts(s *Settings) cli.Flag {
	return textKey(s, &cli.StringFlag{
		Name: NameCorpus, TakesFile: true, Destination: &s.Corpus, EnvVars: []string{"CONCUR_CORPUS"},
		DefaultText: "the configuration's",
		Usage:       "`TEXTS` for web_search: offline, a folder or a file as for run",
	}, setCorpus)
}

// setCorpus makes a corpus the only source of web_search.
func setCorpus(c *config.Configuration, folder string) {
	c.Search.Corpus, c.Search.Cascade = folder, []string{config.BackendCorpus}
}
