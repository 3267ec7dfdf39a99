package runlist

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Removal selects the runs to remove from a folder: the named runs or, if no run is named, all runs that began
// longer ago than OlderThan. If a named run must be kept, this is an error.
type Removal struct {
	Names     []string
	OlderThan time.Duration     // used if no run is named
	Keep      func(string) bool // reports whether the run with this name must be kept
	KeptBy    string            // for the error: the file that needs such a run
}

// Runs returns the selected runs.
func (r Removal) Runs(runsDir string, now time.Time) ([]*store.Run, error) {
	var out []*store.Run
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
		if of != "" && disk.Exists(filepath.Join(runsDir, of)) &&
			!slices.ContainsFunc(out, func(o *store.Run) bool { return o.Manifest.Run == of }) {
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
