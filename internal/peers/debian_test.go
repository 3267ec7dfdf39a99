//go:build peers

package peers

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// packagesTime is the time in which Debian's packages must be there.
const packagesTime = 4 * time.Minute

// debian unpacks packages of Debian that are not installed, with those that they need, into the folder root. Nothing
// is installed and nobody has to be root. It skips the test where the packages cannot be had.
func (b bench) debian(t *testing.T, packages ...string) {
	t.Helper()
	for _, name := range []string{"apt-get", "dpkg-deb"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed: the test needs Debian's %s", name, strings.Join(packages, ", "))
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), packagesTime)
	defer cancel()
	output := func(name string, args ...string) string {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir, cmd.WaitDelay = b.dir, graceTime
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Skipf("Debian's packages cannot be had, maybe for want of apt-get update: %s %s: %v\n%s", name, args[0], err, out)
		}
		return string(out)
	}
	var names []string
	for line := range strings.Lines(output("apt-get", append([]string{"install", "--simulate", "-qq", "--no-install-recommends"}, packages...)...)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "Inst" {
			names = append(names, f[1])
		}
	}
	if len(names) > 0 {
		output("apt-get", append([]string{"download", "-qq"}, names...)...)
	}
	debs, err := filepath.Glob(filepath.Join(b.dir, "*.deb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, deb := range debs {
		output("dpkg-deb", "-x", deb, filepath.Join(b.dir, "root"))
	}
}
