package ablations

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// comparisonSchema is the schema of a comparison of two runs as JSON: a Result of both.
const comparisonSchema = "concur/comparison/v1"

// CompareRuns puts the configurations of two finished runs into one result. Their names begin with the letter
// of their run. It compares configurations that have the same name, or the only configurations of the two runs.
// The first run is the baseline. names chooses one configuration of each run: one name for both runs, or one
// for each. Without names, all configurations are compared.
func CompareRuns(runs [2]*store.Run, names []string, o Options) (*result.Result, error) {
	if runs[0].Manifest.Run == runs[1].Manifest.Run {
		return nil, fmt.Errorf("compare run %s: it is named twice; name another one", runs[0].Manifest.Run)
	}
	results, sides, err := readBoth(runs)
	if err != nil {
		return nil, err
	}
	pairs, alone := samePlaces(sides)
	if len(names) > 0 {
		if pairs, err = chosen(runs, sides, names); err != nil {
			return nil, err
		}
		alone = nil
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("compare %s with %s: they have no configuration of the same name: %s against %s; "+
			"choose with --configuration NAME", runs[1].Manifest.Run, runs[0].Manifest.Run, namesOf(sides[1]),
			namesOf(sides[0]))
	}
	out := *results[0]
	out.Schema, out.Run, out.Ablation, out.Baseline = comparisonSchema,
		runs[0].Manifest.Run+" against "+runs[1].Manifest.Run, "", ""
	out.Configurations, out.Warnings = nil, []string{}
	out.Dataset = bothDatasets(results, sides)
	if len(alone) > 0 {
		out.Warnings = append(out.Warnings, "left out, because only one run has them: "+strings.Join(alone, ", "))
	}
	var titles [2]string
	if len(pairs) == 1 {
		titles = tellApart([2]store.Manifest{runs[0].Manifest, runs[1].Manifest}, pairs[0])
	}
	labelled := make([][2]Side, len(pairs))
	for n, at := range pairs {
		for i, j := range at {
			row, side := results[i].Configurations[j], sides[i][j]
			row.Name, row.Title, row.SameAs = label(i)+": "+row.Name, label(i)+": "+row.Title, ""
			if len(pairs) == 1 {
				row.Title = titles[i]
			}
			side.Name = row.Title // as in sentences
			labelled[n][i] = side
			out.Configurations = append(out.Configurations, row)
		}
	}
	if len(o.Across) > 0 {
		out.Warnings = append(out.Warnings, "compared across "+strings.Join(o.Across, ", ")+
			": the difference may be due to these and not to the agents")
	}
	for i, r := range results {
		out.Runs = append(out.Runs, result.RunRef{Label: label(i), Run: r.Run, Seed: r.Seed, Dataset: r.Dataset})
		for _, w := range r.Warnings {
			out.Warnings = append(out.Warnings, label(i)+": "+w)
		}
	}
	if out.Comparisons, err = Pairwise(labelled, o); err != nil {
		return nil, err
	}
	for n := range pairs { // each pair has two rows
		out.Comparisons[n].Baseline, out.Comparisons[n].Configuration = out.Configurations[2*n].Name,
			out.Configurations[2*n+1].Name
	}
	out.Family = FamilyOf(out.Comparisons)
	out.Remarks = append(slices.Clone(out.Remarks), sentAlike(out.Configurations)...)
	for n, at := range pairs {
		made, err := factsOf(runs, at, labelled[n])
		if err != nil {
			return nil, err
		}
		// Not nil, which would mean "not requested".
		c := &out.Comparisons[n]
		c.Differs = append([]string{}, made[0].Differences(made[1])...)
		c.Sent = sentBy(runs, at, labelled[n], *c)
	}
	return &out, nil
}

// readBoth reads the figures and the sides of two finished runs.
func readBoth(runs [2]*store.Run) (results [2]*result.Result, sides [2][]Side, err error) {
	for i, run := range runs {
		if m := run.Manifest; m.State != store.Complete {
			return results, sides, fmt.Errorf("compare run %s: it is not complete (state: %s), and the missing "+
				"queries may be the ones that differ: finish it with `%s`", m.Run, m.State,
				store.ResumeCommand(run.Dir, m))
		}
		if k := run.Manifest.Kind(); k == store.KindAsk {
			return results, sides, fmt.Errorf("compare run %s: it is a session of concur ask; its questions have no "+
				"gold, so its answers are neither right nor wrong", run.Manifest.Run)
		}
		if results[i], sides[i], err = readOnce(run.Manifest, run.Records()); err != nil {
			return results, sides, err
		}
	}
	return results, sides, nil
}

// readOnce computes the figures and the sides of a run. It reads the records of the run only once.
func readOnce(m store.Manifest, records iter.Seq2[store.Record, error]) (*result.Result, []Side, error) {
	tally, sides := result.NewTally(m), collect(m)
	for rec, err := range records {
		if err == nil {
			err = tally.Add(rec)
		}
		if err != nil {
			return nil, nil, err
		}
		sides.add(rec)
	}
	r, err := tally.Result()
	return r, sides.done(), err
}

