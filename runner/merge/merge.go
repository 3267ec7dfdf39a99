package merge

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/shard"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/copying"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Result describes a run that Into joined. The run is complete if Absent and Unfinished are empty.
type Result struct {
	Run        *store.Run
	Of         int          // number of the run's shards
	Absent     []int        // indices of the shards that were not given
	Unfinished []Unfinished // in the order of their indices
}

// Unfinished is a shard with missing records.
type Unfinished struct {
	shard.Shard
	Dir     string
	Decided int // number of its records
	Records int // number of records that it would have if it were complete
}

// Into joins shards into a new run folder. dir is the folder, and its last part becomes the run's name; if dir
// is "", Into creates a folder with a new name in runsDir. Some shards may be absent or unfinished: resume the
// result to run their queries.
//
// Into returns an error and writes nothing in these cases:
//
//   - The shards belong to different runs. The error names the difference and the two folders.
//   - A folder is not a shard, is given twice, is damaged, or is being written by another process.
//   - A line belongs to a query of another shard.
//
// Into holds one line at a time in memory, and 8 bytes for each record of an unfinished shard.
func Into(dir, runsDir string, shards []*store.Run, now time.Time) (Result, error) {
	shards = slices.Clone(shards)
	slices.SortStableFunc(shards, func(a, b *store.Run) int {
		return cmp.Compare(a.Manifest.Dataset.ShardOf().Index, b.Manifest.Dataset.ShardOf().Index)
	})
	if err := check(shards); err != nil {
		return Result{}, fmt.Errorf("merge: %w", err)
	}
	out := Result{Of: shards[0].Manifest.Dataset.Shard.Of}
	for i := 1; i <= out.Of; i++ {
		if !slices.ContainsFunc(shards, func(r *store.Run) bool { return r.Manifest.Dataset.Shard.Index == i }) {
			out.Absent = append(out.Absent, i)
		}
	}
	m := manifestOf(shards, now)
	if len(out.Absent) > 0 {
		m.State = store.Interrupted
	}
	if m.State != store.Complete {
		m.End = nil
	}
	if m.Run = filepath.Base(dir); dir == "" {
		m.Run = store.NewName(m.Start, m.Dataset.Name)
		dir = filepath.Join(runsDir, m.Run)
	}
	j := joiner{shards: shards, seed: maphash.MakeSeed(), canaries: map[model.Identity]int{},
		decided: make([]int, len(shards))}
	var err error
	if out.Run, err = copying.Join(store.Options{}, dir, m, shards, j.take); err != nil {
		return Result{}, fmt.Errorf("merge: %w", err)
	}
	for i, r := range shards {
		if m := r.Manifest; m.State != store.Complete {
			out.Unfinished = append(out.Unfinished, Unfinished{Shard: m.Dataset.ShardOf(), Dir: r.Dir,
				Decided: j.decided[i], Records: m.Dataset.Queries * len(m.Configurations)})
		}
	}
	return out, nil
}

// joiner decides which lines of the shards are copied.
type joiner struct {
	shards   []*store.Run
	canaries map[model.Identity]int // the shard whose copy of a canary's conversation is used
	decided  []int                  // number of records of each unfinished shard
	part     int                    // the shard that is being copied
	seen     map[uint64]bool        // hashes of the names of that shard's records
	seed     maphash.Seed
}

// queryID matches the ids of queries. Names of other forms are those of canaries: questions with a known answer
// that test a verifier, judge or extractor. Every shard asks the canaries; the joined run has them once.
var queryID = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

func (j *joiner) take(l copying.Line) (bool, error) {
	of := j.shards[l.Part].Manifest
	if !queryID.MatchString(l.Query) {
		first, known := j.canaries[l.OfTrace()]
		if !known {
			j.canaries[l.OfTrace()] = l.Part
		}
		return !known || first == l.Part, nil
	}
	if s := of.Dataset.ShardOf(); !s.Has(l.Query) {
		return false, disk.Damage(fmt.Errorf("query %q belongs to shard %d/%d, and not to shard %s: run this shard again",
			l.Query, shard.IndexOf(l.Query, s.Of), s.Of, s))
	}
	if l.Configuration != "" && of.State != store.Complete {
		if j.seen == nil || j.part != l.Part {
			j.seen, j.part = map[uint64]bool{}, l.Part
		}
		j.seen[maphash.Comparable(j.seed, [2]string{l.Configuration, l.Query})] = true
		j.decided[l.Part] = len(j.seen)
	}
	return true, nil
}
