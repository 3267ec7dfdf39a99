package confine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed-5817661a/concur/internal/process"
	"github.com/seed-5817661a/concur/internal/sandbox/confine"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
	"github.com/seed-5817661a/concur/internal/sandbox/watch"
)

// TestMain starts a copy of this program that the user of sandboxes can read, and makes it the parent of orphans.
func TestMain(m *testing.M) {
	if folder := os.Getenv("CONFINE_TEST"); folder == "" {
		code, err := runCopy()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(code)
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func runCopy() (code int, err error) {
	folder, err := os.MkdirTemp("/tmp", "confine-test")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(folder)
	program, err := os.ReadFile("/proc/self/exe")
	if err == nil {
		err = errors.Join(os.Chmod(folder, 0o755), os.WriteFile(filepath.Join(folder, "test"), program, 0o755))
	}
	if err != nil {
		return 1, err
	}
	cmd := exec.Command(filepath.Join(folder, "test"), os.Args[1:]...)
	cmd.Env = append(os.Environ(), "CONFINE_TEST="+folder)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return 1, err
	}
	return 0, nil
}

// program returns a Python program in a folder that a test's user and nobody can read.
func program(t *testing.T, text, address string) confine.Program {
	t.Helper()
	sandboxtest.Bwrap(t, os.Getenv)
	folder, err := os.MkdirTemp(os.Getenv("CONFINE_TEST"), "agent")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(folder, "agent.py")
	if err := errors.Join(os.Chmod(folder, 0o755), os.WriteFile(script, []byte(text), 0o644),
		os.WriteFile(filepath.Join(folder, ".env"), []byte("KEY=secret"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/usr/bin/python3"); err != nil {
		t.Skip("/usr/bin/python3 is not installed")
	}
	p, err := confine.Program{Argv: []string{"/usr/bin/python3", script, "an argument"}, Visible: []string{script},
		Folder: folder, Address: address}.Check(context.Background(), os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// start starts a program as agents are started: in its own group, which ends with ctx.
func start(t *testing.T, ctx context.Context, p confine.Program, stdin string) (out, stderr string, code int) {
	t.Helper()
	argv, variable, err := p.Started()
	if err != nil {
		t.Fatal(err)
	}
	cmd := process.New(ctx, argv, []string{variable, "PATH=/usr/bin", "HOME=/root", "GIVEN=yes"})
	var stdout, errors bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &errors
	_ = cmd.Run() // its code is returned
	process.KillGroup(cmd)
	return stdout.String(), errors.String(), cmd.ProcessState.ExitCode()
}

// checkRemains fails if the test leaves processes below this one.
func checkRemains(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		var left []int
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
			var err error
			if left, err = watch.Descendants(os.Getpid()); err != nil || len(left) == 0 {
				return
			}
			for _, pid := range slices.Clone(left) { // wait for orphans, which are children of this process
				_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
			}
		}
		t.Errorf("processes %d are left", left)
	})
}

const looks = `
import json, os, socket, sys, urllib.request
seen = {"input": sys.stdin.read(), "argument": sys.argv[1], "env": sorted(os.environ), "cwd": os.listdir(".")}
base = "ADDRESS"
seen["proxy"] = [urllib.request.urlopen(f"http://{base}/{i}", data=b"x" * 100000, timeout=60).read().decode() for i in range(20)][-1]
for name, what in {
    "other port": lambda: socket.create_connection(("127.0.0.1", 1 + int(base.split(":")[1])), timeout=5),
    "metadata": lambda: socket.create_connection(("169.254.169.254", 80), timeout=5),
    "name": lambda: socket.getaddrinfo("example.com", 80),
    "passwd": lambda: open("/etc/passwd"),
    "dotenv": lambda: open(".env"),
    "write": lambda: open("written", "w"),
    "own file": lambda: open(sys.argv[0], "a"),
    "proc": lambda: os.listdir("/proc"),
    "namespace": lambda: os.unshare(0x10000000) if hasattr(os, "unshare") else open("/none"),
}.items():
    try:
        what()
        seen[name] = "reached"
    except OSError:
        seen[name] = "refused"
open("/tmp/x", "w").write("y")
seen["descriptors"] = []
for fd in range(3, 64):
    try:
        os.fstat(fd)
        seen["descriptors"].append(fd)
    except OSError:
        pass
if os.fork() == 0:
    os.setsid()
    import time
    time.sleep(600)
print(json.dumps(seen))
sys.stdout.flush()
os._exit(7)
`

// An agent reaches the proxy and nothing else, and ends with its own code although it left a process.
func TestAgent(t *testing.T) {
	checkRemains(t)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%s %d", r.URL.Path, n)
	}))
	defer proxy.Close()
	address := proxy.Listener.Addr().String()
	p := program(t, strings.ReplaceAll(looks, "ADDRESS", address), address)
	out, stderr, code := start(t, context.Background(), p, "the request")
	if code != 7 {
		t.Fatalf("exit code %d: %s\n%s", code, out, stderr)
	}
	for _, want := range []string{`"input": "the request"`, `"argument": "an argument"`, `"proxy": "/19 100000"`,
		`"cwd": ["agent.py"]`, `"other port": "refused"`, `"metadata": "refused"`, `"name": "refused"`, `"passwd": "refused"`,
		`"dotenv": "refused"`, `"own file": "refused"`, `"proc": "refused"`, `"namespace": "refused"`,
		`"descriptors": []`} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %s: %s %s", want, out, stderr)
		}
	}
	// A folder below /tmp is in memory inside; nothing that is written there reaches the machine.
	if _, err := os.Stat(filepath.Join(p.Folder, "written")); err == nil {
		t.Error("the agent wrote a file into its folder")
	}
	if strings.Contains(out, "CONCUR_CHILD") || !strings.Contains(out, "GIVEN") {
		t.Errorf("its variables: %s", out)
	}
}

