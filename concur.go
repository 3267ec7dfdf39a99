// Package concur evaluates an agent that is a Go function: it runs K traces of it for every query of a dataset, finds
// the
// answer on which they agree, judges it, and gives the figures that `concur run` prints. The run folder that it leaves
// is
// like that of the command, so that `concur report`, `trace`, `compare` and `gate` read it.
//
// Package consensus finds the answer on which recorded answers agree; package datasets opens datasets; package
// ablations/result has the figures. Other packages are those of the command, and may change.
package concur

import (
	"context"
	"errors"
	"os"
	"reflect"
	"runtime"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Task is the question of one trace: its id, text, conversation, seed and limits.
type Task = external.Request

// Agent answers a task with its final message, in which the short answer is found as in an agent's reply. An error ends
// the trace without an answer, and counts as the agent's failure. It is called from several goroutines. It must return
// soon after ctx is done, which happens at the time limit of the trace (agent.timeout) and when the run is cancelled.
type Agent func(ctx context.Context, task Task) (message string, err error)

// RunsDir is the folder for run folders, below the working directory, as that of the command.
const RunsDir = "runs"

// Run evaluates an agent on every query of data by a configuration, such as config.New() or one of config.Load, and
// keeps
// the run below RunsDir. Environment variables give keys of judges and verifier as they do for the command.
//
// An error says that the run could not begin or was stopped; then the result is nil, and what was finished is kept. A
// trace that fails is not an error: it is in the figures, and in result.Result.Causes.
func Run(ctx context.Context, conf config.Configuration, data *datasets.Dataset, agent Agent) (*result.Result, error) {
	if agent == nil {
		return nil, errors.New("concur.Run needs an agent: give it a function")
	}
	conf.Agent.External = config.External{
		Exec: []string{functionProgram, nameOf(agent)}, Proxy: new(bool), Output: config.OutputText,
		Timeout: conf.Agent.External.Timeout, Version: conf.Agent.External.Version,
	}
	draft, err := runner.NewDraft(queries.Of(data), runner.DescribeDataset(data),
		[]config.Configuration{conf.Completed()}, nil, time.Now())
	if err != nil {
		return nil, err
	}
	var figures *result.Result
	options := assemble.Options{Transport: function(agent)}
	err = assemble.New(os.Getenv, assemble.Build{}).While(ctx, draft, options,
		func(ctx context.Context, s *assemble.Session) error {
			out, err := store.Create(RunsDir, s.Manifest())
			if err != nil {
				return err
			}
			runErr := s.Run(ctx, out, runner.Control{})
			if err := errors.Join(runErr, out.Finish(runner.StateAfter(runErr), time.Now())); err != nil {
				return err
			}
			run, err := store.Open(out.Dir())
			if err != nil {
				return err
			}
			figures, err = result.Summarize(run.Manifest, run.Records())
			return err
		})
	return figures, err
}

// functionProgram is the program that run.yaml names for an agent that is a function.
const functionProgram = "go-function"

// nameOf is the name of a function with its package, such as main.answer.
func nameOf(agent Agent) string {
	name := runtime.FuncForPC(reflect.ValueOf(agent).Pointer()).Name()
	return name[strings.LastIndex(name, "/")+1:]
}

// function is a transport to an agent in this process.
type function Agent

// Send calls the function. Its message is the reply.
func (f function) Send(ctx context.Context, task Task) ([]byte, error) {
	message, err := f(ctx, task)
	return []byte(message), err
}

// Close does nothing.
func (function) Close() error { return nil }

// Kill does nothing: a function ends when its context ends.
func (function) Kill() {}
