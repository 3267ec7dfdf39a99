package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store"
)

// Path is where the figures of a run are kept, in its folder.
func Path(dir string) string { return filepath.Join(dir, "summary.json") }

// Stored reads the figures of a run. It returns nil if the run is not complete, or if its
// figures are not written yet.
func Stored(r *store.Run) (*Result, error) {
	if r.Manifest.State != store.Complete {
		return nil, nil
	}
	raw, err := os.ReadFile(Path(r.Dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var s Result
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("read %s: %w; `%s` writes it anew", Path(r.Dir), err, store.ResumeCommand(r.Dir, r.Manifest))
	}
	return &s, nil
}
