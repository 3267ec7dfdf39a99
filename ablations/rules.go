package ablations

import (
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// rulesOf gives the rules that play a part in a configuration; "" is one that its run did
// not record. Of a run that is older than all versions, none of them is known.
func rulesOf(m store.Manifest, c store.Configuration) map[string]string {
	rules := map[string]string{
		passRule: c.Pass, byCorrectness: modelOf(c, c.Judge.Correctness), byQuality: modelOf(c, c.Judge.Quality),
		thresholdRule: strconv.Itoa(c.Judge.Threshold),
	}
	versions := []string{normRule, "prompt", "dialect", "correctness", "quality"}
	if stages := askingStages(c); len(stages) > 0 {
		versions = append(versions, stages...)
		versions = append(versions, verifierIdentity)
		rules[byVerifier] = modelOf(c, c.Verifier.Model)
		rules[temperatureRule] = strconv.FormatFloat(c.Verifier.Temperature, 'g', -1, 64)
	}
	if rules[byCorrectness] != config.NoModel {
		versions = append(versions, correctnessIdentity)
	}
	if rules[byQuality] != config.NoModel {
		versions = append(versions, qualityIdentity)
	}
	if len(m.Versions) == 0 {
		return rules
	}
	for _, name := range versions {
		rules[name] = version(m, c.Name, name)
	}
	return rules
}

// version is that of a rule, "" where it was not recorded. Those that belong to one among
// several configurations bear its name.
func version(m store.Manifest, configuration, rule string) string {
	if v, own := m.Versions[rule+" of "+configuration]; own && len(m.Configurations) > 1 {
		return v
	}
	return m.Versions[rule]
}

// askingStages are the stages of a consensus in force that ask a model.
func askingStages(c store.Configuration) []string {
	var out []string
	for _, stage := range c.Effective().Consensus.Stages {
		if stage == config.StageVerifier || stage == config.StagePick {
			out = append(out, stage)
		}
	}
	return out
}

// modelOf is what the model of a judge or a verifier comes to in a configuration.
func modelOf(c store.Configuration, spec string) string {
	switch spec {
	case "":
		return config.NoModel
	case config.SameModel:
		return c.Model
	}
	return spec
}

// judgesOf are the judges that decide in a pass mode, whatever the gold says.
func judgesOf(pass string) []string {
	switch judge.Mode(pass) {
	case judge.PassCorrectness:
		return []string{judge.ByCorrectness}
	case judge.PassQuality:
		return []string{judge.ByQuality}
	case judge.PassBoth:
		return []string{judge.ByCorrectness, judge.ByQuality}
	}
	return nil
}

// ownVerifier reports whether answers are held against each other by the agent's own model.
func ownVerifier(c store.Configuration) bool {
	return len(askingStages(c)) > 0 && slices.Contains([]string{config.SameModel, c.Model}, c.Verifier.Model)
}
