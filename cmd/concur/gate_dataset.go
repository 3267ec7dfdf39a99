package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

// datasetFlag says where the dataset lies now.
func datasetFlag() cli.Flag {
	return &cli.StringFlag{Name: flagDataset, Usage: "`FILE` with the run's dataset, where it lies elsewhere by now", DefaultText: "where the run found it, else its name in this folder"}
}

// sameDataset opens the dataset that a run was over, as it was then, and tells where it lies.
func sameDataset(ctx *cli.Context, m store.Manifest) (data *datasets.Dataset, source string, err error) {
	if source, err = sourceOf(ctx, m); err != nil {
		return nil, "", err
	}
	data, of, err := runner.Selection{Filter: m.Dataset.Filter}.Open(source)
	if err != nil {
		return nil, "", err
	}
	if data.Hash != m.Dataset.Hash {
		return nil, "", usagef("run %s: the dataset %s is not what it was (%.19s, now %.19s): run again over it as it is now, and the baseline is graded again by itself; where the run's own lies elsewhere, name it with --%s FILE", m.Run, source, m.Dataset.Hash, data.Hash, flagDataset)
	}
	// The same queries are the same dataset under whatever name their file has now.
	named := *data
	named.Name = m.Dataset.Name
	return &named, of.Source, nil
}

// sourceOf finds a run's dataset: as the flag says, where the run found it, or, where the
// run was made on another machine, by its name in the working directory.
func sourceOf(ctx *cli.Context, m store.Manifest) (string, error) {
	source := m.Dataset.Source
	if source == "" {
		return "", usagef("run %s: its manifest does not say where its queries came from, as that of a session of `concur ask`: begin a new run", m.Run)
	}
	if given := ctx.String(flagDataset); given != "" {
		return given, nil
	}
	base := source[strings.LastIndexAny(source, `/\`)+1:]
	for _, at := range []string{source, base} {
		if _, err := os.Stat(at); err == nil || slices.Contains(datasets.Builtin(), at) {
			return at, nil
		}
	}
	return "", usagef("run %s: its dataset %s is not there any more, nor is %s in this folder: name it with --%s FILE", m.Run, source, base, flagDataset)
}

// resolved is a folder without links on its way, so that what lies beside it is found
// however it is named.
func resolved(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return dir, err
	}
	return filepath.Abs(real)
}
