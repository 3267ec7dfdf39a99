package runlist

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Names of the newest run of a kind. Latest is the newest run or ablation that made its own traces. It is never
// a shard, a session of ask, a replay, an import, a run of fresh traces for the gate, or a run that judged the
// traces of another run again.
const (
	Latest        = "latest"
	LatestShard   = "latest-shard"
	LatestAsk     = "latest-ask"
	LatestReplay  = "latest-replay"
	LatestImport  = "latest-import"
	LatestRejudge = "latest-rejudge"
)

// newest describes a name such as "latest": the kinds of run that the name selects, the noun for such a run in
// messages, and the command that makes one.
type newest struct {
	kinds     []store.Kind
	what, how string
}

var newestOf = map[string]newest{
	Latest:        {[]store.Kind{store.KindRun, store.KindAblation}, "run", "concur run"},
	LatestShard:   {[]store.Kind{store.KindShard}, "shard", "concur run --shard I/N"},
	LatestAsk:     {[]store.Kind{store.KindAsk}, "session of ask", "concur ask"},
	LatestReplay:  {[]store.Kind{store.KindReplay}, "replay", "concur run --replay RUN"},
	LatestImport:  {[]store.Kind{store.KindImport}, "import", "concur import"},
	LatestRejudge: {[]store.Kind{store.KindRejudge}, "run that was judged again", "concur rejudge RUN"},
}

// Find opens a run by its folder, by its name within the runs folder, by one of the names above, or by its
// title. If several runs have the title, it opens the newest of them.
func Find(runsDir, name string) (*store.Run, error) {
	if name == "" {
		return nil, fmt.Errorf("find run: the name is empty; name a run folder, a run's --name or %s", Latest)
	}
	if of, ok := newestOf[name]; ok {
		return latest(runsDir, name, of)
	}
	if strings.ContainsRune(name, filepath.Separator) || name == "." || name == ".." {
		return store.Open(name)
	}
	if within := filepath.Join(runsDir, name); disk.Exists(within) {
		return store.Open(within)
	}
	if disk.Exists(name) {
		return store.Open(name)
	}
	runs, _, err := List(runsDir)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(runs, func(r *store.Run) bool {
		return r.Manifest.Title == name && r.Manifest.Kind() == store.KindRun
	})
	if at >= 0 {
		return runs[at], nil
	}
	return nil, fmt.Errorf("find run %q: there is no such folder, here or in %s; name a run folder, a run's --name or "+
		"%s", name, runsDir, Latest)
}

func latest(runsDir, name string, of newest) (*store.Run, error) {
	runs, damaged, err := List(runsDir)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", name, err)
	}
	at := slices.IndexFunc(runs, func(r *store.Run) bool { return slices.Contains(of.kinds, r.Manifest.Kind()) })
	for _, d := range damaged { // names of folders begin with the time
		if at < 0 || filepath.Base(d.Dir) > filepath.Base(runs[at].Dir) {
			return nil, fmt.Errorf("find %s: %w; it may be the newest: name the run that you mean, or remove this folder",
				name, d)
		}
	}
	if at >= 0 {
		return runs[at], nil
	}
	shard := func(r *store.Run) bool { return r.Manifest.Kind() == store.KindShard }
	if name == Latest && slices.ContainsFunc(runs, shard) {
		return nil, fmt.Errorf("find %s: there are only shards in %s: join them with `concur merge`, or take %s", name,
			runsDir, LatestShard)
	}
	return nil, fmt.Errorf("find %s: there is no %s in %s; make one with `%s`, or choose another folder with "+
		"--runs-dir", name, of.what, runsDir, of.how)
}
