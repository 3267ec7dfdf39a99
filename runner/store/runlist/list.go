package runlist

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/store"
)

// List opens the runs of a runs folder, newest first. A missing folder has no runs. damaged lists the folders
// of runs that cannot be opened. List skips other folders, and hidden folders, which Join makes.
func List(runsDir string) (runs []*store.Run, damaged []Damaged, err error) {
	entries, err := os.ReadDir(runsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("list runs: %w; choose another folder with --runs-dir", err)
	}
	for _, e := range entries {
		dir := filepath.Join(runsDir, e.Name())
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if r, err := store.Open(dir); err == nil {
			runs = append(runs, r)
		} else if _, none := os.Lstat(filepath.Join(dir, store.ManifestFile)); none == nil { // the manifest is written last
			damaged = append(damaged, Damaged{dir, err})
		}
	}
	slices.SortStableFunc(runs, func(a, b *store.Run) int { return b.Manifest.Start.Compare(a.Manifest.Start) })
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
