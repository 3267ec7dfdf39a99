package bwrap_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
)

func TestRun(t *testing.T) {
	checkRemains(t)
	e := sandboxtest.Bwrap(t, os.Getenv, sandbox.Python, sandbox.JavaScript)
	for _, c := range []struct{ language, script, want string }{
		{sandbox.Python, "import sys\nprint('out'); print('err', file=sys.stderr)\nresult = 1+1", `exit 0; result "2"; output "out\n"; error "err"`},
		{sandbox.Python, "import sys\nresult = sys.stdin.read()", `exit 0; result "the input"; output ""; error ""`},
		{sandbox.Python, "import os\nresult = sorted(os.environ), os.getcwd(), os.listdir('.')", `exit 0; result "(['HOME', 'LANG', ` +
			`'MALLOC_ARENA_MAX', 'PATH', 'PWD'], '/tmp', [])"; output ""; error ""`},
		{sandbox.Python, "import sys\nsys.exit(7)", `exit 7; result ""; output ""; error ""`},
		{sandbox.Python, "import ctypes\nctypes.string_at(0)", `SIGSEGV; result ""; output ""; error ""`},
		{sandbox.Python, "import os\nresult = os.getuid(), os.getpid(), os.uname().nodename", `exit 0; result "(65534, 1, 'sandbox')"; ` +
			`output ""; error ""`},
		{sandbox.Python, "import multiprocessing as m\nwith m.Pool(2) as p: result = p.map(abs, [-1, -2])",
			`exit 0; result "[1, 2]"; output ""; error ""`},
		{sandbox.JavaScript, "console.log('out'); console.error('err'); result = 1+1", `exit 0; result "2"; output "out\n"; error "err"`},
	} {
		ended := run(t, e, c.language, c.script, sandbox.Limits{Time: time.Minute})
		if got := describe(ended); got != c.want {
			t.Errorf("%s\n  %s\nwant\n  %s", c.script, got, c.want)
		}
		if ended.Cut || ended.Time <= 0 {
			t.Errorf("%s: %+v", c.script, ended)
		}
	}
}

// A script and a result that are larger than a pipe arrive.
func TestLargeScriptAndResult(t *testing.T) {
	e := sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	script := "result = '" + strings.Repeat("x", 900_000) + "'"
	ended := run(t, e, sandbox.Python, script, sandbox.Limits{Time: time.Minute})
	if len(ended.Result) != 900_000 || ended.Cut {
		t.Errorf("%d bytes of a result, want 900000: %s", len(ended.Result), describe(ended))
	}
}

// Jobs at the same time get their own results; more than run at the same time wait.
func TestAtOnce(t *testing.T) {
	checkRemains(t)
	e := sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			ended, err := e.Run(context.Background(), sandbox.Job{Language: sandbox.Python, Script: []byte("result = input()"),
				Runner: []byte(runners[sandbox.Python]), Input: []byte(strings.Repeat("x", i) + "\n"),
				Limits: sandbox.Limits{Time: time.Minute}})
			if err != nil || string(ended.Result) != strings.Repeat("x", i) {
				t.Errorf("job %d: %v, %s", i, err, describe(ended))
			}
		})
	}
	all.Wait()
}

// A cancelled job ends with the error of its context, and leaves nothing.
func TestCancelled(t *testing.T) {
	checkRemains(t)
	e := sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err := e.Run(ctx, sandbox.Job{Language: sandbox.Python, Script: []byte("import time; time.sleep(1000)"),
		Runner: []byte(runners[sandbox.Python])})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// An open file of the host that children inherit does not reach a sandbox.
func TestInheritedFile(t *testing.T) {
	e := sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	inherited := openInherited(t, secret)
	ended := run(t, e, sandbox.Python, "import os\nresult = []\nfor fd in range(64):\n  try: os.fstat(fd); result.append(fd)\n"+
		"  except OSError: pass", sandbox.Limits{Time: time.Minute})
	if string(ended.Result) != "[0, 1, 2, 3]" {
		t.Errorf("with descriptor %d open: %s", inherited, describe(ended))
	}
}

// An interpreter below a folder that the sandbox's user cannot enter is refused by the folder's name.
func TestClosedInterpreter(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the user of the sandbox differs only for root")
	}
	sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	closed := filepath.Join(t.TempDir(), "closed")
	python := filepath.Join(closed, "python3")
	text := "#!/bin/sh\necho '{\"path\": \"" + python + "\", \"version\": \"3\", \"needs\": []}'\n"
	if err := errors.Join(os.Mkdir(closed, 0o700), os.WriteFile(python, []byte(text), 0o755)); err != nil {
		t.Fatal(err)
	}
	_, err := bwrap.New(context.Background(), bwrap.Options{Languages: []string{sandbox.Python},
		Interpreters: map[string]string{sandbox.Python: python}, Getenv: os.Getenv})
	_, is := errors.AsType[*sandbox.StartError](err)
	if !is || !strings.Contains(err.Error(), "the sandbox's user cannot read "+python) {
		t.Error(err)
	}
}

