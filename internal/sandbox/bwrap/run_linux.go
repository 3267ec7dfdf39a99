package bwrap

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/watch"
)

// Times of a run.
const (
	watchEach = 50 * time.Millisecond
	killGrace = 2 * time.Second // after which bubblewrap itself is killed, if killing the first process did not end it
	drainTime = time.Second     // for reading the pipes of processes that have ended
)

// cancelled is the reason of a kill because the context ended. Run then returns the error of the context.
const cancelled sandbox.Stop = "cancelled"

// run is one job in progress.
type run struct {
	limits sandbox.Limits
	memory int64 // the bound of the watcher in bytes
	cmd    *exec.Cmd
	ended  chan struct{} // closed when bubblewrap was waited for

	mu    sync.Mutex
	stop  sandbox.Stop
	inner *os.Process // the first process of the namespace; nil before bubblewrap reported it
}

// ends are the ends of pipes: ours, and those that bubblewrap inherits.
type ends struct{ ours, theirs []*os.File }

func (e *ends) close() {
	for _, f := range append(e.ours, e.theirs...) {
		_ = f.Close() // the processes behind it have ended
	}
}

// reader makes a pipe that is read here.
func (e *ends) reader() (r, w *os.File, err error) {
	if r, w, err = os.Pipe(); err == nil {
		e.ours, e.theirs = append(e.ours, r), append(e.theirs, w)
	}
	return r, w, err
}

// writer makes a pipe that is written here, by a goroutine: the reader may end before it has read everything.
func (e *ends) writer(data []byte) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	e.ours, e.theirs = append(e.ours, w), append(e.theirs, r)
	go func() {
		_, _ = w.Write(data) // a program need not read its input
		_ = w.Close()
	}()
	return r, nil
}

// do starts bubblewrap, waits until all processes have ended, and says how.
func (r *run) do(ctx context.Context, cmd *exec.Cmd, job sandbox.Job, filter []byte) (sandbox.Ended, error) {
	var pipes ends
	defer pipes.close()
	var in [4]*os.File // standard input, script, runner, filter
	for i, data := range [][]byte{job.Input, job.Script, job.Runner, filter} {
		var err error
		if in[i], err = pipes.writer(data); err != nil {
			return sandbox.Ended{}, fmt.Errorf("make a pipe: %w", err)
		}
	}
	var talk *os.File
	if job.Talk != nil {
		r, w, err := os.Pipe()
		if err != nil {
			return sandbox.Ended{}, fmt.Errorf("make a pipe: %w", err)
		}
		pipes.ours, pipes.theirs = append(pipes.ours, w), append(pipes.theirs, r)
		in[0], talk = r, w
	}
	var from, to [4]*os.File // standard output, standard error, result, status
	for i := range from {
		var err error
		if from[i], to[i], err = pipes.reader(); err != nil {
			return sandbox.Ended{}, fmt.Errorf("make a pipe: %w", err)
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in[0], to[0], to[1]
	cmd.ExtraFiles = []*os.File{to[2], in[1], in[2], to[3], in[3]} // in the order of resultFD and its successors
	r.cmd = cmd
	begin := time.Now()
	if err := r.start(); err != nil {
		return sandbox.Ended{}, execError(err, cmd.SysProcAttr.Credential != nil)
	}
	for _, f := range pipes.theirs {
		_ = f.Close() // bubblewrap has its copy
	}
	var reading sync.WaitGroup
	outputs := [3]bounded{}
	for i := range outputs {
		if i == 2 && job.Talk != nil {
			reading.Go(func() { job.Talk(talk, from[i]) })
			continue
		}
		outputs[i] = bounded{most: r.limits.Output, full: func() { r.kill(sandbox.StopOutput) }}
		reading.Go(func() { _, _ = io.Copy(&outputs[i], from[i]) }) // an error means that the pipe is closed
	}
	var executed bool
	reading.Go(func() { executed = r.readStatus(from[3]) })
	reading.Go(r.watch)
	late := time.AfterFunc(r.limits.Time, func() { r.kill(sandbox.StopTime) })
	unregister := context.AfterFunc(ctx, func() { r.kill(cancelled) })
	<-r.ended
	late.Stop()
	unregister()
	for _, f := range from {
		_ = f.SetReadDeadline(time.Now().Add(drainTime)) // they end by themselves, as no process has them any more
	}
	reading.Wait()
	out := sandbox.Ended{Stdout: outputs[0].text, Stderr: outputs[1].text, Result: outputs[2].text,
		Cut: outputs[0].cut || outputs[1].cut || outputs[2].cut, Stop: r.reason(), Time: time.Since(begin)}
	switch {
	case ctx.Err() != nil:
		return sandbox.Ended{}, ctx.Err()
	case !executed && out.Stop == sandbox.StopTime:
		return sandbox.Ended{}, &sandbox.StartError{Engine: Name, Cause: fmt.Sprintf("it did not start within %v",
			r.limits.Time), Remedy: "run fewer traces at the same time, or set a longer time"}
	case !executed:
		return sandbox.Ended{}, StartFailure(string(outputs[1].text))
	}
	out.Exit, out.Signal = exitOf(cmd.ProcessState.ExitCode())
	if out.Stop == sandbox.NotStopped && outOfMemory(job.Language, out) {
		out.Stop = sandbox.StopMemory
	}
	return out, nil
}

// start starts bubblewrap and waits for it in a goroutine that keeps its thread: the signal at the death of the parent
// follows the thread that started the child (man 2 PR_SET_PDEATHSIG).
func (r *run) start() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := r.cmd.Start()
		started <- err
		if err == nil {
			_ = r.cmd.Wait() // the state of the process has the exit code
			close(r.ended)
		}
	}()
	return <-started
}

