package assemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/judge/execution"
	"github.com/seed-5817661a/concur/judge/similarity"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/runner/replay"
)

// Questioners names models that are opened without an agent. "" means no model, and "same" means the model of
// the configuration.
type Questioners struct{ Extractor, Verifier, Correctness string }

// WithJudges opens the extractor, the verifier and the correctness judge with the settings of a configuration,
// but no agent. It calls do, and then closes them. The context of do ends when the budget is spent.
func (a *Assembler) WithJudges(ctx context.Context, c config.Configuration, of Questioners,
	do func(context.Context, runner.Arm) error) error {
	run := c
	verifier, correctness := c.ModelOf(of.Verifier), c.ModelOf(of.Correctness)
	c.Extract, c.Extractor.Model = config.ExtractRules, c.ModelOf(of.Extractor)
	if of.Extractor != "" {
		c.Extract = config.ExtractModel
	}
	c.Judge.Panel.Members = slices.Clone(c.Judge.Panel.Members)
	for i, spec := range c.Judge.Panel.Members {
		c.Judge.Panel.Members[i] = c.ModelOf(spec)
	}
	c.Model, c.Verifier.Model, c.Consensus.Stages = "", verifier, nil
	if verifier != "" {
		c.Consensus.Stages = []consensus.Stage{consensus.StageVerifier}
	}
	c.Judge.Correctness, c.Judge.Quality = correctness, ""
	arm := runner.Arm{Configuration: c}
	return a.within(ctx, runner.Plan{Seed: 1}, run, Options{}, func(ctx context.Context, s *Session) error {
		if err := s.openJudges(&arm); err != nil {
			return err
		}
		return do(ctx, arm)
	})
}

// WhileJudging opens only the extractors, verifiers and judges of a draft whose traces already exist. It calls
// do, and then closes them. A request whose reply is in the recording is not sent.
func (a *Assembler) WhileJudging(ctx context.Context, d runner.Draft, recorded *replay.Recording,
	checked map[string]checking.Result, executed execution.Known, do func(context.Context, *Session) error) error {
	options := Options{Replay: &Replay{Recording: recorded, Missing: true, judging: true}, Checked: checked,
		Executed: executed}
	return a.within(ctx, d.Plan(), d.First(), options, func(ctx context.Context, s *Session) (err error) {
		s.Draft, s.agents = d, d.Manifest.Agents
		for i := range s.Arms {
			arm := &s.Arms[i]
			made := arm.Configuration
			specs := append([]string{made.ExtractorModel(), made.VerifierModel(), made.Judge.Quality,
				made.RubricModel()}, made.CorrectnessModels()...)
			if slices.ContainsFunc(specs, func(spec string) bool { return made.ModelOf(spec) == made.Model }) {
				arm.Model, err = s.Models.Open(made.Model)
			}
			if err == nil {
				err = s.openJudges(arm)
			}
			if err != nil {
				return fmt.Errorf("configuration %s: %w", made.Name, err)
			}
		}
		if err = cmp.Or(s.openPrograms(ctx), s.openDatabases(ctx)); err == nil {
			err = do(ctx, s)
		}
		for _, c := range s.closers {
			err = errors.Join(err, c.Close())
		}
		return err
	})
}

// ruleBased reports whether a judge is the offline model, in this process or served by `concur serve`. Such a
// judge needs no canaries, because its rules are documented.
func ruleBased(spec string) bool {
	_, served, _ := strings.Cut(spec, ":")
	return config.IsOffline(spec) || config.IsOffline(served)
}

// openCorrectness opens the correctness judge or the panel of a configuration, with its calibration.
func openCorrectness(a *runner.Arm, settings func(key, spec string) judge.Settings) (err error) {
	c := a.Configuration
	switch spec := c.Judge.Correctness; spec {
	case "":
	case config.PanelOfJudges:
		a.Correctness = &judge.Correctness{
			Settings: judge.Settings{Name: spec, Threshold: c.Judge.Threshold},
			Panel:    &judge.Panel{Rule: cmp.Or(c.Judge.Panel.Rule, judge.RuleMajority)},
		}
		for _, member := range c.Judge.Panel.Members {
			j := &judge.Correctness{Settings: settings("judge.panel.members", member)}
			a.Correctness.Panel.Members = append(a.Correctness.Panel.Members, j)
		}
	default:
		a.Correctness = &judge.Correctness{Settings: settings("judge.correctness", spec)}
	}
	if path := c.Judge.Calibration; path != "" && a.Correctness != nil {
		if a.Calibration, err = judge.ReadCalibration(path, a.Correctness.Version()); err != nil {
			return err
		}
		if p := a.Correctness.Panel; p != nil && p.Rule == judge.RuleCalibrated {
			p.Weights = a.Calibration.Weights()
		}
	}
	if p := c.Judge.Panel; c.Judge.Correctness == config.PanelOfJudges && p.Rule == judge.RuleCalibrated &&
		a.Calibration == nil {
		return errors.New("judge.panel.rule is calibrated, but judge.calibration is not set: set it to a file of " +
			"`concur judge calibrate`, or use the rule majority or veto")
	}
	return nil
}

