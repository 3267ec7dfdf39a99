package ablations

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// datasetRule stands for the queries and the gold. normRule stands for the rules that normalise answers; keys
// made by two versions of them must not be compared.
const (
	datasetRule  = "dataset"
	normRule     = "norm"
	verifierRule = "verifier.model"
	extractRule  = "extract"
)

// rule is a rule that Hidden lists.
type rule struct {
	name    string
	setting func(store.Configuration) string // nil if the version is one that the run recorded
	applies func(store.Configuration) bool   // nil if the rule always applies
	counts  func(a, b Side) bool             // whether the rule affects the results; nil if it always does
}

func rules() []rule {
	hasStage := func(stage consensus.Stage) func(store.Configuration) bool {
		return func(c store.Configuration) bool { return slices.Contains(modelStages(c), stage) }
	}
	verifies := func(c store.Configuration) bool { return len(modelStages(c)) > 0 }
	verifier := func(c store.Configuration) string { return modelOf(c, c.Verifier.Model) }
	// If each agent verifies with its own model, the table already shows this difference.
	verifierCounts := func(a, b Side) bool {
		return dependsOnVerifier(a, b) && !(a.OwnVerifier && b.OwnVerifier &&
			a.Rules[verifierRule] != b.Rules[verifierRule])
	}
	extractor := func(c store.Configuration) string { return modelOf(c, c.ExtractorModel()) }
	extracts := func(c store.Configuration) bool { return !c.Extract.IsZero() }
	unread := func(a, b Side) bool { return a.Unread || b.Unread }
	extractorCounts := func(a, b Side) bool { return unread(a, b) && !(a.OwnExtractor && b.OwnExtractor) }
	correctness := func(c store.Configuration) string { return modelOf(c, c.Judge.Correctness) }
	quality := func(c store.Configuration) string { return modelOf(c, c.Judge.Quality) }
	asked := func(model func(store.Configuration) string) func(store.Configuration) bool {
		return func(c store.Configuration) bool { return model(c) != config.NoModel }
	}
	judgedBy := func(judges ...string) func(a, b Side) bool { // true if verdicts of either side use one of these judges
		return func(a, b Side) bool {
			return slices.ContainsFunc(slices.Concat(a.Judges, b.Judges),
				func(j string) bool { return slices.Contains(judges, j) })
		}
	}
	byCorrectness, byQuality := judgedBy(judge.ByCorrectness), judgedBy(judge.ByQuality)
	return []rule{
		{name: normRule},
		{name: "prompt"},
		{name: "dialect"},
		{extractRule, func(c store.Configuration) string { return string(c.Effective().Extract) }, nil, unread},
		{name: "extraction", applies: extracts, counts: unread},
		{"extractor.model", extractor, extracts, extractorCounts},
		{"extractor.temperature", func(c store.Configuration) string {
			return strconv.FormatFloat(c.Extractor.Temperature, 'g', -1, 64)
		}, extracts, unread},
		{name: "extractor_model", applies: extracts, counts: extractorCounts},
		{name: string(consensus.StageVerifier), applies: hasStage(consensus.StageVerifier)},
		{name: string(consensus.StagePick), applies: hasStage(consensus.StagePick)},
		{verifierRule, verifier, verifies, verifierCounts},
		{"verifier.temperature", func(c store.Configuration) string {
			return strconv.FormatFloat(c.Verifier.Temperature, 'g', -1, 64)
		}, verifies, dependsOnVerifier},
		{name: "verifier_traces", applies: func(c store.Configuration) bool { return c.ReadsTraces() }},
		{name: "verifier_model", applies: verifies, counts: verifierCounts},
		{name: "pass", setting: func(c store.Configuration) string { return string(c.Pass) }},
		{name: "judge.correctness", setting: correctness, counts: byCorrectness},
		{name: "judge.quality", setting: quality, counts: byQuality},
		{name: "judge.threshold", setting: func(c store.Configuration) string {
			return strconv.Itoa(c.Judge.Threshold)
		}, counts: judgedBy(judge.ByCorrectness, judge.ByQuality)},
		{name: "correctness", counts: byCorrectness},
		{name: "quality", counts: byQuality},
		{name: "correctness_model", applies: asked(correctness), counts: byCorrectness},
		{name: "quality_model", applies: asked(quality), counts: byQuality},
	}
}

