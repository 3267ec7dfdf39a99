package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Latest is the name that stands for the run with the newest start. Fresh traces of another
// run are no run in this sense.
const Latest = "latest"

// Find opens a run by folder, by name within the runs folder, or Latest.
func Find(runsDir, name string) (*Run, error) {
	if name == Latest {
		return latest(runsDir)
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

func latest(runsDir string) (*Run, error) {
	entries, err := os.ReadDir(runsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("find latest run: %w", err)
	}
	var newest *Run
	for _, e := range entries {
		r, err := Open(filepath.Join(runsDir, e.Name()))
		if err != nil {
			continue // a folder that is no run cannot be the latest one
		}
		if r.Manifest.FreshOf != "" {
			continue
		}
		if newest == nil || r.Manifest.Start.After(newest.Manifest.Start) {
			newest = r
		}
	}
	if newest == nil {
		return nil, fmt.Errorf("find latest run: there is no run in %s; make one with `concur run`, or choose another folder with --runs-dir", runsDir)
	}
	return newest, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