// bothDatasets describes the dataset of a comparison: the categories and queries that both runs have together.
// If the runs have different datasets, the hash is "".
func bothDatasets(results [2]*result.Result, sides [2][]Side) result.Dataset {
	out, other := results[0].Dataset, results[1].Dataset
	out.Categories = slices.Clone(out.Categories)
	for _, c := range other.Categories {
		if !slices.Contains(out.Categories, c) {
			out.Categories = append(out.Categories, c)
		}
	}
	if out.Name != other.Name {
		out.Name += " against " + other.Name
	}
	if out.Hash == other.Hash {
		return out
	}
	ids := 0
	for range join(sides[0][0].Queries, sides[1][0].Queries) { // all configurations of a run have the same queries
		ids++
	}
	out.Hash, out.Queries, out.Of = "", ids, max(ids, out.Of, other.Of)
	return out
}

func label(i int) string { return string(rune('A' + i)) }

// samePlaces pairs the configurations of two runs that have the same name. The pairs are indices. alone lists
// the names that only one run has.
func samePlaces(sides [2][]Side) (pairs [][2]int, alone []string) {
	if len(sides[0]) == 1 && len(sides[1]) == 1 {
		return [][2]int{{0, 0}}, nil
	}
	paired := map[string]bool{}
	for i, a := range sides[0] {
		if j := slices.IndexFunc(sides[1], func(b Side) bool { return b.Name == a.Name }); j >= 0 {
			pairs, paired[a.Name] = append(pairs, [2]int{i, j}), true
		}
	}
	for i := range sides {
		for _, s := range sides[i] {
			if !paired[s.Name] {
				alone = append(alone, label(i)+": "+s.Name)
			}
		}
	}
	return pairs, alone
}

// chosen returns the index of the named configuration on each side. If a run has only one configuration, no
// name is needed.
func chosen(runs [2]*store.Run, sides [2][]Side, names []string) ([][2]int, error) {
	if len(sides[0]) == 1 && len(sides[1]) == 1 {
		return nil, fmt.Errorf("compare configuration %s: each run has one configuration, so they are compared "+
			"whatever their names: leave --configuration out", strings.Join(names, ", "))
	}
	if len(names) > 2 {
		return nil, fmt.Errorf("--configuration is given %d times: give one name for both runs, or one for each",
			len(names))
	}
	var at [2]int
	for i, side := range sides {
		name := naming.NameOf(runs[i].Manifest, names[min(i, len(names)-1)])
		if len(side) == 1 {
			continue
		}
		if at[i] = slices.IndexFunc(side, func(s Side) bool { return s.Name == name }); at[i] < 0 {
			return nil, fmt.Errorf("compare configuration %q: run %s has %s", name, side[0].Run, namesOf(side))
		}
	}
	return [][2]int{at}, nil
}

func namesOf(sides []Side) string {
	out := make([]string, len(sides))
	for i, s := range sides {
		out[i] = s.Name
	}
	return strings.Join(out, ", ")
}

// Summarize computes the figures of a run from its records, which it reads only once. It compares the run's
// configurations with the configuration named baseline. If baseline is "", it is the run's own baseline.
func Summarize(m store.Manifest, records iter.Seq2[store.Record, error], baseline string,
	o Options) (*result.Result, error) {
	var r *result.Result
	var sides []Side
	var err error
	alone := len(m.Configurations) == 1 || m.State != store.Complete || baseline == "" && m.Baseline == ""
	if alone { // nothing is compared
		r, err = result.Summarize(m, records)
	} else {
		r, sides, err = readOnce(m, records)
	}
	if err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, adviseJudge(m, r.Configurations)...)
	r.Baseline = m.Baseline
	switch {
	case len(m.Configurations) == 1 && baseline != "":
		return nil, fmt.Errorf("report run %s: it has one configuration, so nothing can be compared with "+
			"--baseline %s: leave it out; `concur compare` compares one run with another", m.Run, baseline)
	case len(m.Configurations) == 1:
		return r, nil
	case baseline != "":
		var names []string
		for _, c := range m.Configurations {
			names = append(names, c.Name)
		}
		at, err := indexOf(names, naming.NameOf(m, baseline))
		if err != nil {
			return nil, err
		}
		r.Baseline = names[at]
	case r.Baseline == "":
		r.Remarks = append(r.Remarks, "nothing is compared, because the run names no baseline: choose one with "+
			"--baseline NAME")
		return r, nil
	}
	if m.State != store.Complete {
		r.Remarks = append(r.Remarks, "the run is not complete, so nothing is compared: the missing "+
			"queries may be the ones that differ")
		return r, nil
	}
	for i := range sides {
		sides[i].Same = r.Configurations[i].Same()
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

// adviseJudge returns the advice to set a judge. It gives the advice if a real model ran without a judge on
// free-text answers, because different texts can have the same meaning. If this is so for only some
// configurations, it names them.
func adviseJudge(m store.Manifest, rows []result.Configuration) (without []string) {
	for i, c := range m.Configurations {
		if rows[i].Traces.FreeText > 0 && !config.IsOffline(c.Model) && c.Configuration.Agent.External.Imported == "" &&
			c.Judge.Correctness == "" && c.Judge.Quality == "" {
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
	return []string{"no judge was asked" + which + "; to have answers judged by a model, add --judge openai:gpt-4o, " +
		"or judge: {correctness: …, quality: …} in concur.yaml"}
}
