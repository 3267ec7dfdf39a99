package ablations

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Summarize computes the numbers of a run, and compares its configurations with one of them:
// baseline, or the run's own where that is "".
func Summarize(run *store.Run, baseline string, o Options) (*result.Result, error) {
	m := run.Manifest
	r, err := result.Summarize(m, run.Records())
	if err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, adviseJudge(m)...)
	r.Baseline = m.Baseline
	switch {
	case len(m.Configurations) == 1 && baseline != "":
		return nil, fmt.Errorf("report run %s: it has one configuration, so that nothing can be compared with --baseline %s: leave it out; `concur compare` compares one run with another", m.Run, baseline)
	case len(m.Configurations) == 1:
		return r, nil
	case baseline != "":
		var names []string
		for _, c := range m.Configurations {
			names = append(names, c.Name)
		}
		at, err := find(names, baseline)
		if err != nil {
			return nil, err
		}
		r.Baseline = names[at]
	case r.Baseline == "":
		r.Warnings = append(r.Warnings, "nothing is compared, since the run names no baseline: choose one with --baseline NAME")
		return r, nil
	}
	if m.State != store.Complete {
		r.Warnings = append(r.Warnings, "the run is not complete, so nothing is compared: the queries that are missing may be those that differ")
		return r, nil
	}
	sides, err := Sides(m, run.Records())
	if err != nil {
		return nil, err
	}
	if r.Comparisons, err = Against(r.Baseline, sides, o); err != nil {
		return nil, err
	}
	r.Family = FamilyOf(r.Comparisons)
	settings := map[string]config.Configuration{}
	for _, c := range m.Configurations {
		settings[c.Name] = c.Configuration
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		c.Differs = facts.Settings(settings[c.Baseline], settings[c.Configuration])
	}
	return r, nil
}

// adviseJudge says how to name a judge where a real model ran without one: once, and for
// which configurations if not for all.
func adviseJudge(m store.Manifest) (without []string) {
	for _, c := range m.Configurations {
		if !config.IsOffline(c.Model) && c.Configuration.Agent.External.Imported == "" && c.Judge.Correctness == "" && c.Judge.Quality == "" {
			without = append(without, c.Name)
		}
	}
	which := ""
	switch {
	case len(without) == 0:
		return nil
	case len(without) < len(m.Configurations):
		which = " about " + strings.Join(without, ", ")
	}
	return []string{"no judge was asked" + which + "; to have answers judged by a model, add --judge openai:gpt-4o, or judge: {correctness: …, quality: …} in concur.yaml"}
}
