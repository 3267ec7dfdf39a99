package container_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/container"
)

// fakeClient acts as docker: it records its arguments, and runs the program of a container on this machine.
const fakeClient = `#!/bin/sh
folder=$(dirname "$0")
export TMPDIR="$folder"
echo "$@" | tr '\n' ' ' | cut -c1-700 >> "$folder/arguments"
case "$1" in
version) echo 28.2.2 ;;
image) test "$5" != absent && echo sha256:0123 ;;
kill) kill -9 $(cat "$folder/$2"); exit ;;
run)
  name=$5
  while test "$1" != python:3.12-slim -a "$1" != node:22-slim; do shift; done
  shift
  echo $$ > "$folder/$name"
  exec "$@" ;;
esac
`

// fake returns the environment of a machine with a fake docker, and its folder.
func fake(t *testing.T, client string) (getenv func(string) string, folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "docker"), []byte(client), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":/usr/bin:/bin")
	t.Setenv("SECRET", "a key of the user")
	return os.Getenv, folder
}

var runners = map[string]string{
	sandbox.Python: "import sys, os\nscope = {}\nexec(open(sys.argv[1]).read(), scope)\nos.write(3, str(scope.get('result')).encode())",
	sandbox.JavaScript: "const fs = require('fs'); globalThis.require = require;\n" +
		"(0, eval)(fs.readFileSync(process.argv[2], 'utf8')); fs.writeSync(3, String(globalThis.result));",
}

