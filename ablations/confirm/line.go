package confirm

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// lineRuns is the number of earlier runs among which the gate looks for undecided ones. If at most
// mostUndecided of them are undecided, there is no warning.
const (
	lineRuns      = 20
	mostUndecided = 1
)

// OpenRun is a run whose gate has not decided.
type OpenRun struct {
	Run *store.Run
	Entry
	Waits bool // only for another session of the provider
}

// Undecided finds runs that are missing in the pool because their gates have not decided. It looks at the last
// 20 runs before this run that are in the same folder (that of dir), have the same dataset, and have the same
// configuration.
func (c *Case) Undecided(dir, file string) ([]OpenRun, error) {
	runs, _, err := runlist.List(filepath.Dir(dir)) // damaged runs are skipped
	if err != nil {
		return nil, err
	}
	m, name := c.Pass.Manifest, c.Pass.Configuration.Name
	var out []OpenRun
	seen := 0
	for _, run := range runs {
		of := run.Manifest
		same := slices.ContainsFunc(of.Configurations, func(c store.Configuration) bool { return c.Name == name })
		if kind := of.Kind(); !same || !of.Start.Before(m.Start) || of.Dataset.Name != m.Dataset.Name ||
			kind != store.KindRun && kind != store.KindAblation {
			continue
		}
		if seen++; seen > lineRuns {
			break
		}
		accepted := slices.ContainsFunc(c.Baseline.Runs,
			func(r baseline.AcceptedRun) bool { return r.Run == of.Run && r.Configuration == name })
		log, err := ReadLog(run, name)
		if own, ok := OwnEntry(log); err == nil && ok && !accepted && own.Baseline == file &&
			(Undecided(log) || own.Decision == gate.Inconclusive && !own.Bootstrap) {
			out = append(out, OpenRun{Run: run, Entry: own, Waits: own.Waits && !Undecided(log)})
		}
	}
	return out, nil
}

// LeftOut returns a warning if too many runs are missing in the pool because they are undecided; otherwise "".
func LeftOut(open []OpenRun) string {
	if len(open) <= mostUndecided {
		return ""
	}
	var names []string
	for _, o := range open {
		names = append(names, o.Run.Manifest.Run)
	}
	return fmt.Sprintf("the gates of %d of the last %d runs have not decided (%s): without these runs the accepted "+
		"ones are lucky and false alarms more frequent; run their gates again, and accept those that pass",
		len(open), lineRuns, text.Listed(names))
}
