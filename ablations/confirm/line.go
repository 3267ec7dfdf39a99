package confirm

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/store"
)

// lineRuns is how far back the gate looks for runs that were left undecided, of which mostUndecided is no warning.
const (
	lineRuns      = 20
	mostUndecided = 1
)

// Open is a run whose gate has not decided.
type Open struct {
	Run *store.Run
	Entry
	Waits bool // for another session of the provider, and nothing else is in the way
}

// Undecided finds the runs of the same line that are missing in the pool since their gates have not decided: among
// the last 20 before the case's run that lie beside it, over the same dataset and of the same configuration.
func (c *Case) Undecided(dir, file string) ([]Open, error) {
	runs, _, err := store.List(filepath.Dir(dir)) // what is damaged is no run of the line
	if err != nil {
		return nil, err
	}
	m, name := c.Pass.Manifest, c.Pass.Configuration.Name
	var out []Open
	seen := 0
	for _, run := range runs {
		of := run.Manifest
		same := slices.ContainsFunc(of.Configurations, func(c store.Configuration) bool { return c.Name == name })
		if kind := of.Kind(); !same || !of.Start.Before(m.Start) || of.Dataset.Name != m.Dataset.Name || kind != store.KindRun && kind != store.KindAblation {
			continue
		}
		if seen++; seen > lineRuns {
			break
		}
		accepted := slices.ContainsFunc(c.Baseline.Runs, func(r baseline.AcceptedRun) bool { return r.Run == of.Run && r.Configuration == name })
		log, err := ReadLog(run, name)
		if own, ok := Own(log); err == nil && ok && !accepted && own.Baseline == file && (Undecided(log) || own.Decision == gate.Inconclusive && !own.Bootstrap) {
			out = append(out, Open{Run: run, Entry: own, Waits: own.Waits && !Undecided(log)})
		}
	}
	return out, nil
}

// LeftOut warns of a pool from which too many runs are missing undecided; "" where they are not.
func LeftOut(open []Open) string {
	if len(open) <= mostUndecided {
		return ""
	}
	var names []string
	for _, o := range open {
		names = append(names, o.Run.Manifest.Run)
	}
	return fmt.Sprintf("the gates of %d of the last %d runs have not decided (%s): without these runs the accepted ones are the lucky ones, and false alarms more frequent; ask their gates again, and accept those that pass",
		len(open), lineRuns, text.Listed(names))
}
