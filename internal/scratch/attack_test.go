//go:build !windows

package scratch_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Whatever another user puts into the common folder for temporary files, nothing outside of it is removed, and nothing
// that is not a folder of this package.
func TestAttacks(t *testing.T) {
	dir, outside := temporary(t), t.TempDir()
	killed := hold(t)
	killed.kill()
	left := killed.path // a folder as a killed process leaves it, outside of the folder for temporary files
	precious := filepath.Join(outside, kind+"-1")
	host, err := os.ReadFile(filepath.Join(left, ".lock"))
	if err := errors.Join(err, os.Rename(left, precious)); err != nil {
		t.Fatal(err)
	}
	// folder makes a folder like that of a killed process.
	folder := func(name string) string {
		path := filepath.Join(dir, kind+"-"+name)
		if err := errors.Join(os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, ".lock"), host, 0o600),
			os.WriteFile(filepath.Join(path, "file"), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	do := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	stay := map[string]string{"what a link names": filepath.Join(precious, "data", "inner", "secret")}

	stay["a link"] = filepath.Join(dir, kind+"-link")
	do(os.Symlink(precious, stay["a link"]))
	stay["a link within"] = filepath.Join(dir, kind+"-within")
	do(os.Symlink(filepath.Join(dir, "own"), stay["a link within"]), os.Mkdir(filepath.Join(dir, "own"), 0o700),
		os.WriteFile(filepath.Join(dir, "own", ".lock"), host, 0o600))
	stay["a folder within that a link names"] = filepath.Join(dir, "own", ".lock")
	stay["a file"] = filepath.Join(dir, kind+"-file")
	do(os.WriteFile(stay["a file"], nil, 0o600))
	stay["a folder that others can enter"] = folder("open")
	do(os.Chmod(stay["a folder that others can enter"], 0o777))
	stay["a folder of another host"] = folder("far")
	do(os.WriteFile(filepath.Join(stay["a folder of another host"], ".lock"), []byte("far."+string(host)), 0o600))
	stay["a folder without a lock file"] = folder("own")
	do(os.Remove(filepath.Join(stay["a folder without a lock file"], ".lock")))
	stay["a folder whose lock file is a link out"] = folder("out")
	do(os.Remove(filepath.Join(stay["a folder whose lock file is a link out"], ".lock")),
		os.Symlink(filepath.Join(precious, ".lock"), filepath.Join(stay["a folder whose lock file is a link out"], ".lock")))
	if os.Geteuid() == 0 {
		stay["a folder of another user"] = folder("theirs")
		do(os.Chown(stay["a folder of another user"], 65534, 65534))
	}
	ours := folder("ours") // with links out of it, as an agent can make them
	do(os.Symlink(precious, filepath.Join(ours, "precious")))

	made(t, kind)
	for what, path := range stay {
		if !exists(t, path) {
			t.Errorf("%s was removed: %s", what, path)
		}
	}
	if exists(t, ours) {
		t.Error("the folder of a killed process is left: the test has not tested anything")
	}
}