// A program that ignores SIGTERM ends with its context, and so does its child.
func TestCancelled(t *testing.T) {
	checkRemains(t)
	p := program(t, "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nos.fork()\ntime.sleep(600)", "")
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	start(t, ctx, p, "")
}

// A program gets the signals of the launcher and can end well.
func TestSignalIsPassedOn(t *testing.T) {
	checkRemains(t)
	p := program(t, "import os, signal, time\n"+
		"signal.signal(signal.SIGINT, lambda *_: (os.write(1, b'ended well\\n'), os._exit(3)))\n"+
		"os.write(1, b'ready\\n')\ntime.sleep(600)", "")
	argv, variable, err := p.Started()
	if err != nil {
		t.Fatal(err)
	}
	cmd := process.New(context.Background(), argv, []string{variable})
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	ready := make([]byte, len("ready\n"))
	if _, err := io.ReadFull(pipe, ready); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(pipe)
	_ = cmd.Wait() // its code is read
	if code := cmd.ProcessState.ExitCode(); string(rest) != "ended well\n" || err != nil || code != 3 {
		t.Errorf("%q, %v, exit code %d", rest, err, code)
	}
}

// A program whose processes need too much memory together is ended with a message.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector needs more memory than the program may have")
	}
	checkRemains(t)
	p := program(t, "import os, time\nfor i in range(6):\n  if os.fork() == 0: b = bytearray(b'x'*(90<<20)); time.sleep(600)\ntime.sleep(600)", "")
	p.Memory = 300 << 20
	_, stderr, code := start(t, context.Background(), p, "")
	if code != 125 || !strings.Contains(stderr, "its processes use more than 300 MiB") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// What would show the machine or the working folder is refused; files that are arguments are shown.
func TestNew(t *testing.T) {
	sandboxtest.Bwrap(t, os.Getenv)
	folder, err := os.MkdirTemp(os.Getenv("CONFINE_TEST"), "new")
	if err == nil {
		err = errors.Join(os.Chmod(folder, 0o755), os.WriteFile(filepath.Join(folder, "given.sh"), []byte("echo $0"), 0o644),
			os.Mkdir(filepath.Join(folder, "data"), 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	for allow, want := range map[string]string{"/": "must not be visible", "/proc": "must not be visible", ".": "has the working folder in it",
		"..": "has the working folder in it", "absent": `"absent" matches no file`} {
		_, err := confine.New(context.Background(), confine.Command{Argv: []string{"sh", "given.sh"}, Allow: []string{allow}}, os.Getenv)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", allow, err, want)
		}
	}
	p, err := confine.New(context.Background(), confine.Command{Argv: []string{"sh", "given.sh"}, Files: []string{"dat*"}}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	out, stderr, code := start(t, context.Background(), p, "")
	if out != "given.sh\n" || code != 0 {
		t.Errorf("%q, %q, exit code %d", out, stderr, code)
	}
	for _, path := range []string{filepath.Join(folder, "given.sh"), filepath.Join(folder, "data")} {
		if !slices.Contains(p.Visible, path) {
			t.Errorf("%s is not visible: %s", path, p.Visible)
		}
	}
}

func TestPathsMustBeAbsolute(t *testing.T) {
	if _, _, err := (confine.Program{Argv: []string{"python3"}, Folder: "/"}).Started(); err == nil {
		t.Error("a relative program was accepted")
	}
}