// rulesOf returns the rules that a configuration uses, with their versions. A version is "" if the run did not
// record it.
func rulesOf(m store.Manifest, c store.Configuration) map[string]string {
	recorded, out := facts.Versions(m, c.Name), map[string]string{}
	for _, r := range rules() {
		switch {
		case r.applies != nil && !r.applies(c):
		case r.setting != nil:
			out[r.name] = r.setting(c)
		default:
			out[r.name] = recorded[r.name]
		}
	}
	return out
}

// dependsOnVerifier reports whether the reply of a model decided a consensus on one of the sides, at a stage
// that both sides have.
func dependsOnVerifier(a, b Side) bool {
	shared := slices.ContainsFunc(a.ModelStages,
		func(stage consensus.Stage) bool { return slices.Contains(b.ModelStages, stage) })
	return shared && (a.VerifierCalled || b.VerifierCalled)
}

// modelStages returns the stages of the consensus that call a model.
func modelStages(c store.Configuration) []consensus.Stage {
	all := c.Effective().Consensus.Stages
	return slices.DeleteFunc(all, func(stage consensus.Stage) bool { return !stage.AsksModel() })
}

// modelOf returns the model that a judge or a verifier of a configuration uses.
func modelOf(c store.Configuration, spec string) string {
	return cmp.Or(c.ModelOf(spec), config.NoModel)
}

// Hidden returns the names of the rules that affect verdicts and votes but are not columns of the tables. Two
// sides that differ in a rule are compared only if Options.Across names the rule.
//
//   - prompt and dialect are those of the agent.
//   - correctness and quality are versions of the judges' prompts.
//   - verifier and pick are versions of the consensus's prompts.
//   - …_model is the model name that the provider reported.
func Hidden() []string {
	names := []string{datasetRule}
	for _, r := range rules() {
		names = append(names, r.name)
	}
	return names
}

// refusal returns the reasons why two sides must not be compared; "" if they may be compared. The reasons are
// rules in which the sides differ, and sides that lost too many traces to failures of the infrastructure. A
// rule that only one side uses is a difference of configurations, and no reason. If some queries changed, they
// are left out, as long as there are others to compare.
func refusal(a, b Side, m match, across []string) string {
	if b.sentAs != "" {
		return "it sent the same requests as " + b.sentAs + ", so a difference would be chance"
	}
	var found []string
	for _, r := range rules() {
		was, of := a.Rules[r.name]
		is, both := b.Rules[r.name]
		if !of || !both || was == is || r.counts != nil && !r.counts(a, b) || slices.Contains(across, r.name) {
			continue
		}
		difference := fmt.Sprintf("%s is %s against %s", r.name, cmp.Or(was, "not recorded"),
			cmp.Or(is, "not recorded"))
		if r.name == extractRule {
			difference += " (concur rejudge RUN --extract " + cmp.Or(is, was) + " reads the messages of a run again)"
		}
		if r.name == normRule {
			difference += " (concur run --replay RUN --record-missing reads the recorded answers again, " +
				"votes and judges)"
		}
		found = append(found, difference)
	}
	slices.Sort(found)
	if len(m.changed) > 0 && len(m.pairs) == 0 && !slices.Contains(across, datasetRule) {
		found = append(found, fmt.Sprintf("%s: different text or gold under the same id: %s", datasetRule,
			text.Listed(m.changed)))
	}
	for _, why := range a.Losses.Invalid() {
		found = append(found, a.Name+": "+why)
	}
	found = append(found, b.Losses.Invalid()...)
	return strings.Join(found, "; ")
}

const maxNames = 20 // maximum number of values or rows in an error
