package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed-5817661a/concur/internal/child"
	"github.com/seed-5817661a/concur/internal/conceal"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
	"github.com/seed-5817661a/concur/internal/sandbox/seccomp"
	"github.com/seed-5817661a/concur/internal/sandbox/watch"
)

func init() { child.Program(launcherName, launch) }

// nobody is the uid and gid that root takes.
const nobody = 65534

// failed is the exit code of launcher and forwarder for a failure of their own.
const failed = 125

// Times of the launcher. concur kills a process group by force one second after SIGTERM.
const (
	politeTime = 700 * time.Millisecond // from SIGTERM for the program until it is killed
	watchEach  = 100 * time.Millisecond
)

// launch is the main function of the launcher.
func launch(args, environment []string) int {
	var p Program
	if len(args) != 1 || json.Unmarshal([]byte(args[0]), &p) != nil {
		fmt.Fprintln(os.Stderr, "the launcher needs one argument, which concur makes")
		return failed
	}
	code, err := p.launch(environment)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return failed
	}
	return code
}

func (p Program) launch(environment []string) (int, error) {
	if err := conceal.Process(); err != nil {
		return 0, err
	}
	if os.Geteuid() == 0 {
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
			return 0, fmt.Errorf("root cannot become another user here: %w: run concur as a plain user", err)
		}
	}
	filter, err := seccomp.Filter(runtime.GOARCH)
	if err != nil {
		return 0, err
	}
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return 0, fmt.Errorf("find the file of concur: %w", err)
	}
	inner, err := json.Marshal(p)
	if err != nil {
		return 0, err
	}
	pair, pairErr := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	status, statusIn, statusErr := os.Pipe()
	filterOut, filterIn, filterErr := os.Pipe()
	if err := errors.Join(pairErr, statusErr, filterErr); err != nil {
		return 0, fmt.Errorf("make pipes for the sandbox: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "connections"), os.NewFile(uintptr(pair[1]), "connections")
	cmd := exec.Command(p.Bubblewrap, p.arguments(self, string(inner))...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.ExtraFiles = []*os.File{theirs, statusIn, filterOut}
	cmd.Dir, cmd.Env = "/", p.inside(environment)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread() // the signal at the death of the parent follows the thread
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("start bubblewrap: %w", err)
	}
	for _, f := range []*os.File{theirs, statusIn, filterOut} {
		_ = f.Close() // bubblewrap has its copy
	}
	_, _ = filterIn.Write(filter) // bubblewrap reports it if it lacks the filter
	_ = filterIn.Close()
	s := &supervisor{bwrap: cmd.Process.Pid, memory: p.memory(), inner: make(chan *os.Process, 1)}
	done, watched := make(chan struct{}), make(chan error)
	go p.forwardAll(ours)
	go s.read(status)
	go func() { watched <- s.watch(signals, done) }()
	_ = cmd.Wait() // the exit code says how the program ended
	close(done)
	if err := <-watched; err != nil {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), nil
}

// inside returns the environment of the forwarder. bubblewrap passes it on; as arguments, others could read it.
func (p Program) inside(environment []string) []string {
	set := map[string]string{"HOME": "/tmp", "TMPDIR": "/tmp"}
	if gateway := p.gatewayAddress(); gateway != "" {
		for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
			set[name] = "http://" + gateway
		}
		set["NO_PROXY"], set["no_proxy"] = p.Address, p.Address
		set["NODE_USE_ENV_PROXY"] = "1" // Node.js from version 24 on reads the variables only then
	}
	out := []string{child.ProgramVariable(forwarderName)}
	for _, v := range environment {
		if name, _, _ := strings.Cut(v, "="); set[name] == "" {
			out = append(out, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		out = append(out, name+"="+set[name])
	}
	return out
}

// Bounds of a program. Agents start more processes and open more files than a script.
const (
	mostProcesses = 256
	openFiles     = 1024
	sharedBytes   = 64 << 20  // of /dev/shm
	tmpBytes      = 256 << 20 // of /tmp
)

// arguments returns the command line of bubblewrap.
func (p Program) arguments(self, inner string) []string {
	id := strconv.Itoa(nobody)
	args := []string{"--unshare-all", "--unshare-user", "--disable-userns", "--as-pid-1", "--die-with-parent",
		"--new-session", "--cap-drop", "ALL", "--uid", id, "--gid", id, "--hostname", "sandbox"}
	args = append(args, bwrap.SystemMounts()...)
	args = append(args, "--dev", "/dev", "--size", strconv.Itoa(sharedBytes), "--tmpfs", "/dev/shm",
		"--size", strconv.Itoa(tmpBytes), "--tmpfs", "/tmp")
	for _, path := range p.Visible {
		args = append(args, "--ro-bind", path, path)
	}
	return append(args, "--ro-bind", self, "/run/concur", "--dir", p.Folder, "--json-status-fd", "4", "--seccomp", "5",
		"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", p.Folder, "--", "/usr/bin/prlimit", "--core=0",
		fmt.Sprintf("--nofile=%d", openFiles), fmt.Sprintf("--nproc=%d", mostProcesses),
		fmt.Sprintf("--data=%d", p.memory()), "/run/concur", inner)
}

// supervisor ends the program: for a signal, or for its memory.
type supervisor struct {
	bwrap  int
	memory int64
	inner  chan *os.Process
}

// read learns the first process of the namespace from bubblewrap.
func (s *supervisor) read(status io.Reader) {
	var report struct {
		Child int `json:"child-pid"`
	}
	if json.NewDecoder(status).Decode(&report) == nil && report.Child > 0 {
		if inner, err := os.FindProcess(report.Child); err == nil {
			s.inner <- inner
		}
	}
	_, _ = io.Copy(io.Discard, status) // until bubblewrap ends
}

// watch passes signals on and bounds the memory, until done. It returns why it killed the program.
func (s *supervisor) watch(signals <-chan os.Signal, done <-chan struct{}) (why error) {
	var inner *os.Process
	var kill <-chan time.Time
	var pending os.Signal
	tick := time.NewTicker(watchEach)
	defer tick.Stop()
	end := func(signal os.Signal) {
		if inner != nil {
			_ = inner.Signal(signal) // it may have ended
		}
	}
	for {
		select {
		case <-done:
			return why
		case inner = <-s.inner:
			if pending != nil {
				end(pending)
			}
		case pending = <-signals:
			end(pending)
			if pending == syscall.SIGTERM {
				kill = time.After(politeTime)
			}
		case <-kill:
			end(syscall.SIGKILL)
		case <-tick.C:
			pids, err := watch.Descendants(s.bwrap)
			if err == nil && watch.Memory(pids, s.memory) > s.memory {
				why = fmt.Errorf("the program in the sandbox was ended: its processes use more than %d MiB", s.memory>>20)
				end(syscall.SIGKILL)
			}
		}
	}
}
