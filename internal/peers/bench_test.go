//go:build peers || llm

package peers

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// oldestNode is the oldest major version that all of the packages work with.
const oldestNode = 20

// The time that each step may take. Together they stay below the deadline that the Makefile
// gives to go test, after which nothing would be cleaned up.
const (
	installTime = 8 * time.Minute
	buildTime   = 10 * time.Minute
	clientTime  = time.Minute
	graceTime   = 10 * time.Second
)

// bench is a temporary folder with the programs in it.
type bench struct {
	dir    string // of the scripts and of the packages that they import
	node   string
	concur string
	most   time.Duration // that a program may run
	path   []string      // folders that come first on the PATH of what it runs
}

// newBench copies the scripts of a folder, and installs packages with the given words of
// npm. It skips the test where there is no node, no npm or no registry.
func newBench(t *testing.T, scripts string, npmArgs ...string) bench {
	t.Helper()
	node := lookUp(t, "node")
	if v := nodeVersion(t, node); v < oldestNode {
		t.Skipf("node is of version %d: the packages need %d or later", v, oldestNode)
	}
	b := bench{dir: t.TempDir(), node: node, most: clientTime}
	if err := os.CopyFS(b.dir, os.DirFS(scripts)); err != nil {
		t.Fatal(err)
	}
	b.npm(t, append(npmArgs, "--omit=optional")...)
	b.build(t)
	return b
}

// npm runs npm in the folder of the bench.
func (b bench) npm(t *testing.T, args ...string) {
	t.Helper()
	b.install(t, lookUp(t, "npm"), append(args, "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier",
		"--omit=dev", "--omit=peer", "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--cache="+filepath.Join(b.dir, "cache"))...)
}

func lookUp(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: install Node.js %d or later", name, oldestNode)
	}
	return path
}

func lookUpPython(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("python is not installed: install Python 3.9 or later, with pip")
	return ""
}

func nodeVersion(t *testing.T, node string) int {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), node, "--version").Output()
	if err != nil {
		t.Fatalf("%s --version: %v", node, err)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(out), "v"), ".")
	v, err := strconv.Atoi(major)
	if err != nil {
		t.Fatalf("%s --version says %q", node, out)
	}
	return v
}

// unreachable are the words of npm and pip for a registry that they do not get through to.
var unreachable = regexp.MustCompile(`(?i)code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E5\d\d)\b|No matching distribution found|Max retries exceeded`)

// install brings pinned packages by npm or pip. Their install scripts do not run, and the
// cache goes with the folder.
func (b bench) install(t *testing.T, program string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), installTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = b.dir
	cmd.WaitDelay = graceTime
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
	case ctx.Err() != nil || unreachable.Match(out):
		t.Skipf("the package registry cannot be reached: %v\n%s", err, out)
	default:
		t.Fatalf("%s %s: %v\n%s", filepath.Base(program), args[0], err, out)
	}
}

func (b *bench) build(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), buildTime)
	defer cancel()
	b.concur = filepath.Join(b.dir, "concur.exe") // a name that every system runs
	cmd := exec.CommandContext(ctx, "go", "build", "-tags", "urfave_cli_no_docs", "-o", b.concur, "./cmd/concur")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build concur: %v\n%s", err, out)
	}
}
