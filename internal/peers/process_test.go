//go:build peers || llm

package peers

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// start starts a program that serves until it is interrupted or its input ends, and gives
// what address finds in its first line. When the test ends the program must end well.
func (b bench) start(t *testing.T, address *regexp.Regexp, env []string, name string, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context())) // that one is done before the clean-up
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = b.dir, b.environment(env), graceTime
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Cancel = func() error {
		if err := in.Close(); err != nil {
			return err
		}
		if name == b.node { // the end of its input is enough
			return nil
		}
		return cmd.Process.Signal(os.Interrupt)
	}
	said := newFirstLine()
	cmd.Stdout = said
	if err := cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", name, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		stop()
		<-ended
		if code := cmd.ProcessState.ExitCode(); code != 0 || t.Failed() {
			t.Logf("%s %s ended with %v:\n%s", filepath.Base(name), args[0], cmd.ProcessState, stderr.String())
			if code != 0 {
				t.Errorf("%s %s did not end well", filepath.Base(name), args[0])
			}
		}
	})
	select {
	case line := <-said.line:
		if m := address.FindStringSubmatch(line); m != nil {
			return m[1]
		}
		t.Fatalf("%s %s names no address: %q", filepath.Base(name), args[0], line)
	case <-time.After(clientTime):
		t.Fatalf("%s %s says nothing", filepath.Base(name), args[0])
	case err := <-ended:
		ended <- err
		t.Fatalf("%s %s ended at once: %v", filepath.Base(name), args[0], err)
	}
	return ""
}

// run runs a program to its end.
func (b bench) run(t *testing.T, env []string, name string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), b.most)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.WaitDelay, cmd.Stdout, cmd.Stderr = b.dir, b.environment(env), graceTime, &out, &errs
	err := cmd.Run()
	if cmd.ProcessState == nil || ctx.Err() != nil {
		t.Fatalf("run %s: %v\n%s", name, err, errs.String())
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// ours are the variables that would change how the programs behave, or send a real key.
var ours = regexp.MustCompile(`^(?i:CONCUR|OPENAI|ANTHROPIC|AIMOCK|NODE)_`)

// environment is what the person at the keyboard has set, less ours.
func environment() []string {
	var out []string
	for _, v := range os.Environ() {
		if !ours.MatchString(v) {
			out = append(out, v)
		}
	}
	return out
}

// environment is that of the programs that the bench runs.
func (b bench) environment(env []string) []string {
	path := append(slices.Clone(b.path), os.Getenv("PATH"))
	return append(append(environment(), "PATH="+strings.Join(path, string(os.PathListSeparator))), env...)
}

// firstLine gives the first line that is written to it and drops the rest.
type firstLine struct {
	seen []byte
	line chan string
}

func newFirstLine() *firstLine { return &firstLine{line: make(chan string, 1)} }

func (f *firstLine) Write(p []byte) (int, error) {
	if bytes.ContainsRune(f.seen, '\n') {
		return len(p), nil
	}
	f.seen = append(f.seen, p...)
	if line, _, whole := bytes.Cut(f.seen, []byte("\n")); whole {
		f.line <- string(line)
	}
	return len(p), nil
}
