package bwrap

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/seed-5817661a/concur/internal/conceal"
	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/interpreter"
	"github.com/seed-5817661a/concur/internal/sandbox/seccomp"
)

// recipe is the version of the bounds in this package. It is part of the hash of agents: change it if a program can
// have another result.
const recipe = 1

// mostAtOnce is the number of jobs that run at the same time. The others wait, and their time has not begun.
const mostAtOnce = 8

// Engine runs jobs with bubblewrap.
type Engine struct {
	program      string
	filter       []byte
	system       []string // options with the folders of the system
	interpreters map[string]interpreter.Interpreter
	places       chan struct{}
}

// New finds bubblewrap and the interpreters, and runs an empty job in each language. An error is a
// *sandbox.StartError with a remedy if one is known.
func New(ctx context.Context, o Options) (sandbox.Engine, error) {
	filter, err := seccomp.Filter(runtime.GOARCH)
	if err != nil {
		return nil, &sandbox.StartError{Engine: Name, Cause: err.Error()}
	}
	e := &Engine{filter: filter, system: SystemMounts(), interpreters: map[string]interpreter.Interpreter{},
		places: make(chan struct{}, mostAtOnce)}
	if e.program = o.Program; e.program == "" {
		e.program, err = Find(ctx, o.Getenv)
	} else {
		err = checkProgram(ctx, e.program)
	}
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat("/usr/bin/prlimit"); err != nil {
		return nil, &sandbox.StartError{Engine: Name, Cause: "/usr/bin/prlimit is missing", Remedy: limitsRemedy}
	}
	reads := interpreter.ReadableBy(uint32(os.Geteuid()), uint32(os.Getegid()))
	if os.Geteuid() == 0 {
		reads = interpreter.ReadableBy(user, user)
	}
	for _, language := range o.Languages {
		found, err := interpreter.Find(ctx, language, o.Interpreters[language], o.Getenv, reads)
		if err != nil {
			return nil, &sandbox.StartError{Engine: Name, Cause: err.Error()}
		}
		e.interpreters[language] = found
		if err := e.check(ctx, language); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// Find returns the path of bubblewrap on PATH or in /usr/bin, after a check of its version.
func Find(ctx context.Context, getenv func(string) string) (string, error) {
	for _, folder := range filepath.SplitList(getenv("PATH") + ":/usr/bin") {
		candidate := filepath.Join(folder, "bwrap")
		if info, err := os.Stat(candidate); err == nil && !info.IsDir() && filepath.IsAbs(candidate) {
			return candidate, checkProgram(ctx, candidate)
		}
	}
	return "", &sandbox.StartError{Engine: Name, Cause: "bubblewrap is not installed", Remedy: installRemedy}
}

// checkProgram checks the version of a bubblewrap.
func checkProgram(ctx context.Context, program string) error {
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.Env, cmd.WaitDelay = []string{}, time.Second
	printed, err := cmd.Output()
	if err != nil {
		return &sandbox.StartError{Engine: Name, Cause: fmt.Sprintf("%s --version: %v", program, err),
			Remedy: installRemedy}
	}
	return checkVersion(string(printed))
}

// check runs a runner that ends at once, so that a sandbox that cannot start is known before the first job.
func (e *Engine) check(ctx context.Context, language string) error {
	runner := "import os; os.write(3, b'ok')"
	if language == sandbox.JavaScript {
		runner = "require('fs').writeSync(3, 'ok')"
	}
	ended, err := e.Run(ctx, sandbox.Job{Language: language, Runner: []byte(runner),
		Limits: sandbox.Limits{Time: checkTime}})
	if err != nil {
		return err
	}
	if string(ended.Result) != "ok" {
		line, _, _ := strings.Cut(strings.TrimSpace(string(bytes.ToValidUTF8(ended.Stderr, nil))), "\n")
		return &sandbox.StartError{Engine: Name, Remedy: "name another interpreter", Cause: fmt.Sprintf(
			"%s does not work inside: exit code %d %s%s %.120s", e.interpreters[language].Path, ended.Exit,
			ended.Signal, ended.Stop, line)}
	}
	return nil
}

// checkTime bounds an empty job, on a machine that may be busy.
const checkTime = 30 * time.Second

// Talks marks the engine as a sandbox.Talker.
func (e *Engine) Talks() {}

// Name returns "bwrap".
func (e *Engine) Name() string { return Name }

// Languages returns the languages of the options, sorted.
func (e *Engine) Languages() []string {
	var out []string
	for language := range e.interpreters {
		out = append(out, language)
	}
	slices.Sort(out)
	return out
}

// Version returns the version of the bounds, and of the interpreters.
func (e *Engine) Version() string {
	out := fmt.Sprintf("%s %d", Name, recipe)
	for _, language := range e.Languages() {
		out += fmt.Sprintf(", %s %s", language, e.interpreters[language].Version)
	}
	return out
}

// Describe returns the interpreters with their paths, for people.
func (e *Engine) Describe() string {
	var out []string
	for _, language := range e.Languages() {
		i := e.interpreters[language]
		out = append(out, fmt.Sprintf("%s %s (%s)", language, i.Version, i.Path))
	}
	return strings.Join(out, ", ")
}

// Close does nothing: no process waits between jobs.
func (e *Engine) Close() error { return nil }

// Run runs one job; see sandbox.Engine.
func (e *Engine) Run(ctx context.Context, job sandbox.Job) (sandbox.Ended, error) {
	found, ok := e.interpreters[job.Language]
	if !ok {
		return sandbox.Ended{}, &sandbox.StartError{Engine: Name, Cause: "no interpreter for " + job.Language,
			Remedy: "name this language in the settings"}
	}
	limits := job.Limits.Or(sandbox.Defaults())
	select {
	case e.places <- struct{}{}:
		defer func() { <-e.places }()
	case <-ctx.Done():
		return sandbox.Ended{}, ctx.Err()
	}
	// concur does this at its start; other programs that use this package may have opened files in other ways.
	if err := conceal.Descriptors(); err != nil {
		return sandbox.Ended{}, &sandbox.StartError{Engine: Name, Cause: err.Error()}
	}
	r := &run{limits: limits, memory: limits.Memory + ownMemory[job.Language].resident, ended: make(chan struct{})}
	cmd := exec.Command(e.program, arguments(found, limits, e.system)...)
	cmd.Env, cmd.Dir = []string{}, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: user, Gid: user}
	}
	return r.do(ctx, cmd, job, e.filter)
}