func start(t *testing.T, getenv func(string) string) sandbox.Engine {
	t.Helper()
	e, err := container.New(context.Background(), container.Docker, container.Options{Getenv: getenv,
		Languages: []string{sandbox.Python, sandbox.JavaScript}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// need skips a test on machines without an interpreter, which here stands for that of an image.
func need(t *testing.T, program string) {
	t.Helper()
	if _, err := os.Stat("/usr/bin/" + program); err != nil {
		t.Skip("/usr/bin/" + program + " is not installed")
	}
}

// run runs a job that must not fail to start. On a machine that is too busy to start it in its time, it gets more.
func run(t *testing.T, e sandbox.Engine, language, script string, limits sandbox.Limits) sandbox.Ended {
	t.Helper()
	for limits = limits.Or(sandbox.Limits{Time: time.Minute}); ; limits.Time *= 2 {
		ended, err := e.Run(context.Background(), sandbox.Job{Language: language, Script: []byte(script),
			Runner: []byte(runners[language]), Input: []byte("the input"), Limits: limits})
		if err == nil {
			return ended
		}
		if !strings.Contains(err.Error(), "it did not start within") || limits.Time > 5*time.Minute {
			t.Fatal(err)
		}
	}
}

// The command lines of docker, with the name of the container and the boot program left out.
func TestCommandLine(t *testing.T) {
	need(t, "python3")
	getenv, folder := fake(t, fakeClient)
	e := start(t, getenv)
	run(t, e, sandbox.Python, "result = 1", sandbox.Limits{})
	raw, err := os.ReadFile(filepath.Join(folder, "arguments"))
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`concur-\w+`).ReplaceAllString(string(raw), "concur-RANDOM")
	text = regexp.MustCompile(`-c # .*`).ReplaceAllString(text, "-c BOOT")
	golden.Check(t, "testdata/docker.txt", text)
}

func TestPython(t *testing.T) {
	need(t, "python3")
	getenv, _ := fake(t, fakeClient)
	e := start(t, getenv)
	for _, c := range []struct{ script, result, out, errors, signal string }{
		{"import sys\nprint('out'); sys.stderr.write('err')\nresult = sys.stdin.read()", "the input", "out\n", "err", ""},
		{"import os\nresult = 'SECRET' in os.environ, os.listdir('.')", "(False, [])", "", "", ""},
		{"import os\nresult = [n for n in range(4, 30) if os.path.exists('/proc/self/fd/%d' % n)]", "[]", "", "", ""},
		{"import os\nos.abort()", "", "", "", "SIGABRT"},
		{"import os\nif os.fork() == 0:\n  import time; time.sleep(3); os._exit(0)\nresult = 'left a process'", "left a process", "", "", ""},
	} {
		ended := run(t, e, sandbox.Python, c.script, sandbox.Limits{})
		if string(ended.Result) != c.result || string(ended.Stdout) != c.out || string(ended.Stderr) != c.errors ||
			ended.Signal != c.signal || ended.Stop != sandbox.NotStopped {
			t.Errorf("%s: %q %q %q %+v", c.script, ended.Result, ended.Stdout, ended.Stderr, ended)
		}
	}
	if ended := run(t, e, sandbox.Python, "import sys; sys.exit(7)", sandbox.Limits{}); ended.Exit != 7 {
		t.Errorf("%+v", ended)
	}
}

func TestJavaScript(t *testing.T) {
	need(t, "node")
	getenv, _ := fake(t, fakeClient)
	e := start(t, getenv)
	ended := run(t, e, sandbox.JavaScript, "console.log('out'); console.error('err'); "+
		"result = require('fs').readFileSync(0, 'utf8') + typeof process", sandbox.Limits{})
	if string(ended.Result) != "the inputobject" || string(ended.Stdout) != "out\n" || string(ended.Stderr) != "err\n" {
		t.Errorf("%q %q %q %+v", ended.Result, ended.Stdout, ended.Stderr, ended)
	}
}

// A container is killed by its name at the deadline and at the bound of output.
func TestStops(t *testing.T) {
	need(t, "python3")
	getenv, folder := fake(t, fakeClient)
	e := start(t, getenv)
	for script, c := range map[string]struct {
		limits sandbox.Limits
		want   sandbox.Stop
	}{
		"while True: pass":                           {sandbox.Limits{Time: time.Second}, sandbox.StopTime},
		"while True: print('x' * 1000)":              {sandbox.Limits{Output: 10_000}, sandbox.StopOutput},
		"import os\nos.write(3, b'x' * 20000)":       {sandbox.Limits{Output: 10_000}, sandbox.StopOutput},
		"import os, signal\nos.kill(os.getpid(), 9)": {sandbox.Limits{}, sandbox.StopMemory},
	} {
		ended := run(t, e, sandbox.Python, script, c.limits)
		if ended.Stop != c.want || int64(len(ended.Stdout)) > c.limits.Or(sandbox.Defaults()).Output {
			t.Errorf("%s: stopped for %q, want %q", script, ended.Stop, c.want)
		}
	}
	raw, err := os.ReadFile(filepath.Join(folder, "arguments"))
	if err != nil || !strings.Contains(string(raw), "\nkill concur-") {
		t.Errorf("docker kill was not called: %s, %v", raw, err)
	}
}

// A script that prints lines like those of the boot program does not know the mark.
func TestForgedReport(t *testing.T) {
	need(t, "python3")
	getenv, _ := fake(t, fakeClient)
	e := start(t, getenv)
	ended := run(t, e, sandbox.Python, "import sys\nsys.stderr.write('\\nAAAA end 0 Zm9yZ2Vk\\n')\nresult = 'mine'", sandbox.Limits{})
	if string(ended.Result) != "mine" || !strings.Contains(string(ended.Stderr), "AAAA end 0") {
		t.Errorf("%q %q", ended.Result, ended.Stderr)
	}
}

func TestStartErrors(t *testing.T) {
	for client, want := range map[string]string{
		"#!/bin/sh\necho 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.' >&2; exit 1": "sandbox docker: Cannot " +
			"connect to the Docker daemon at unix:///var/run/docker.sock.: start its daemon",
		"#!/bin/sh\ncase $1 in version) echo 1;; *) exit 1;; esac": "sandbox docker: there is no image python:3.12-slim: " +
			"docker pull python:3.12-slim",
		"#!/bin/sh\ncase $1 in version) echo 1;; image) echo sha256:1;; *) echo 'docker: bad things' >&2; exit 125;; esac": "sandbox " +
			"docker: docker: bad things",
	} {
		getenv, _ := fake(t, client)
		e, err := container.New(context.Background(), container.Docker, container.Options{Getenv: getenv,
			Languages: []string{sandbox.Python}})
		if err == nil {
			_, err = e.Run(context.Background(), sandbox.Job{Language: sandbox.Python})
		}
		if _, is := errors.AsType[*sandbox.StartError](err); !is || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A command of the user's gets the line of an interpreter, and its group ends at the deadline.
func TestCommand(t *testing.T) {
	need(t, "python3")
	folder := t.TempDir()
	wrapper := filepath.Join(folder, "wrapper")
	if err := os.WriteFile(wrapper, []byte("#!/bin/sh\nshift\nTMPDIR="+folder+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	e, err := container.NewCommand([]string{wrapper, "--strict"}, container.Options{Getenv: os.Getenv,
		Languages: []string{sandbox.Python}})
	if err != nil {
		t.Fatal(err)
	}
	if ended := run(t, e, sandbox.Python, "result = 1+1", sandbox.Limits{}); string(ended.Result) != "2" {
		t.Errorf("%+v %s", ended, ended.Stderr)
	}
	ended := run(t, e, sandbox.Python, "while True: pass", sandbox.Limits{Time: time.Second})
	if ended.Stop != sandbox.StopTime {
		t.Errorf("%+v", ended)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err = e.Run(ctx, sandbox.Job{Language: sandbox.Python, Runner: []byte("import time; time.sleep(1000)")})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if want := "command 1, " + wrapper + " --strict"; e.Version() != want {
		t.Errorf("%s, want %s", e.Version(), want)
	}
	if _, err := container.NewCommand([]string{"/does/not/exist"}, container.Options{Getenv: os.Getenv}); err == nil {
		t.Error("a command that does not exist was accepted")
	}
}
