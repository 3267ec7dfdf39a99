package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Names of the newest run of a kind. Latest is a run or an ablation, never a session of ask, a
// replay, an import, another run's traces judged again, or the gate's fresh traces.
const (
	Latest        = "latest"
	LatestAsk     = "latest-ask"
	LatestReplay  = "latest-replay"
	LatestImport  = "latest-import"
	LatestRejudge = "latest-rejudge"
)

var latestOf = map[string][]Kind{Latest: {KindRun, KindAblation}, LatestAsk: {KindAsk}, LatestReplay: {KindReplay}, LatestImport: {KindImport}, LatestRejudge: {KindRejudge}}

// Find opens a run by folder, by name within the runs folder, or by one of these names.
func Find(runsDir, name string) (*Run, error) {
	if kinds, ok := latestOf[name]; ok {
		return latest(runsDir, name, kinds)
	}
	if strings.ContainsRune(name, filepath.Separator) || name == "." || name == ".." {
		return Open(name)
	}
	if within := filepath.Join(runsDir, name); exists(within) {
		return Open(within)
	}
	if exists(name) {
		return Open(name)
	}
	return nil, fmt.Errorf("find run %q: there is no such folder, here or in %s; name a run folder or %s", name, runsDir, Latest)
}

func latest(runsDir, name string, kinds []Kind) (*Run, error) {
	runs, damaged, err := List(runsDir)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", name, err)
	}
	at := slices.IndexFunc(runs, func(r *Run) bool { return slices.Contains(kinds, r.Manifest.Kind()) })
	for _, d := range damaged { // names of folders begin with the time
		if at < 0 || filepath.Base(d.Dir) > filepath.Base(runs[at].Dir) {
			return nil, fmt.Errorf("find %s: %w; it may be the newest: name the run that you mean, or remove this folder", name, d)
		}
	}
	if at >= 0 {
		return runs[at], nil
	}
	what, how := "run", "concur run"
	switch name {
	case LatestAsk:
		what, how = "session of ask", "concur ask"
	case LatestReplay:
		what, how = "replay", "concur run --replay RUN"
	case LatestRejudge:
		what, how = "run that was judged again", "concur rejudge RUN"
	}
	return nil, fmt.Errorf("find %s: there is no %s in %s; make one with `%s`, or choose another folder with --runs-dir", name, what, runsDir, how)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
