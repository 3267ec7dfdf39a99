package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-5817661a/concur/cmd/concur/console"
)

// These are the exit codes that the tests expect.
const (
	exitOK          = console.ExitOK
	exitRegression  = console.ExitRegression
	exitUsage       = console.ExitUsage
	exitInvalid     = console.ExitInvalid
	exitInterrupted = console.ExitInterrupted
)

func TestMain(m *testing.M) {
	// Scripts run this binary again under the command's own name, with their environment.
	if name := filepath.Base(os.Args[0]); name != "concur" && name != "concur.exe" && name != "snoop" && name != "prompter" {
		forgetEnvironment()
	}
	testscript.Main(m, map[string]func(){"concur": main, "snoop": snoop, "prompter": prompter})
}

// forgetEnvironment unsets the variables of whoever runs the tests, so that they do not change
// the results.
func forgetEnvironment() {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if name != "CONCUR_DATA" && name != "CONCUR_LOAD" && !strings.Contains(name, "_SANDBOX_TESTS") && (strings.HasPrefix(name, "CONCUR_") || strings.HasPrefix(name, "OPENAI_") || strings.HasPrefix(name, "OTEL_")) {
			if err := os.Unsetenv(name); err != nil {
				panic(err)
			}
		}
	}
}

// wholeRuns is why a test is left out under the race detector.
const wholeRuns = "many whole runs; TestGoldSetEndToEnd is one"

// TestScripts runs the command as its users do. Each script has an empty folder and an
// empty home.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("processes of their own, in which nothing is shared with this one")
	}
	home, err := os.Getwd() // which callConcur leaves for a while
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join(home, "testdata/script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("TMPDIR", env.WorkDir)
			env.Setenv("PYTHONPATH", filepath.Join(home, "../python")) // for examples/python
			port, err := freePort()
			env.Setenv("PORT", port)
			return errors.Join(err, os.CopyFS(filepath.Join(env.WorkDir, "examples"), os.DirFS(filepath.Join(home, "../../examples"))))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"call": callConcur, "waitforrun": waitForRun, "waitforport": waitForPort},
	})
}

// hereLock is held by the script whose folder this process works in.
var hereLock sync.Mutex

// callConcur runs the command in this process, in the folder and environment of a script: it saves the start of
// hundreds of processes. What reads standard input or CONCUR_ variables, gets signals or starts programs is run by exec.
func callConcur(ts *testscript.TestScript, fails bool, args []string) {
	hereLock.Lock()
	defer hereLock.Unlock()
	back, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	code := run(args, console.Console{In: strings.NewReader(""), Out: ts.Stdout(), Err: ts.Stderr(), Environ: ts.Getenv, Exit: os.Exit})
	ts.Check(os.Chdir(back))
	if fails != (code != exitOK) {
		ts.Fatalf("%s: exit %d", strings.Join(args, " "), code)
	}
}

// waitForRun waits until a run in the folder runs, or the one named, has logged its first
// trace, so that its traces are on their way. It gives up with the test's own deadline
// alone.
func waitForRun(ts *testscript.TestScript, _ bool, args []string) {
	folder := "runs"
	if len(args) > 0 {
		folder = args[0]
	}
	for {
		logs, err := filepath.Glob(ts.MkAbs(folder + "/*/run.log"))
		ts.Check(err)
		if len(logs) > 0 && strings.Contains(ts.ReadFile(logs[0]), "  trace  ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// nobody is an address at which nobody listens.
const nobody = "127.0.0.1:1"

// freePort is a port of the loopback that nobody listened on a moment ago. The system does not give it to clients and
// other tests meanwhile: their ports are above 32767.
func freePort() (port string, err error) {
	for range 100 {
		var l net.Listener
		port = fmt.Sprint(10_000 + rand.IntN(20_000))
		if l, err = net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			return port, l.Close()
		}
	}
	return "", err
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
