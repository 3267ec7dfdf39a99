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

// datasetRule covers queries and gold. normRule covers the rules that normalise answers:
// keys of two versions are never compared.
const (
	datasetRule = "dataset"
	normRule    = "norm"
)

// The rules that come from the configuration, and the identities of models that providers
// report; the others of Hidden are versions of rules and prompts.
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

// Hidden lists the rules that affect verdicts and votes but appear in no table of
// configurations. Two sides that differ in one are compared only if Options.Across names
// it. prompt and dialect are the agent's; correctness and quality are versions of the
// judges' prompts, verifier and pick those of the consensus; …_model is the model that the
// provider reported for a name.
func Hidden() []string {
	return []string{
		datasetRule, normRule, "prompt", "dialect", config.StageVerifier, config.StagePick,
		byVerifier, temperatureRule, verifierIdentity, passRule,
		byCorrectness, byQuality, thresholdRule, "correctness", "quality", correctnessIdentity, qualityIdentity,
	}
}

// refusal says why two sides are not compared: in which rules they differ, and which of them
// lost too much to the infrastructure; "" if they may be compared. A rule that applies to one
// side only is a difference of configurations and no reason to refuse. Changed queries are
// left out where others can be compared.
func refusal(a, b Side, m match, across []string) string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(a.Rules)) {
		was, is := a.Rules[name], b.Rules[name]
		if _, both := b.Rules[name]; both && was != is && counts(name, a, b) && !slices.Contains(across, name) {
			difference := fmt.Sprintf("%s is %s against %s", name, cmp.Or(was, "not recorded"), cmp.Or(is, "not recorded"))
			if name == normRule {
				difference += " (concur run --replay RUN --record-missing reads the recorded answers again, votes and judges)"
			}
			found = append(found, difference)
		}
	}
	if len(m.changed) > 0 && len(m.pairs) == 0 && !slices.Contains(across, datasetRule) {
		found = append(found, fmt.Sprintf("%s: not the same text and gold under the same id: %s", datasetRule, some(m.changed, 5)))
	}
	if len(m.noHash) > 0 {
		found = append(found, fmt.Sprintf("%s: text and gold were not recorded by the older run: %s", datasetRule, some(m.noHash, 5)))
	}
	for _, why := range a.Losses.Invalid() {
		found = append(found, a.Name+": "+why)
	}
	found = append(found, b.Losses.Invalid()...)
	return strings.Join(found, "; ")
}

// counts reports whether a rule affects the results of the two sides. A judge's rule does
// if the verdicts of either side use that judge; a verifier's rule does if
// dependsOnVerifier.
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
		// If both agents verify with their own model, the table already shows the difference.
		shown := a.OwnVerifier && b.OwnVerifier && a.Rules[byVerifier] != b.Rules[byVerifier]
		return dependsOnVerifier(a, b) && !shown
	case temperatureRule:
		return dependsOnVerifier(a, b)
	}
	return true
}

// dependsOnVerifier reports whether a consensus of either side depends on the reply of a
// model at a stage that both have.
func dependsOnVerifier(a, b Side) bool {
	shared := slices.ContainsFunc(a.ModelStages, func(stage string) bool { return slices.Contains(b.ModelStages, stage) })
	return shared && (a.VerifierCalled || b.VerifierCalled)
}

const maxNames = 20 // of values or rows in an error

// some joins the first names of a list and counts the rest.
func some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
