package ablations

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// datasetRule is the name under which sides may differ in their queries.
const datasetRule = "dataset"

// The rules that are configured; the others of Hidden are versions of a manifest.
const (
	passRule      = "pass"
	byCorrectness = "judge.correctness"
	byQuality     = "judge.quality"
	thresholdRule = "judge.threshold"
)

// Hidden lists what two sides may not differ in unless Options.Across names it: what
// verdicts and votes rest on and no table of configurations shows. prompt and dialect are
// the agent's, correctness and quality the versions of the judges' prompts, …_model what
// stands behind the judges' names.
func Hidden() []string {
	return []string{
		datasetRule, "norm", "prompt", "dialect", "verifier", "pick", passRule,
		byCorrectness, byQuality, thresholdRule, "correctness", "quality", "correctness_model", "quality_model",
	}
}

func rulesOf(m store.Manifest, c store.Configuration) map[string]string {
	rules := map[string]string{
		passRule: c.Pass, byCorrectness: judgeModel(c, c.Judge.Correctness), byQuality: judgeModel(c, c.Judge.Quality),
		thresholdRule: strconv.Itoa(c.Judge.Threshold),
	}
	versions := []string{"norm", "prompt", "dialect", "correctness", "quality"}
	for _, stage := range []string{config.StageVerifier, config.StagePick} {
		if slices.Contains(c.Consensus.Stages, stage) {
			versions = append(versions, stage)
		}
	}
	if len(m.Configurations) == 1 { // else it would not be told whose they are
		versions = append(versions, "correctness_model", "quality_model")
	}
	for _, name := range versions {
		if v := m.Versions[name]; v != "" {
			rules[name] = v
		}
	}
	return rules
}

// judgeModel is what a judge's model comes to in a configuration.
func judgeModel(c store.Configuration, spec string) string {
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

// refusal says in which rules two sides differ; "" where they may be compared. Rules of a
// judge count where a verdict of either side rests on it, and others where both have them.
func refusal(a, b Side, m match, across []string) string {
	var found []string
	judges := slices.Concat(a.Judges, b.Judges)
	for _, name := range slices.Sorted(maps.Keys(a.Rules)) {
		was, is := a.Rules[name], b.Rules[name]
		if _, both := b.Rules[name]; both && was != is && counts(name, judges) && !slices.Contains(across, name) {
			found = append(found, fmt.Sprintf("%s is %s against %s", name, was, is))
		}
	}
	if len(m.changed) > 0 && !slices.Contains(across, datasetRule) {
		found = append(found, fmt.Sprintf("%s: not the same text and gold under the same id: %s", datasetRule, some(m.changed, 5)))
	}
	return strings.Join(found, "; ")
}

// counts reports whether a rule does where these judges decide.
func counts(rule string, judges []string) bool {
	switch rule {
	case byCorrectness, "correctness", "correctness_model":
		return slices.Contains(judges, judge.ByCorrectness)
	case byQuality, "quality", "quality_model":
		return slices.Contains(judges, judge.ByQuality)
	case thresholdRule:
		return len(judges) > 0
	}
	return true
}

// some names the first of a list and counts the others.
func some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
