package selftest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/watch"
)

// firstDescriptor is the lowest number of the open file that a program must not see.
const firstDescriptor = 9

// host has what a program in a sandbox must not reach: two listeners, a file that everyone may read, and an open file
// that children inherit.
type host struct {
	file       string
	listeners  []net.Listener
	port       int
	abstract   string
	descriptor int
}

func openHost(ctx context.Context, secret string) (*host, error) {
	h := &host{abstract: secret, descriptor: -1}
	var listen net.ListenConfig
	tcp, err := listen.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open a listener for the self-test: %w", err)
	}
	h.listeners = append(h.listeners, tcp)
	if address, ok := tcp.Addr().(*net.TCPAddr); ok {
		h.port = address.Port
	}
	unixListener, err := listen.Listen(ctx, "unix", "@"+secret)
	if err != nil {
		h.close()
		return nil, fmt.Errorf("open a listener for the self-test: %w", err)
	}
	h.listeners = append(h.listeners, unixListener)
	if err := h.openFile(secret); err != nil {
		h.close()
		return nil, fmt.Errorf("open a file for the self-test: %w", err)
	}
	return h, nil
}

// openFile makes a file with the secret in it, and opens it so that it is not marked as close-on-exec.
func (h *host) openFile(secret string) error {
	f, err := os.CreateTemp("", "concur-selftest")
	if err != nil {
		return err
	}
	defer f.Close()
	h.file = f.Name()
	_, err = f.WriteString(secret)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		h.descriptor, err = unix.FcntlInt(f.Fd(), unix.F_DUPFD, firstDescriptor)
	}
	return err
}

func (h *host) close() {
	for _, l := range h.listeners {
		_ = l.Close() // nothing is lost
	}
	if h.file != "" {
		_ = os.Remove(h.file) // it has no secret of the user
	}
	if h.descriptor >= 0 {
		_ = unix.Close(h.descriptor)
	}
}

// processes are those below this process when the self-test began.
type processes map[int]bool

func survey() (processes, error) {
	pids, err := watch.Descendants(os.Getpid())
	out := processes{}
	for _, pid := range pids {
		out[pid] = true
	}
	return out, err
}

// remain runs stay.py, and looks at the user of its processes from outside.
func (p processes) remain(ctx context.Context, e sandbox.Engine) ([]Finding, error) {
	done := make(chan struct{})
	root := make(chan []string, 1)
	go func() {
		var found []string
		for {
			select {
			case <-done:
				root <- found
				return
			case <-time.After(20 * time.Millisecond):
				if found == nil {
					found = p.ofRoot()
				}
			}
		}
	}()
	ended, err := script(ctx, e, "stay.py", "")
	close(done)
	found := <-root
	if err == nil && string(ended.Result) != "left" {
		err = fmt.Errorf("the self-test in %s gave no result: exit code %d %.200s", e.Name(), ended.Exit, ended.Stderr)
	}
	return []Finding{{"another user than root", len(found) == 0, strings.Join(found, ", ")}}, err
}

// ofRoot returns new processes below this one whose user is root for the kernel.
func (p processes) ofRoot() []string {
	var out []string
	pids, err := watch.Descendants(os.Getpid())
	if err != nil {
		return nil
	}
	for _, pid := range pids {
		info, err := os.Stat("/proc/" + strconv.Itoa(pid))
		if err != nil || p[pid] {
			continue
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid == 0 && interprets(pid) {
			out = append(out, fmt.Sprintf("process %d", pid))
		}
	}
	return out
}

// interprets reports whether a process is an interpreter. Before that it is concur itself, or a client of a daemon.
func interprets(pid int) bool {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return err == nil && strings.HasPrefix(string(name), "python")
}

// leftTime is the time that the kernel gets to end the processes of a sandbox on a busy machine.
const leftTime = 5 * time.Second

// check reports processes, also ended ones that nobody waited for, that the jobs left below this process.
func (p processes) check() ([]Finding, error) {
	for end := time.Now().Add(leftTime); ; time.Sleep(30 * time.Millisecond) {
		now, err := survey()
		if err != nil {
			return nil, errors.Join(errors.New("look for processes that were left"), err)
		}
		var left []string
		for pid := range now {
			if !p[pid] {
				left = append(left, strconv.Itoa(pid))
			}
		}
		if len(left) == 0 || time.Now().After(end) {
			return []Finding{{"no process is left", len(left) == 0, strings.Join(left, ", ")}}, nil
		}
	}
}
