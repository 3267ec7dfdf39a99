package series

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/text"
)

// Schema is the name of the JSON form of a Series.
const Schema = "concur/series/v1"

// maxLost is the share of a night's traces without a verdict from which on there is a warning.
const maxLost = 0.02

// Read compares nights of a configuration with the pool: the first runs that were accepted into b after its
// last reset, at most poolRuns of them; 0 means DefaultPool. Runs accepted later are nights too. All are graded
// by the present dataset. It returns an error in these cases:
//
//   - there is no accepted run;
//   - a night is in the pool, or began before the pool's last run;
//   - traces were counted before;
//   - verdicts depend on the consensus only;
//   - runs are over other queries.
func Read(b *baseline.Baseline, configuration string, named []baseline.Pass, d *datasets.Dataset,
	poolRuns int) (Series, error) {
	runs := b.Counting(configuration)
	if len(runs) == 0 {
		return Series{}, fmt.Errorf("compare a series: the baseline has no usable run of %s: accept at least "+
			"five with `concur baseline add RUN`", configuration)
	}
	size := min(len(runs), cmp.Or(max(0, poolRuns), DefaultPool))
	for _, pass := range named {
		var err error
		if runs, err = addNight(b, runs, size, pass, d); err != nil {
			return Series{}, fmt.Errorf("compare a series: run %s: %w", pass.Manifest.Run, err)
		}
	}
	slices.SortStableFunc(runs[size:], func(x, y baseline.AcceptedRun) int {
		return cmp.Or(x.Start.Compare(y.Start), cmp.Compare(x.Run, y.Run))
	})
	graded, changes, err := baseline.Pool{Configuration: configuration, Runs: runs, Stored: runs}.Regrade(d)
	if err != nil {
		return Series{}, err
	}
	clusters, together := clustersOf(d)
	var counted []night
	for _, r := range graded.Runs {
		if missing := without(d, r); len(missing) > 0 {
			return Series{}, fmt.Errorf("compare a series: run %s has no traces of %s, but a series needs the same "+
				"queries; begin a new series with `concur baseline reset`", r.Run, text.Listed(missing))
		}
		counted = append(counted, count(r, clusters, together))
	}
	out := decide(counted[:size], counted[size:])
	out.Configuration, out.Queries = configuration, len(d.Queries)
	if together {
		out.Clusters = int(counted[0].of)
	}
	if k := runs[0].K; !slices.ContainsFunc(runs, func(r baseline.AcceptedRun) bool { return r.K != k }) {
		out.K = k
	}
	out.Warnings = append(out.Warnings, warnings(graded.Runs, size, counted)...)
	out.Warnings = append(out.Warnings, changes.Warnings()...)
	return out, nil
}

// addNight adds a night to the runs. The first size runs are the pool.
func addNight(b *baseline.Baseline, runs []baseline.AcceptedRun, size int, pass baseline.Pass,
	d *datasets.Dataset) ([]baseline.AcceptedRun, error) {
	name := pass.Manifest.Run
	at := slices.IndexFunc(runs, func(r baseline.AcceptedRun) bool { return r.Run == name })
	switch {
	case at >= size:
		return runs, nil // accepted later, so it is a night already
	case at >= 0:
		return nil, fmt.Errorf("it is in the pool of %s: name later runs, or a smaller pool with --pool-runs",
			text.Counted(size, "run"))
	}
	if norm := pass.Manifest.Versions["norm"]; norm != answer.Version {
		return nil, fmt.Errorf("its answers were read under %s, but this version of concur grades by %s: run again",
			cmp.Or(norm, "unknown rules"), answer.Version)
	}
	pool := baseline.Pool{Runs: runs[:size]}
	night, err := pass.Over(d)
	if err = cmp.Or(err, pass.Judged(), baseline.Known(runs, pass), pool.SameReader(b, pass)); err != nil {
		return nil, err
	}
	if last := runs[size-1]; night.Start.Before(last.Start) {
		return nil, fmt.Errorf("it began before %s, the last run of the pool: name later runs, or a smaller pool "+
			"with --pool-runs", last.Run)
	}
	return append(runs, night), nil
}

// clustersOf returns the cluster of each query. together reports whether at least one cluster has two queries.
func clustersOf(d *datasets.Dataset) (of map[string]string, together bool) {
	of, seen := map[string]string{}, map[string]bool{}
	for _, q := range d.Queries {
		of[q.ID] = cmp.Or(q.Cluster, "\x00"+q.ID)
		together = together || seen[of[q.ID]]
		seen[of[q.ID]] = true
	}
	return of, together
}

// without returns the queries without traces in a run.
func without(d *datasets.Dataset, r baseline.AcceptedRun) (missing []string) {
	for _, q := range d.Queries {
		if !slices.ContainsFunc(r.Queries, func(a baseline.AcceptedQuery) bool {
			return a.Query == q.ID &&
				len(a.Traces) > 0
		}) {
			missing = append(missing, q.ID)
		}
	}
	return missing
}

// count sums up a run: its traces or, if queries have clusters, the means of its clusters.
func count(r baseline.AcceptedRun, cluster map[string]string, together bool) night {
	n := night{run: r.Run, start: r.Start, k: r.K}
	type sums struct{ right, open, of float64 }
	units := map[string]sums{}
	var order []string // in a fixed order, so that sums of floats are always the same
	for _, q := range r.Queries {
		t, unit := q.Count(), cluster[q.Query]
		u, known := units[unit]
		if !known {
			order = append(order, unit)
		}
		open := len(q.Traces) - t.Scored()
		units[unit] = sums{u.right + float64(t.Right), u.open + float64(open), u.of + float64(len(q.Traces))}
		n.openTraces += open
	}
	for _, unit := range order {
		u := units[unit]
		if together {
			u = sums{u.right / u.of, u.open / u.of, 1}
		}
		n.low, n.high, n.of = n.low+u.right, n.high+u.right+u.open, n.of+u.of
	}
	return n
}

// warnings returns warnings about runs that differ or lost many traces.
func warnings(runs []baseline.AcceptedRun, size int, counted []night) (out []string) {
	agents := map[string]bool{}
	for i, r := range runs {
		agents[r.Agent] = true
		traces := 0
		for _, q := range r.Queries {
			traces += len(q.Traces)
		}
		if open := counted[i].openTraces; float64(open) > maxLost*float64(traces) {
			as := "right"
			if i < size {
				as = "wrong"
			}
			out = append(out, fmt.Sprintf("run %s has %s without a verdict, which count as %s: run lost traces again "+
				"with --retry-failed", r.Run, text.Counted(open, "trace"), as))
		}
	}
	if len(agents) > 1 {
		out = append(out, fmt.Sprintf("the runs have %d agents, so a drop may come from a change; begin a new "+
			"series with `concur baseline reset` if the change is intended", len(agents)))
	}
	return out
}
