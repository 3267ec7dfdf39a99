package ablations

import (
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// rulesOf gives the rules that apply to a configuration; "" is one that its run did not
// record. A run without any versions is older than all of them: none is in the map.
func rulesOf(m store.Manifest, c store.Configuration) map[string]string {
	rules := map[string]string{
		passRule: c.Pass, byCorrectness: modelOf(c, c.Judge.Correctness), byQuality: modelOf(c, c.Judge.Quality),
		thresholdRule: strconv.Itoa(c.Judge.Threshold),
	}
	versions := []string{normRule, "prompt", "dialect", "correctness", "quality"}
	if stages := modelStages(c); len(stages) > 0 {
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
	recorded := facts.Versions(m, c.Name)
	for _, name := range versions {
		rules[name] = recorded[name]
	}
	return rules
}

// modelStages are the stages of the consensus that call a model.
func modelStages(c store.Configuration) []string {
	var out []string
	for _, stage := range c.Effective().Consensus.Stages {
		if stage == config.StageVerifier || stage == config.StagePick {
			out = append(out, stage)
		}
	}
	return out
}

// modelOf resolves the model of a judge or a verifier in a configuration.
func modelOf(c store.Configuration, spec string) string {
	switch spec {
	case "":
		return config.NoModel
	case config.SameModel:
		return c.Model
	}
	return spec
}

// judgesOf are the judges that decide in a pass mode, regardless of the gold.
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

// ownVerifier reports whether the agent's own model compares the answers.
func ownVerifier(c store.Configuration) bool {
	return len(modelStages(c)) > 0 && slices.Contains([]string{config.SameModel, c.Model}, c.Verifier.Model)
}
