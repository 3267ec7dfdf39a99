package sandbox

import (
	"context"
	"io"
	"time"
)

// The languages of jobs.
const (
	Python     = "python"
	JavaScript = "javascript"
)

// Limits bounds one job. A field that is 0 has the value of Defaults.
type Limits struct {
	Time      time.Duration // from the start of the interpreter to the kill
	Memory    int64         // bytes of all processes together, beyond what the interpreter needs itself
	Processes int           // processes and threads at the same time
	Output    int64         // bytes of standard output, of standard error, and of the result: each
	Files     int64         // bytes of files in the working folder
}

// Defaults returns the limits of a job that sets none.
func Defaults() Limits {
	return Limits{Time: 10 * time.Second, Memory: 256 << 20, Processes: 64, Output: 1 << 20, Files: 16 << 20}
}

// Or returns the limits in which the fields that are 0 have the values of other.
func (l Limits) Or(other Limits) Limits {
	if l.Time == 0 {
		l.Time = other.Time
	}
	if l.Memory == 0 {
		l.Memory = other.Memory
	}
	if l.Processes == 0 {
		l.Processes = other.Processes
	}
	if l.Output == 0 {
		l.Output = other.Output
	}
	if l.Files == 0 {
		l.Files = other.Files
	}
	return l
}

// Job is one program to run, in a fresh interpreter.
type Job struct {
	Language string // Python or JavaScript
	Script   []byte // the source of the author who is not trusted
	Runner   []byte // our program in the same language, which runs Script and writes the result to descriptor 3
	Input    []byte // standard input of Runner
	Limits   Limits
	// Talk, if not nil, is a conversation with the runner: it gets the runner's standard input and descriptor 3, and
	// Input and Result are not used. It must return when out ends, or soon after. Only an engine that is a Talker runs
	// such a job.
	Talk func(in io.WriteCloser, out io.Reader)
}

// Talker is an engine that runs jobs with Talk.
type Talker interface {
	Engine
	Talks()
}

// Stop names the limit that ended a job.
type Stop string

// The limits that can end a job. NotStopped means that the program ended by itself, also by an exception. A program
// that meets a limit of the kernel, such as that of processes, gets an error from it and usually ends by itself.
const (
	NotStopped    Stop = ""
	StopTime      Stop = "time"
	StopMemory    Stop = "memory"
	StopOutput    Stop = "output"
	StopFiles     Stop = "files"
	StopProcesses Stop = "processes"
)

// Ended describes how a job ended.
type Ended struct {
	Result []byte        // descriptor 3, at most Limits.Output bytes
	Stdout []byte        // standard output, at most Limits.Output bytes
	Stderr []byte        // standard error, at most Limits.Output bytes
	Exit   int           // exit code; -1 if a signal ended the interpreter
	Signal string        // the signal that ended the interpreter, such as "SIGSEGV"; "" if none
	Stop   Stop          // the limit for which the engine killed it
	Time   time.Duration // from the start of the sandbox to its end
	Cut    bool          // an output or the result was longer than Limits.Output, and its end is missing
}

// Engine runs jobs in sandboxes. It is safe for concurrent use.
type Engine interface {
	// Name returns the name of the engine as configurations write it, such as "bwrap".
	Name() string
	// Languages returns the languages for which an interpreter was found.
	Languages() []string
	// Run runs a job to its end, also when it returns an error: no process of the job is left. An error means that the
	// sandbox failed and the job says nothing about its author: *StartError if it could not be started, the error of
	// ctx if that ended. A program that fails or is stopped is
	// no error.
	Run(ctx context.Context, job Job) (Ended, error)
	// Version identifies what the results depend on: engine, interpreters with their versions, bounds of the
	// engine. It is the same for equal installations, and belongs in the hash of an agent.
	Version() string
	// Close ends what the engine keeps ready.
	Close() error
}

// StartError means that a sandbox could not be started.
type StartError struct {
	Engine string // the engine, such as "bwrap"
	Cause  string // what happened
	Remedy string // one action for the user; "" if none is known
}

func (e *StartError) Error() string {
	text := "sandbox " + e.Engine + ": " + e.Cause
	if e.Remedy != "" {
		text += ": " + e.Remedy
	}
	return text
}
