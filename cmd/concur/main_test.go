package main

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"concur": main})
}

// TestScripts runs the command as its users do. Each script has an empty folder and an
// empty home.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("TMPDIR", env.WorkDir)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"waitforrun": waitForRun, "waitforport": waitForPort},
	})
}

// waitForRun waits until a run in the folder runs has logged its first trace, so that
// its traces are on their way. It gives up with the test's own deadline alone.
func waitForRun(ts *testscript.TestScript, _ bool, _ []string) {
	for {
		logs, err := filepath.Glob(ts.MkAbs("runs/*/run.log"))
		ts.Check(err)
		if len(logs) > 0 && strings.Contains(ts.ReadFile(logs[0]), "  trace  ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// waitForPort waits until somebody listens on an address.
func waitForPort(ts *testscript.TestScript, _ bool, args []string) {
	for {
		conn, err := net.Dial("tcp", args[0])
		if err == nil {
			ts.Check(conn.Close())
			return
		}
		time.Sleep(time.Millisecond)
	}
}
