package runner

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/shard"
	"github.com/seed-5817661a/concur/runner/store"
)

// Selection selects queries of a dataset; its zero value selects all.
type Selection struct {
	datasets.Part
	FailedIn *store.Run  // selects the queries that were not right in this run, under any configuration
	Shard    shard.Shard // selects, of all these queries, those of one shard
	Sample   int         // selects this number at random; a larger sample with the same Seed contains every smaller one
	Seed     int64
}

// selectionOf returns the selection that a run used to choose its queries.
func selectionOf(d store.Dataset) Selection { return Selection{Part: d.Filter, Shard: d.ShardOf()} }

// Open reads the selected part of a dataset. source is the name of a built-in dataset, or a file. of describes
// the part, for a manifest. Close data after use.
func (s Selection) Open(source string) (data *queries.Set, of store.Dataset, err error) {
	filter := s.Part
	defer func() {
		if err != nil && data != nil {
			err = errors.Join(err, data.Close())
			data = nil
		}
	}()
	if s.FailedIn != nil {
		if len(filter.Queries) > 0 {
			return nil, of, fmt.Errorf("use --failed-in or --query, not both")
		}
		if filter.Queries, err = failedIn(s.FailedIn); err != nil {
			return nil, of, fmt.Errorf("--failed-in %s: %w", s.FailedIn.Manifest.Run, err)
		}
	}
	if data, err = queries.Open(source, filter); err != nil {
		return nil, of, err
	}
	if s.Sample != 0 {
		if s.Sample < 1 || s.Sample > data.Len() {
			return data, of, fmt.Errorf("--sample is %d: there are %d queries to draw from", s.Sample, data.Len())
		}
		filter = datasets.Part{Queries: sample(data, s.Sample, s.Seed)}
		drawn := make(map[string]bool, s.Sample)
		for _, id := range filter.Queries {
			drawn[id] = true
		}
		data = data.Only(func(id string) bool { return drawn[id] })
	}
	if !slices.Contains(datasets.Builtin(), source) {
		if source, err = filepath.Abs(source); err != nil {
			return data, of, fmt.Errorf("dataset %s: %w", source, err)
		}
	}
	if !s.Shard.Whole() {
		data = data.Shard(s.Shard.Has)
	}
	if of, err = DescribeSet(data); err != nil {
		return data, of, err
	}
	of.Of, of.Source, of.Filter = data.Total, source, filter
	of.Shard, err = describeShard(s.Shard, data)
	return data, of, err
}

// DescribeDataset returns the description, for a manifest, of a dataset that was not read from a file.
func DescribeDataset(d *datasets.Dataset) store.Dataset { return describeHashed(queries.Of(d), d.Hash) }

// DescribeSet returns the description, for a manifest, of queries that were not read from a file. It reads all of them.
func DescribeSet(d *queries.Set) (store.Dataset, error) {
	hash, err := d.Hash()
	return describeHashed(d, hash), err
}

func describeHashed(d *queries.Set, hash string) store.Dataset {
	of := store.Dataset{Name: d.Name, Hash: hash, Queries: d.Len(), Of: d.Len()}
	of.Categories, of.ByCategory = d.Categories()
	return of
}

// describeShard returns the description, for a manifest, of a shard and of the whole dataset. It returns nil if
// the run is not a shard.
func describeShard(s shard.Shard, d *queries.Set) (*store.Shard, error) {
	if s.Whole() {
		return nil, nil
	}
	whole, err := DescribeSet(d.All())
	return &store.Shard{Shard: s, Hash: whole.Hash, Queries: whole.Queries, Categories: whole.Categories,
		ByCategory: whole.ByCategory}, err
}

func failedIn(run *store.Run) ([]string, error) {
	failed := map[string]bool{}
	for r, err := range run.Records() {
		if err != nil {
			return nil, err
		}
		if r.Verdict.Verdict != judge.Correct {
			failed[r.Query] = true
		}
	}
	if len(failed) == 0 {
		return nil, fmt.Errorf("every query was right there")
	}
	return slices.Sorted(maps.Keys(failed)), nil
}

// sample returns the ids of the n queries with the lowest hashes of seed and id.
func sample(data *queries.Set, n int, seed int64) []string {
	var text []byte
	hash := func(id string) [sha256.Size]byte {
		text = append(append(append(text[:0], strconv.FormatInt(seed, 10)...), '\n'), id...)
		return sha256.Sum256(text)
	}
	type drawn struct {
		first uint64 // the first 8 bytes of its hash
		id    string
	}
	all := make([]drawn, 0, data.Len())
	for id := range data.IDs() {
		sum := hash(id)
		all = append(all, drawn{binary.BigEndian.Uint64(sum[:]), id})
	}
	slices.SortFunc(all, func(a, b drawn) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		one, other := hash(a.id), hash(b.id)
		return bytes.Compare(one[:], other[:])
	})
	ids := make([]string, n)
	for i := range ids {
		ids[i] = all[i].id
	}
	return ids
}

// Reopen opens the dataset of a run, and returns an error if the dataset has changed since then. It opens the
// path given. If given is "", it opens the path in the manifest. If no file is there, it opens the file of this
// name in the working directory. source is the path that it opened.
func Reopen(m store.Manifest, given string) (data *datasets.Dataset, source string, err error) {
	set, source, err := ReopenSet(m, given)
	if err != nil {
		return nil, "", err
	}
	data, err = set.Load()
	return data, source, errors.Join(err, set.Close())
}

// ReopenSet opens the dataset of a run as Reopen does, and returns its queries as a set. Close the set after
// use.
func ReopenSet(m store.Manifest, given string) (set *queries.Set, source string, err error) {
	if source, err = sourceOf(m.Dataset.Source, given); err != nil {
		return nil, "", fmt.Errorf("run %s: %w", m.Run, err)
	}
	set, of, err := selectionOf(m.Dataset).Open(source)
	if err != nil {
		return nil, "", err
	}
	if of.Hash != m.Dataset.Hash {
		err = fmt.Errorf("run %s: the dataset %s has changed (%.19s, now %.19s): run again over "+
			"the new one, which then also grades the baseline; if you have the old one, name it with "+
			"--dataset FILE", m.Run, source, m.Dataset.Hash, of.Hash)
		return nil, "", errors.Join(err, set.Close())
	}
	set.Name = m.Dataset.Name // datasets are equal if their queries are; the file may have a new name
	return set, of.Source, nil
}

func sourceOf(source, given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if source == "" {
		return "", fmt.Errorf("its manifest does not name its dataset, like that of an import or of a " +
			"session of `concur ask`: name a dataset with the same queries with --dataset FILE, or begin a new run")
	}
	base := source[strings.LastIndexAny(source, `/\`)+1:]
	for _, at := range []string{source, base} {
		if _, err := os.Stat(at); err == nil || slices.Contains(datasets.Builtin(), at) {
			return at, nil
		}
	}
	return "", fmt.Errorf("its dataset %s is missing, and %s is not in this folder: name it with "+
		"--dataset FILE", source, base)
}
