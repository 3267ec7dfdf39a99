package child

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// executable returns the file of the running program. This name also works after the file was replaced by
// another version.
func executable() (string, error) { return "/proc/self/exe", nil }

// endWithParent makes the kernel kill the child when this process ends, even by kill -9. The signal follows the
// thread that starts the child (man 2 PR_SET_PDEATHSIG), so the calling goroutine keeps its thread until it calls
// the result.
func endWithParent(cmd *exec.Cmd) (unlock func()) {
	runtime.LockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	return runtime.UnlockOSThread
}

// signal kills the child and its group. It does nothing to a child that has ended, because the number of its process
// may then be that of another program's group.
func (c *process) signal() {
	if c.alive() {
		_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) // it may end at this moment
	}
}

// Limit forbids this process to write files and core dumps, and to open more than files descriptors. memory is the
// number of bytes that it may add to its present address space; 0 sets no limit. Call it in a child, after the
// work has opened everything.
func Limit(memory uint64, files uint64) error {
	limits := []struct {
		resource int
		most     uint64
	}{{unix.RLIMIT_FSIZE, 0}, {unix.RLIMIT_CORE, 0}, {unix.RLIMIT_NOFILE, files}}
	if memory > 0 {
		now, err := addressSpace()
		if err != nil {
			return err
		}
		limits = append(limits, struct {
			resource int
			most     uint64
		}{unix.RLIMIT_AS, now + memory})
	}
	for _, l := range limits {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.most, Max: l.most}); err != nil {
			return err
		}
	}
	return nil
}

// nobody is the user and group of a confined child of root.
const nobody = 65534

// Confine does more than Limit, for a work that runs the code of an author who is not trusted, in case that the code
// breaks out of its interpreter: the process cannot gain privileges, and is no longer root. Call it once, after the
// work has opened everything.
func Confine(memory, files uint64) error {
	if syscall.Getuid() == 0 {
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setresgid(nobody, nobody, nobody),
			syscall.Setresuid(nobody, nobody, nobody)); err != nil {
			return fmt.Errorf("root cannot become user %d here: run concur as a plain user (%w)", nobody, err)
		}
		// The kernel forgets the signal of the parent's death, and shows the memory again, when the user changes.
		if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0, 0, 0); err != nil {
			return err
		}
	}
	err := errors.Join(unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0), unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	if err != nil {
		return err
	}
	return Limit(memory, files)
}

// LimitCPU makes the kernel end this process when it has used the processor for the given duration, counted from this
// call. The limit is rounded up to the next full second.
func LimitCPU(time time.Duration) error {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return err
	}
	const second = 1_000_000_000
	seconds := uint64(used.Utime.Nano()+used.Stime.Nano()+time.Nanoseconds())/second + 1
	return unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds})
}
