package assemble

import (
	"fmt"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/cite"
	"github.com/seed-5817661a/concur/runner/guard/inject"
	"github.com/seed-5817661a/concur/runner/tool/calc"
	"github.com/seed-5817661a/concur/runner/tool/planner"
	"github.com/seed-5817661a/concur/runner/tool/search"
	"github.com/seed-5817661a/concur/runner/tool/search/baidu"
	"github.com/seed-5817661a/concur/runner/tool/search/serper"
	"github.com/seed-5817661a/concur/runner/tool/search/wikipedia"
)

// agentVersions are those of all rules and prompts that can reach the agent.
func agentVersions() map[string]string {
	return map[string]string{
		"prompt": session.PromptVersion, "dialect": dialect.Version, "norm": answer.Version, "injection": inject.Version, "citation": cite.Version,
		"planner": planner.Version, "calc": calc.Version,
		"search": search.Version, "wikipedia": wikipedia.Version, "serper": serper.Version, "baidu": baidu.Version,
	}
}

// Versions are what a manifest records of rules, prompts and models. With several
// configurations the key of a model has the configuration's name.
func (a *Assembler) Versions(confs ...config.Configuration) map[string]string {
	v := agentVersions()
	v["verifier"], v["pick"] = consensus.VerifierPromptVersion, consensus.PickPromptVersion
	v["correctness"], v["quality"] = judge.CorrectnessPromptVersion, judge.QualityPromptVersion
	v["rubric"], v["canaries"] = judge.RubricPromptVersion, judge.CanariesVersion()
	v["concur"], v["commit"] = a.build.Version, a.build.Commit
	for _, c := range confs {
		of := ""
		if len(confs) > 1 {
			of = " of " + c.Name
		}
		for i, spec := range c.CorrectnessModels() {
			role := "correctness_model"
			if i > 0 {
				role += fmt.Sprintf(" %d", i+1)
			}
			v[role+of] = a.modelVersion(spec, c.Providers)
		}
		for _, agent := range c.SubAgents() {
			v["model "+agent+of] = a.modelVersion(c.ModelAt(agent), c.Providers)
		}
		for role, spec := range map[string]string{"model": c.Model, "verifier_model": c.VerifierModel(), "quality_model": c.Judge.Quality} {
			if spec == config.SameModel {
				spec = c.Model
			}
			if spec != "" {
				v[role+of] = a.modelVersion(spec, c.Providers)
			}
		}
	}
	return v
}
