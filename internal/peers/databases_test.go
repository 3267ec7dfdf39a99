//go:build peers

package peers

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/tool/sql/sqltest"
)

// databasesTime is the time that the tests of the database servers may take.
const databasesTime = 15 * time.Minute

// TestDatabases runs the tests of tool/sql and cmd/concur that need PostgreSQL and MariaDB, which make test skips where
// they are not installed. The servers are Debian's, and refuse to run as root: all users must be able to enter their
// folder.
func TestDatabases(t *testing.T) {
	dir, err := os.MkdirTemp("", "databases")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	b := bench{dir: dir}
	root := filepath.Join(dir, "root")
	for _, folder := range []string{dir, root} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.debian(t, "postgresql", "mariadb-server")
	ctx, cancel := context.WithTimeout(t.Context(), databasesTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-v", "-tags", "urfave_cli_no_docs", "-run",
		"TestServer|TestSQLServer|Equals|Probe", "./tool/sql/...", "./cmd/concur")
	cmd.Dir, cmd.WaitDelay = filepath.Join("..", ".."), graceTime
	cmd.Env = append(os.Environ(), sqltest.Programs+"="+root)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
