package quickjs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"modernc.org/quickjs"

	"github.com/seed-5817661a/concur/internal/child"
	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/runners"
)

// Name is the name of the engine in configurations.
const Name = "quickjs"

// work is the name of the child's work.
const work = "quickjs"

// MaxOutput is the largest Limits.Output: an answer of the child has a limit, too.
const MaxOutput = 1 << 20

// Engine runs jobs in JavaScript. A job's Runner is not used: the engine has its own, package runners.
type Engine struct {
	mu    sync.Mutex
	pools map[setup]*child.Pool
}

var _ sandbox.Engine = (*Engine)(nil)

// New returns an engine, which starts no child yet.
func New() *Engine { return &Engine{pools: map[setup]*child.Pool{}} }

// Name returns "quickjs".
func (e *Engine) Name() string { return Name }

// Languages returns JavaScript.
func (e *Engine) Languages() []string { return []string{sandbox.JavaScript} }

// Version returns the versions of the engine, of its runner, and of QuickJS (a date).
func (e *Engine) Version() string {
	return fmt.Sprintf("quickjs/v1 %s QuickJS %s", runners.Version, quickjs.Version())
}

// Prepare starts a spare child for jobs with the given limits, so that the first one does not wait for it.
func (e *Engine) Prepare(ctx context.Context, limits sandbox.Limits) error {
	pool, err := e.pool(limits.Or(sandbox.Defaults()))
	if err == nil {
		err = pool.Check(ctx)
	}
	return failure(ctx, err)
}

// Close ends the children.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	for s, pool := range e.pools {
		errs = append(errs, pool.Close())
		delete(e.pools, s)
	}
	return errors.Join(errs...)
}

func (e *Engine) pool(l sandbox.Limits) (*child.Pool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := setup{Memory: l.Memory, Output: l.Output}
	if pool := e.pools[s]; pool != nil {
		return pool, nil
	}
	pool, err := child.NewSinglePool(work, s)
	if err == nil {
		e.pools[s] = pool
	}
	return pool, err
}

// Run runs a job. Limits.Processes and Limits.Files hold because a script has no way to start a process or to write a
// file. The first half of Limits.Memory is for the values of the script, the rest for the interpreter.
func (e *Engine) Run(ctx context.Context, job sandbox.Job) (sandbox.Ended, error) {
	limits := job.Limits.Or(sandbox.Defaults())
	if job.Language != sandbox.JavaScript || limits.Output > MaxOutput {
		return sandbox.Ended{}, &sandbox.StartError{Engine: Name, Cause: fmt.Sprintf("it runs JavaScript with at most %d "+
			"bytes of output, not %s with %d", MaxOutput, job.Language, limits.Output)}
	}
	pool, err := e.pool(limits)
	if err != nil {
		return sandbox.Ended{}, failure(ctx, err)
	}
	s, err := pool.Open(ctx)
	if err != nil {
		return sandbox.Ended{}, failure(ctx, err)
	}
	defer s.Close()
	start := time.Now()
	var a answer
	err = s.Ask(ctx, question{Script: string(job.Script), Input: string(job.Input), Time: limits.Time}, &a, limits.Time)
	ended := sandbox.Ended{Result: a.Result, Stdout: a.Stdout, Stderr: a.Stderr, Exit: a.Exit, Stop: a.Stop,
		Time: time.Since(start)}
	died, isEnd := errors.AsType[*child.EndedError](err)
	switch {
	case err == nil:
		return ended, nil
	case errors.Is(err, child.ErrTime), isEnd && strings.Contains(died.Cause, "CPU time limit"):
		ended.Exit, ended.Signal, ended.Stop = -1, "SIGKILL", sandbox.StopTime
	case isEnd && (died.Memory || strings.Contains(died.Cause, "cannot allocate memory")):
		ended.Exit, ended.Stop = 2, sandbox.StopMemory
	case isEnd && strings.Contains(died.Cause, "exit status 2"): // a fault in the interpreter, which the script caused
		ended.Exit, ended.Stderr = 2, []byte("the interpreter failed: "+died.Cause+"\n")
	default:
		return ended, failure(ctx, err)
	}
	return ended, nil
}

// failure names the engine in an error, except that of ctx.
func failure(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &sandbox.StartError{Engine: Name, Cause: err.Error()}
}