// An interpreter of a virtual environment works, and its folder is all that is shown of the folder around it.
func TestVirtualEnvironment(t *testing.T) {
	sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	home := t.TempDir()
	for at := home; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil {
			break // a folder above that of the test
		}
	}
	if err := os.WriteFile(filepath.Join(home, "private"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	venv := filepath.Join(home, "venv")
	if out, err := exec.Command("/usr/bin/python3", "-m", "venv", "--without-pip", venv).CombinedOutput(); err != nil {
		t.Skipf("python3 -m venv does not work here: %s", out)
	}
	python := filepath.Join(venv, "bin", "python3")
	e, err := bwrap.New(context.Background(), bwrap.Options{Languages: []string{sandbox.Python}, Getenv: os.Getenv,
		Interpreters: map[string]string{sandbox.Python: python}})
	if err != nil {
		t.Fatal(err)
	}
	ended := run(t, e, sandbox.Python, "import sys, os\nresult = sys.prefix, os.listdir('"+home+"')", sandbox.Limits{Time: time.Minute})
	if want := "('" + venv + "', ['venv'])"; string(ended.Result) != want {
		t.Errorf("%s, want %s", describe(ended), want)
	}
}

// A program that is no bubblewrap, an old one, and one that fails, are refused with a remedy.
func TestStartErrors(t *testing.T) {
	folder := t.TempDir()
	for name, c := range map[string]struct{ script, want string }{
		"old": {"echo bubblewrap 0.7.0", "sandbox bwrap: version 0.7.0 is too old: it lacks --disable-userns: " +
			"install bubblewrap 0.8 or newer"},
		"other": {"echo hello", `its version is unknown: "hello\n": install bubblewrap 0.8 or newer`},
		"fails": {"exit 3", "--version: exit status 3: apt-get install bubblewrap"},
		"forbidden": {`case "$1" in --version) echo bubblewrap 0.9.0;; *) echo "bwrap: setting up uid map: Permission denied" >&2; ` +
			`exit 1;; esac`, "sandbox bwrap: setting up uid map: Permission denied: load an AppArmor profile for bwrap"},
		"silent": {`case "$1" in --version) echo bubblewrap 1.0;; *) exit 1;; esac`, "sandbox bwrap: it ended without a message"},
	} {
		program := filepath.Join(folder, name)
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		for at := folder; at != os.TempDir() && at != "/"; at = filepath.Dir(at) { // the sandbox's user starts it
			if err := os.Chmod(at, 0o755); err != nil {
				break // a folder above that of the test
			}
		}
		_, err := bwrap.New(context.Background(), bwrap.Options{Languages: []string{sandbox.Python}, Getenv: os.Getenv,
			Program: program})
		_, is := errors.AsType[*sandbox.StartError](err)
		if !is || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// Version names interpreters, and is equal for equal installations.
func TestVersion(t *testing.T) {
	e := sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	if v := e.Version(); !strings.HasPrefix(v, "bwrap 1, python 3.") || v != sandboxtest.Bwrap(t, os.Getenv, sandbox.Python).Version() {
		t.Error(v)
	}
	if _, err := e.Run(context.Background(), sandbox.Job{Language: "cobol"}); err == nil {
		t.Error("a job in cobol ran")
	}
}

// BenchmarkPython measures a job of one sum: its time is that of the sandbox and of the interpreter.
func BenchmarkPython(b *testing.B) { benchmark(b, sandbox.Python) }

// BenchmarkJavaScript is BenchmarkPython with Node.
func BenchmarkJavaScript(b *testing.B) { benchmark(b, sandbox.JavaScript) }

func benchmark(b *testing.B, language string) {
	e := sandboxtest.Bwrap(b, os.Getenv, language)
	var times []time.Duration
	for b.Loop() {
		ended, err := e.Run(context.Background(), sandbox.Job{Language: language, Script: []byte("result = 1+1"),
			Runner: []byte(runners[language])})
		if err != nil || !bytes.Equal(ended.Result, []byte("2")) {
			b.Fatal(err, describe(ended))
		}
		times = append(times, ended.Time)
	}
	reportMedian(b, times)
}

// BenchmarkBarePython is the interpreter alone, for comparison with BenchmarkPython.
func BenchmarkBarePython(b *testing.B) {
	var times []time.Duration
	for b.Loop() {
		begin := time.Now()
		if err := exec.Command("/usr/bin/python3", "-I", "-B", "-c", "1+1").Run(); err != nil {
			b.Skip(err)
		}
		times = append(times, time.Since(begin))
	}
	reportMedian(b, times)
}
