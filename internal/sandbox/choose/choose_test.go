package choose_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
	"github.com/seed-5817661a/concur/internal/sandbox/choose"
	"github.com/seed-5817661a/concur/internal/sandbox/container"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
)

// engine is an engine that only has a name and languages.
type engine struct {
	name      string
	languages []string
	closed    *int
}

func (e engine) Name() string        { return e.name }
func (e engine) Languages() []string { return e.languages }
func (e engine) Version() string     { return e.name + " 1" }
func (e engine) Close() error        { *e.closed++; return nil }
func (e engine) Run(_ context.Context, job sandbox.Job) (sandbox.Ended, error) {
	return sandbox.Ended{Result: []byte(e.name + " " + job.Language)}, nil
}

// nothing is the environment of a machine without programs. bubblewrap in /usr/bin is still found there.
func nothing(string) string { return "" }

func TestJoin(t *testing.T) {
	closed := 0
	e := choose.Join(engine{"one", []string{"a", "b"}, &closed}, engine{"two", []string{"b", "c"}, &closed})
	for language, want := range map[string]string{"a": "one a", "b": "one b", "c": "two c"} {
		if ended, err := e.Run(context.Background(), sandbox.Job{Language: language}); err != nil || string(ended.Result) != want {
			t.Errorf("%s: %s, %v", language, ended.Result, err)
		}
	}
	if _, err := e.Run(context.Background(), sandbox.Job{Language: "d"}); err == nil {
		t.Error("a job ran in a language that no engine has")
	}
	if got := e.Name() + "|" + e.Version() + "|" + strings.Join(e.Languages(), ","); got != "one+two|one 1; two 1|a,b,c" {
		t.Error(got)
	}
	if err := e.Close(); err != nil || closed != 2 {
		t.Errorf("%d engines closed, %v", closed, err)
	}
}

func TestAutoPrefersBubblewrap(t *testing.T) {
	sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	e, err := choose.Open(context.Background(), choose.Options{Languages: []string{sandbox.Python}, Getenv: os.Getenv})
	if err != nil || e.Name() != bwrap.Name {
		t.Fatalf("%v, %v", e, err)
	}
}

// A language without a sandbox is refused, also if another language has one; the embedded interpreter is for
// JavaScript alone, and is the last choice.
func TestNothingRunsWithLess(t *testing.T) {
	closed := 0
	embedded := func() (sandbox.Engine, error) {
		return engine{choose.Embedded, []string{sandbox.JavaScript}, &closed}, nil
	}
	o := choose.Options{Getenv: nothing, Embedded: embedded,
		Interpreters: map[string]string{sandbox.Python: "/does/not/exist", sandbox.JavaScript: "/does/not/exist"}}
	t.Setenv("PATH", t.TempDir())
	o.Languages = []string{sandbox.JavaScript}
	if e, err := choose.Open(context.Background(), o); err != nil || e.Name() != choose.Embedded {
		t.Errorf("JavaScript: %v, %v", e, err)
	}
	o.Languages = []string{sandbox.JavaScript, sandbox.Python}
	_, err := choose.Open(context.Background(), o)
	if _, is := errors.AsType[*sandbox.StartError](err); !is || !strings.HasPrefix(err.Error(), "python needs a sandbox: sandbox bwrap: ") {
		t.Errorf("Python: %v", err)
	}
	if closed != 1 {
		t.Errorf("%d engines closed, want that of JavaScript", closed)
	}
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]string{
		"chroot":         `unknown sandbox "chroot": use auto, bwrap, docker, podman, quickjs or command`,
		choose.Embedded:  "sandbox quickjs: it runs only JavaScript: use another sandbox for python",
		container.Docker: "sandbox docker: ",
		container.Podman: "sandbox podman: ",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", t.TempDir())
			_, err := choose.Open(context.Background(), choose.Options{Sandbox: name, Languages: []string{sandbox.Python}, Getenv: nothing})
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
	if _, err := choose.Open(context.Background(), choose.Options{Getenv: nothing}); err == nil {
		t.Error("a sandbox without a language")
	}
	wrapper := filepath.Join(t.TempDir(), "wrapper")
	if err := os.WriteFile(wrapper, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	e, err := choose.Open(context.Background(), choose.Options{Sandbox: container.Command, Command: []string{wrapper},
		Languages: []string{sandbox.Python}, Getenv: nothing})
	if err != nil || e.Name() != container.Command {
		t.Errorf("%v, %v", e, err)
	}
}
