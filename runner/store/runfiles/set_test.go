package runfiles

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
)

// TestADiskThatTakesNothingMore closes a file that the set has open, which fails like a full disk or a lost network
// share. It does this for each file. Lines in other files that depend on the closed file must not be written.
func TestADiskThatTakesNothingMore(t *testing.T) {
	for broken := range Count {
		t.Run(broken.Name(), func(t *testing.T) {
			dir := t.TempDir()
			set, err := Open(new(disk.Disk), dir, os.O_CREATE, linefile.Sums{Run: "r1", HasPlaces: true})
			if err == nil {
				err = set.Begin()
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := set.out[broken].Close(); err != nil {
				t.Fatal(err)
			}
			for f := range Count {
				if err := set.Put(f, []byte(`{"query":"q1"}`), linefile.Head{}); err != nil {
					t.Fatalf("%s: %v", f.Name(), err)
				}
			}
			if err := set.Flush(); !errors.Is(err, os.ErrClosed) {
				t.Errorf("Flush gives %v, want the error of the file", err)
			}
			if err := set.Close(); !errors.Is(err, os.ErrClosed) {
				t.Errorf("Close gives %v, want the error of the file", err)
			}
			for f := range Count {
				raw, err := os.ReadFile(filepath.Join(dir, f.Name()))
				if wrote := len(raw) > len(linefile.FirstLine(f.Schema())); err != nil || wrote != (f < broken) {
					t.Errorf("%s was appended to: %t, want %t (%v)", f.Name(), wrote, f < broken, err)
				}
			}
		})
	}
}