func (s *Session) verifierCache(name string, v config.Verifier) *consensus.Cache {
	key := fmt.Sprintf("%s at %g to %d", name, v.Temperature, v.MaxTokens)
	c, _ := openOnce(s.verifierCaches, key, func() (*consensus.Cache, error) { return &consensus.Cache{}, nil })
	return c
}

// pickCache returns the cache of a picker. The verifier has another cache, because it has other canaries.
func (s *Session) pickCache(name string, v config.Verifier) *consensus.Cache {
	return s.verifierCache("pick "+name, v)
}

// openJudges opens the extractor, the verifier, the picker and the judges of a configuration. The model of its
// agent must already be open, because "same" means this model.
func (s *Session) openJudges(a *runner.Arm) error {
	c := a.Configuration
	var failed error // the first error
	open := func(key, spec string) (model.Model, string) {
		if spec = c.ModelOf(spec); spec == c.Model {
			return a.Model, spec
		}
		m, err := s.Models.Open(spec)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", key, err)
		}
		return m, spec
	}
	if spec := c.ExtractorModel(); spec != "" {
		m, name := open("extractor.model", spec)
		a.Extractor = &extract.Reader{
			Model: m, Name: name, Temperature: c.Extractor.Temperature, MaxTokens: c.Extractor.MaxTokens, Seed: s.Seed,
			Canaries: !ruleBased(name), Plain: s.plain(), Cache: s.readings,
		}
	}
	verifies, picks := slices.Contains(c.Consensus.Stages, consensus.StageVerifier),
		slices.Contains(c.Consensus.Stages, consensus.StagePick)
	if verifies || picks {
		m, name := open("verifier.model", c.Verifier.Model)
		if verifies {
			a.Verifier = &consensus.Verifier{
				Model: m, Name: name, Temperature: c.Verifier.Temperature, MaxTokens: c.Verifier.MaxTokens,
				Seed:     s.Seed,
				Canaries: !ruleBased(name), Plain: s.plain(), Cache: s.verifierCache(name, c.Verifier),
				Reads: c.Verifier.Reads,
			}
		}
		if picks {
			a.Picker = &consensus.Picker{
				Model: m, Name: name, Temperature: c.Verifier.Temperature, MaxTokens: c.Verifier.MaxTokens, Seed: s.Seed,
				Canaries: !ruleBased(name) && (c.ReadsTraces() || s.tries(pickCanaries)), Plain: s.plain(),
				Cache: s.pickCache(name, c.Verifier), Reads: c.Verifier.Reads,
			}
		}
	}
	settings := func(key, spec string) judge.Settings {
		m, name := open(key, spec)
		return judge.Settings{
			Model: m, Name: name, Threshold: c.Judge.Threshold, MaxTokens: c.Judge.MaxTokens, Seed: s.Seed,
			Cache:   s.judgeCache,
			Repeats: c.Judge.Repeats, Canaries: !ruleBased(name), Plain: s.plain(),
		}
	}
	if err := openCorrectness(a, settings); err != nil {
		return cmp.Or(failed, err)
	}
	if spec := c.RubricModel(); spec != "" {
		a.Rubric = &judge.Rubric{Settings: settings("judge.rubric", spec)}
		a.Rubric.Canaries = a.Rubric.Canaries && s.tries(rubricCanaries)
		for _, item := range c.Judge.Rubric {
			a.Rubric.Items = append(a.Rubric.Items,
				judge.Item{ID: item.ID, Ask: item.Ask, Evidence: item.Evidence == config.EvidenceRequired})
		}
	}
	if spec := c.Judge.Quality; spec != "" {
		a.Quality = &judge.Quality{Settings: settings("judge.quality", spec)}
	}
	return cmp.Or(failed, s.openSimilarity(a))
}

// openSimilarity opens the model for embeddings of the checks similar, if the dataset has such checks.
func (s *Session) openSimilarity(a *runner.Arm) error {
	spec := a.Configuration.Judge.Embeddings
	if spec == "" || s.Draft.Dataset == nil || len(s.Draft.Dataset.Similar()) == 0 {
		return nil
	}
	m, err := openOnce(s.vectors, spec, func() (model.Model, error) { return s.Models.OpenVectors(spec) })
	if err != nil {
		return fmt.Errorf("judge.embeddings %q: %w", spec, err)
	}
	a.Similarity = &similarity.Measure{Model: m, Name: spec, Cache: &s.compared}
	return nil
}