// readStatus reads what bubblewrap reports: the first process of the namespace, then, when it has ended, its exit
// code if the program was started. Without an exit code, bubblewrap failed before.
func (r *run) readStatus(status io.Reader) (executed bool) {
	for decoder := json.NewDecoder(status); ; {
		var report struct {
			Child int  `json:"child-pid"`
			Exit  *int `json:"exit-code"`
		}
		if err := decoder.Decode(&report); err != nil {
			return executed
		}
		if report.Child > 0 {
			inner, err := os.FindProcess(report.Child) // holds the process, so that no other one gets the signal
			r.mu.Lock()
			if err == nil {
				r.inner = inner
			}
			stopped := r.stop != sandbox.NotStopped
			r.mu.Unlock()
			if stopped && err == nil {
				_ = inner.Kill() // it may have ended
			}
		}
		executed = executed || report.Exit != nil
	}
}

// kill ends the job. The kernel kills all processes of a namespace with its first one, and bubblewrap then ends. If
// bubblewrap were killed instead, the first process would be left as a zombie to a parent that may not wait for it.
func (r *run) kill(why sandbox.Stop) {
	r.mu.Lock()
	if r.stop == sandbox.NotStopped {
		r.stop = why
		time.AfterFunc(killGrace, func() {
			select {
			case <-r.ended:
			default:
				_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL) // it may end at this moment
			}
		})
	}
	inner := r.inner
	r.mu.Unlock()
	if inner != nil {
		_ = inner.Kill() // it may have ended
	}
}

// reason returns why the job was killed.
func (r *run) reason() sandbox.Stop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop
}

// watch kills the job when its processes together have too much memory, are too many, or have made too many files.
func (r *run) watch() {
	ticker := time.NewTicker(watchEach)
	defer ticker.Stop()
	for {
		select {
		case <-r.ended:
			return
		case <-ticker.C:
		}
		pids, err := watch.Descendants(r.cmd.Process.Pid)
		if err != nil {
			continue // the limits of the kernel still hold
		}
		if watch.Memory(pids, r.memory) > r.memory {
			r.kill(sandbox.StopMemory)
		}
		if len(pids) > r.limits.Processes+1 { // and bubblewrap's own process inside
			r.kill(sandbox.StopProcesses)
		}
		r.mu.Lock()
		inner := r.inner
		r.mu.Unlock()
		if inner == nil {
			continue
		}
		for _, folder := range []string{"/tmp", "/dev/shm"} {
			if n, err := watch.Files(inner.Pid, folder); err == nil && n > mostFiles {
				r.kill(sandbox.StopFiles)
			}
		}
	}
}

// exitOf splits bubblewrap's exit code: it is 128 and the number of a signal if one ended the program.
func exitOf(code int) (exit int, signal string) {
	if name := unix.SignalName(syscall.Signal(code - 128)); code > 128 && name != "" {
		return -1, name
	}
	return code, ""
}

// outOfMemory reports whether Node ended itself because its heap reached RLIMIT_DATA.
func outOfMemory(language string, e sandbox.Ended) bool {
	return language == sandbox.JavaScript && (e.Signal == "SIGABRT" || e.Signal == "SIGTRAP" || e.Signal == "SIGILL" ||
		e.Signal == "SIGSEGV") && strings.Contains(string(bytes.ToLower(e.Stderr)), "out of memory")
}

// bounded keeps the first bytes that are written to it, and calls full when there are more. Its writes do not fail, so
// that the pipe is emptied until the writer is killed.
type bounded struct {
	most int64
	full func()
	text []byte
	cut  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.most - int64(len(b.text))
	if int64(len(p)) <= room {
		b.text = append(b.text, p...)
		return len(p), nil
	}
	b.text = append(b.text, p[:room]...)
	if !b.cut {
		b.cut = true
		b.full()
	}
	return len(p), nil
}
