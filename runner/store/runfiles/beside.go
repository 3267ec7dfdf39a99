package runfiles

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// beside matches files that this run does not write while it is in progress, but other commands may.
var beside = lazy.Compile(`^(run\.yaml|labels\.jsonl|summary\.json|chat\.md|gate.*\.jsonl?)$`)

// DigestsBeside returns the digests of the files that beside matches. If a file cannot be read, the error
// takes the place of its digest.
func DigestsBeside(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	out := map[string]string{}
	for _, e := range entries {
		if !beside.MatchString(e.Name()) {
			continue
		}
		raw, err := disk.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			out[e.Name()] = err.Error()
			continue
		}
		out[e.Name()] = fmt.Sprintf("%x", sha256.Sum256(raw))
	}
	return out, err
}

// IsBeside reports whether other commands may write a file of this name while a run is in progress.
func IsBeside(name string) bool { return beside.MatchString(name) }
