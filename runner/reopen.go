package runner

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
)

// Reopen opens the dataset that a run was over and refuses it if it has changed since. source is
// where it is now: at given, else where the run found it, else, as for a run from another
// machine, at its file name in the working directory.
func Reopen(m store.Manifest, given string) (data *datasets.Dataset, source string, err error) {
	if source, err = sourceOf(m.Dataset.Source, given); err != nil {
		return nil, "", fmt.Errorf("run %s: %w", m.Run, err)
	}
	data, of, err := Selection{Filter: m.Dataset.Filter}.Open(source)
	if err != nil {
		return nil, "", err
	}
	if data.Hash != m.Dataset.Hash {
		return nil, "", fmt.Errorf("run %s: the dataset %s is not what it was (%.19s, now %.19s): run again over the new one, by which the baseline is then graded too; if the old one is elsewhere, name it with --dataset FILE", m.Run, source, m.Dataset.Hash, data.Hash)
	}
	// The same queries are the same dataset, whatever the name of their file is now.
	named := *data
	named.Name = m.Dataset.Name
	return &named, of.Source, nil
}

func sourceOf(source, given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if source == "" {
		return "", fmt.Errorf("its manifest does not say where its queries came from, as that of an import or of a session of `concur ask`: name a dataset with the same queries with --dataset FILE, or begin a new run")
	}
	base := source[strings.LastIndexAny(source, `/\`)+1:]
	for _, at := range []string{source, base} {
		if _, err := os.Stat(at); err == nil || slices.Contains(datasets.Builtin(), at) {
			return at, nil
		}
	}
	return "", fmt.Errorf("its dataset %s does not exist any more, nor does %s in this folder: name it with --dataset FILE", source, base)
}
