package store

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Kind describes how a run was made.
type Kind string

const (
	KindRun      Kind = "run"
	KindShard    Kind = "shard" // a shard of a run or an ablation
	KindAblation Kind = "ablation"
	KindAsk      Kind = "ask"     // a session of questions
	KindReplay   Kind = "replay"  // a replay of a recording
	KindImport   Kind = "import"  // an import of traces that another harness made
	KindRejudge  Kind = "rejudge" // a run that judged the traces of another run again
	KindFresh    Kind = "fresh"   // fresh traces of another run's agent, for the gate
)

// AskDataset is the dataset name of a session of questions. Such a session has no dataset file.
const AskDataset = "ask"

// Kind returns the kind of a run, from its manifest.
func (m Manifest) Kind() Kind {
	switch {
	case m.FreshOf != "":
		return KindFresh
	case m.RejudgeOf != "":
		return KindRejudge
	case m.ReplayOf != "":
		return KindReplay
	case m.Dataset.Name == AskDataset && m.Dataset.Source == "":
		return KindAsk
	case len(m.Configurations) > 0 && m.Configurations[0].Configuration.Agent.External.Imported != "":
		return KindImport
	case m.Dataset.Shard != nil:
		return KindShard
	case m.Ablation != "":
		return KindAblation
	}
	return KindRun
}

// List opens the runs of a runs folder, newest first. A missing folder has no runs. damaged lists the folders
// of runs that cannot be opened. List skips other folders, and hidden folders, which Join makes.
func List(runsDir string) (runs []*Run, damaged []Damaged, err error) {
	entries, err := os.ReadDir(runsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("list runs: %w; choose another folder with --runs-dir", err)
	}
	for _, e := range entries {
		dir := filepath.Join(runsDir, e.Name())
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if r, err := Open(dir); err == nil {
			runs = append(runs, r)
		} else if _, none := os.Lstat(filepath.Join(dir, manifestFile)); none == nil { // the manifest is written last
			damaged = append(damaged, Damaged{dir, err})
		}
	}
	slices.SortStableFunc(runs, func(a, b *Run) int { return b.Manifest.Start.Compare(a.Manifest.Start) })
	return runs, damaged, nil
}

// Damaged is the folder of a run that cannot be opened.
type Damaged struct {
	Dir string
	Err error
}

func (d Damaged) Error() string {
	return fmt.Sprintf("the run folder %s cannot be read: %v", d.Dir, d.Err)
}

// Size returns the number of bytes in the run's files.
func (r *Run) Size() (int64, error) {
	var size int64
	err := filepath.WalkDir(r.Dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// Remove deletes the run folder. It returns an error if another process is writing the run.
func (r *Run) Remove() (err error) {
	f, err := Options{}.disk().Open(filepath.Join(r.Dir, jsonl[traceFile].name), os.O_RDWR)
	if err == nil {
		defer func() { err = errors.Join(err, f.Close()) }()
		err = disk.Lock(f)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove run %s: %w", r.Dir, err)
	}
	return os.RemoveAll(r.Dir)
}

// Removal selects the runs to remove from a folder: the named runs or, if no run is named, all runs that began
// longer ago than OlderThan. If a named run must be kept, this is an error.
type Removal struct {
	Names     []string
	OlderThan time.Duration     // used if no run is named
	Keep      func(string) bool // reports whether the run with this name must be kept
	KeptBy    string            // for the error: the file that needs such a run
}

// Runs returns the selected runs.
func (r Removal) Runs(runsDir string, now time.Time) ([]*Run, error) {
	var out []*Run
	for _, name := range r.Names {
		run, err := Find(runsDir, name)
		if err != nil {
			return nil, err
		}
		if r.Keep(run.Manifest.Run) {
			return nil, fmt.Errorf("remove run %s: %s names it, and the gate may need its traces",
				run.Manifest.Run, r.KeptBy)
		}
		out = append(out, run)
	}
	for _, run := range out {
		of := run.Manifest.FreshOf
		if of != "" && exists(filepath.Join(runsDir, of)) &&
			!slices.ContainsFunc(out, func(o *Run) bool { return o.Manifest.Run == of }) {
			return nil, fmt.Errorf("remove run %s: the gate's decision on %s depends on its traces: remove both runs in one "+
				"command",
				run.Manifest.Run, of)
		}
	}
	if len(r.Names) > 0 {
		return out, nil
	}
	all, _, err := List(runsDir)
	for _, run := range all {
		of := run.Manifest.FreshOf
		if now.Sub(run.Manifest.Start) > r.OlderThan && !r.Keep(run.Manifest.Run) && (of == "" || !r.Keep(of)) {
			out = append(out, run)
		}
	}
	return out, err
}

// ParseAge reads a duration. Its unit may also be days or weeks.
func ParseAge(text string) (time.Duration, error) {
	for unit, long := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if n, ok := strings.CutSuffix(text, unit); ok {
			if x, err := strconv.Atoi(n); err == nil && x >= 0 && x <= math.MaxInt64/int(long) {
				return time.Duration(x) * long, nil
			}
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q is not an age of at most 290 years: write a number with h, d or w, such as 30d", text)
}
