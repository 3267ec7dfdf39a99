package ablations

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
)

// datasetRule is the name under which sides may differ in their queries, and normRule that
// of the rules by which answers are read: keys of two versions are never compared.
const (
	datasetRule = "dataset"
	normRule    = "norm"
)

// The rules that are configured, and what stands behind the names of models; the others of
// Hidden are versions of rules and prompts.
const (
	passRule            = "pass"
	byCorrectness       = "judge.correctness"
	byQuality           = "judge.quality"
	thresholdRule       = "judge.threshold"
	correctnessIdentity = "correctness_model"
	qualityIdentity     = "quality_model"

	byVerifier       = "verifier.model"
	temperatureRule  = "verifier.temperature"
	verifierIdentity = "verifier_model"
)

// Hidden lists what two sides may not differ in unless Options.Across names it: what
// verdicts and votes rest on and no table of configurations shows. prompt and dialect are
// the agent's, correctness and quality the versions of the judges' prompts, verifier and
// pick those of the consensus, …_model what stands behind the models' names.
func Hidden() []string {
	return []string{
		datasetRule, normRule, "prompt", "dialect", config.StageVerifier, config.StagePick,
		byVerifier, temperatureRule, verifierIdentity, passRule,
		byCorrectness, byQuality, thresholdRule, "correctness", "quality", correctnessIdentity, qualityIdentity,
	}
}

// refusal says in which rules two sides differ; "" where they may be compared. A rule that
// only one of them has plays no part in the other, which is a difference of configurations.
func refusal(a, b Side, m match, across []string) string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(a.Rules)) {
		was, is := a.Rules[name], b.Rules[name]
		if _, both := b.Rules[name]; both && was != is && counts(name, a, b) && !slices.Contains(across, name) {
			difference := fmt.Sprintf("%s is %s against %s", name, recorded(was), recorded(is))
			if name == normRule {
				difference += " (concur run --replay RUN --record-missing reads a recording anew, votes and judges)"
			}
			found = append(found, difference)
		}
	}
	if len(m.changed) > 0 && !slices.Contains(across, datasetRule) {
		found = append(found, fmt.Sprintf("%s: not the same text and gold under the same id: %s", datasetRule, some(m.changed, 5)))
	}
	if len(m.unrecorded) > 0 {
		found = append(found, fmt.Sprintf("%s: text and gold were not recorded by the older run: %s", datasetRule, some(m.unrecorded, 5)))
	}
	return strings.Join(found, "; ")
}

func recorded(v string) string { return cmp.Or(v, "not recorded") }

// counts reports whether a rule plays a part in what the two sides came to: one of a judge
// where a verdict of either rests on it, and the verifier's model where both have such a
// stage and either asked it anything.
func counts(rule string, a, b Side) bool {
	judges := slices.Concat(a.Judges, b.Judges)
	switch rule {
	case byCorrectness, "correctness", correctnessIdentity:
		return slices.Contains(judges, judge.ByCorrectness)
	case byQuality, "quality", qualityIdentity:
		return slices.Contains(judges, judge.ByQuality)
	case thresholdRule:
		return len(judges) > 0
	case byVerifier, verifierIdentity:
		// Where both agents verify with their own model, the table shows that it is another.
		shown := a.OwnVerifier && b.OwnVerifier && a.Rules[byVerifier] != b.Rules[byVerifier]
		return asked(a, b) && !shown
	case temperatureRule:
		return asked(a, b)
	}
	return true
}

// asked reports whether a consensus of either side rests on what a model said at a stage
// that both have.
func asked(a, b Side) bool {
	shared := slices.ContainsFunc(a.Asking, func(stage string) bool { return slices.Contains(b.Asking, stage) })
	return shared && (a.Asked || b.Asked)
}

// some names the first of a list and counts the others.
func some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
