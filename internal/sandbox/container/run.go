package container

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/seed-5817661a/concur/internal/conceal"
	"github.com/seed-5817661a/concur/internal/process"
	"github.com/seed-5817661a/concur/internal/sandbox"
)

//go:embed boot.py
var bootPython string

//go:embed boot.js
var bootJavaScript string

// order is what the boot program reads. Bytes are encoded as base64, as encoding/json does.
type order struct {
	Mark    string `json:"mark"`
	Script  []byte `json:"script"`
	Runner  []byte `json:"runner"`
	Input   []byte `json:"input"`
	Output  int64  `json:"output"`
	Seconds int64  `json:"seconds"` // after which the boot program ends the job if concur is gone
}

// Times of a run.
const (
	killEach   = 200 * time.Millisecond // between two tries to end a container that is being started
	mostKills  = 50
	clientTime = 2 * time.Second // in which a client ends after its container
	afterTime  = 5               // seconds after the limit, until the boot program ends a job without concur
)

// Run runs one job; see sandbox.Engine.
func (e *Engine) Run(ctx context.Context, job sandbox.Job) (sandbox.Ended, error) {
	limits := job.Limits.Or(sandbox.Defaults())
	select {
	case e.places <- struct{}{}:
		defer func() { <-e.places }()
	case <-ctx.Done():
		return sandbox.Ended{}, ctx.Err()
	}
	// A container has no descriptors of its client, but a command inherits what concur inherited.
	if err := conceal.Descriptors(); err != nil {
		return sandbox.Ended{}, e.failure(err.Error())
	}
	mark := rand.Text()
	input, err := json.Marshal(order{mark, orEmpty(job.Script), orEmpty(job.Runner), orEmpty(job.Input), limits.Output,
		int64(limits.Time/time.Second) + 1 + afterTime})
	if err != nil {
		return sandbox.Ended{}, err
	}
	argv, name := e.arguments(job.Language, limits)
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	r := &run{engine: e, name: name, stop: stop, ended: make(chan struct{})}
	cmd := process.New(running, argv, e.environment)
	cmd.Stdin = bytes.NewReader(input)
	full := func() { r.kill(sandbox.StopOutput) }
	stdout := &bounded{most: limits.Output, full: full}
	// The result is in standard error too, as base64, with the marks around it.
	stderr := &bounded{most: limits.Output + int64(base64.StdEncoding.EncodedLen(int(limits.Output))) + 4096, full: full}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return sandbox.Ended{}, e.failure(err.Error())
	}
	late := time.AfterFunc(limits.Time, func() { r.kill(sandbox.StopTime) })
	unregister := context.AfterFunc(ctx, func() { r.kill(cancelled) })
	_ = cmd.Wait() // the report of the boot program says how the job ended
	close(r.ended)
	late.Stop()
	unregister()
	process.KillGroup(cmd)
	r.finish()
	if ctx.Err() != nil {
		return sandbox.Ended{}, ctx.Err()
	}
	out := sandbox.Ended{Stdout: stdout.text, Stop: r.reason(), Time: time.Since(begin), Cut: stdout.cut || stderr.cut}
	return e.read(out, stderr.text, mark, cmd.ProcessState.ExitCode(), limits)
}

// orEmpty makes null of JSON an empty text.
func orEmpty(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// read takes the report of the boot program from standard error.
func (e *Engine) read(out sandbox.Ended, stderr []byte, mark string, exit int, limits sandbox.Limits) (sandbox.Ended,
	error) {
	before, rest, began := bytes.Cut(stderr, []byte("\n"+mark+" begin\n"))
	if !began {
		if out.Stop == sandbox.StopTime {
			return sandbox.Ended{}, e.failure(fmt.Sprintf("it did not start within %v", limits.Time))
		}
		return sandbox.Ended{}, e.failure(string(before))
	}
	out.Exit, out.Stderr = exit, rest
	if at := bytes.LastIndex(rest, []byte("\n"+mark+" end ")); at >= 0 {
		out.Stderr = rest[:at]
		fields := bytes.Fields(rest[at+len(mark)+len(" end "):])
		code, err := 0, error(nil)
		if len(fields) > 0 {
			code, err = strconv.Atoi(string(fields[0]))
		}
		if len(fields) > 1 && err == nil {
			out.Result, err = base64.StdEncoding.DecodeString(string(fields[1]))
		}
		if err != nil {
			return sandbox.Ended{}, e.failure("its report cannot be read: " + err.Error())
		}
		out.Exit = code
		if code < 0 {
			out.Exit, out.Signal = -1, signalName(-code)
		}
	}
	for _, text := range []*[]byte{&out.Result, &out.Stderr} {
		if int64(len(*text)) > limits.Output {
			*text, out.Cut = (*text)[:limits.Output], true
			if out.Stop == sandbox.NotStopped {
				out.Stop = sandbox.StopOutput
			}
		}
	}
	if out.Stop == sandbox.NotStopped && out.Signal == "SIGKILL" {
		out.Stop = sandbox.StopMemory // the kernel ends the process that needs most when the container has no memory left
	}
	return out, nil
}

// signalName returns the name of a signal of Linux, which is what containers run.
func signalName(number int) string {
	names := map[int]string{4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL",
		11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS"}
	if name, ok := names[number]; ok {
		return name
	}
	return syscall.Signal(number).String()
}

// cancelled is the reason of a kill because the context ended. Run then returns the error of the context.
const cancelled sandbox.Stop = "cancelled"

// run is one job in progress.
type run struct {
	engine  *Engine
	name    string // of the container
	stop    context.CancelFunc
	ended   chan struct{} // closed when the client was waited for
	killing sync.WaitGroup

	mu   sync.Mutex
	why  sandbox.Stop
	done bool // no kill may begin any more
}

// finish waits for a kill that has begun.
func (r *run) finish() {
	r.mu.Lock()
	r.done = true
	r.mu.Unlock()
	r.killing.Wait()
}

func (r *run) reason() sandbox.Stop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.why
}

// kill ends the container by its name, then the client: without its client a container goes on. A command is ended
// with its group.
func (r *run) kill(why sandbox.Stop) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.why != sandbox.NotStopped || r.done {
		return
	}
	r.why = why
	if r.name == "" {
		r.stop()
		return
	}
	r.killing.Go(func() {
		defer r.stop()
		for range mostKills {
			wait := killEach // the container may not be started yet
			if _, err := r.engine.ask(context.Background(), "kill", r.name); err == nil {
				wait = clientTime
			}
			select {
			case <-r.ended:
				return
			case <-time.After(wait):
			}
			if wait == clientTime {
				return
			}
		}
	})
}

// bounded keeps the first bytes that are written to it, and calls full when there are more.
type bounded struct {
	most int64
	full func()
	text []byte
	cut  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - int64(len(b.text)); int64(len(p)) > room {
		b.text = append(b.text, p[:room]...)
		if !b.cut {
			b.cut = true
			b.full()
		}
		return len(p), nil
	}
	b.text = append(b.text, p...)
	return len(p), nil
}
