package ablations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// Hidden lists the rules that affect verdicts and votes but appear in no table of
// configurations. Two sides that differ in one are compared only if Options.Across names
// it. prompt and dialect are the agent's; correctness and quality are versions of the
// judges' prompts, verifier and pick those of the consensus; …_model is the model that the
// provider reported for a name.
func Hidden() []string {
	names := []string{datasetRule}
	for _, r := range rules() {
		names = append(names, r.name)
	}
	return names
}

// refusal says why two sides are not compared: in which rules they differ, and which of them
// lost too much to the infrastructure; "" if they may be compared. A rule that applies to one
// side only is a difference of configurations and no reason to refuse. Changed queries are
// left out where others can be compared.
func refusal(a, b Side, m match, across []string) string {
	var found []string
	for _, r := range rules() {
		was, of := a.Rules[r.name]
		is, both := b.Rules[r.name]
		if !of || !both || was == is || r.counts != nil && !r.counts(a, b) || slices.Contains(across, r.name) {
			continue
		}
		difference := fmt.Sprintf("%s is %s against %s", r.name, cmp.Or(was, "not recorded"), cmp.Or(is, "not recorded"))
		if r.name == normRule {
			difference += " (concur run --replay RUN --record-missing reads the recorded answers again, votes and judges)"
		}
		found = append(found, difference)
	}
	slices.Sort(found)
	if len(m.changed) > 0 && len(m.pairs) == 0 && !slices.Contains(across, datasetRule) {
		found = append(found, fmt.Sprintf("%s: not the same text and gold under the same id: %s", datasetRule, text.Listed(m.changed)))
	}
	if len(m.noHash) > 0 {
		found = append(found, fmt.Sprintf("%s: text and gold were not recorded by the older run: %s", datasetRule, text.Listed(m.noHash)))
	}
	for _, why := range a.Losses.Invalid() {
		found = append(found, a.Name+": "+why)
	}
	found = append(found, b.Losses.Invalid()...)
	return strings.Join(found, "; ")
}

const maxNames = 20 // of values or rows in an error
