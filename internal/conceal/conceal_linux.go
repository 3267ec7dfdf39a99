package conceal

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Process overwrites with zeros the memory in which the kernel shows the environment, and prevents other
// programs of the same user from tracing or reading this process (man 2 prctl, PR_SET_DUMPABLE). The Go runtime
// has already copied the environment, so os.Getenv and os.Environ do not change. It also calls Descriptors. Call
// Process first in main.
//
// Side effects: there is no core dump; no debugger of the same user works; /proc/self/environ and
// /proc/self/mem are closed to the process itself, unless it is root; a child with SysProcAttr.UidMappings
// cannot be started, because only root may write its maps. A started program is readable again, because exec
// resets the flag. Root with CAP_SYS_PTRACE can still read the memory, but the kernel shows it no environment.
//
// If one part fails, the other is still done, and the error reports the failure.
func Process() error {
	cleared := errors.Join(clearEnvironment(), Descriptors())
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return errors.Join(cleared, fmt.Errorf("close the memory of concur to other programs: %w", err))
	}
	return cleared
}

// firstOther is the first descriptor that is not a standard stream.
const firstOther = 3

// Descriptors prevents programs that this process starts from inheriting descriptors that it inherited itself, such as
// a file that the shell that started it left open. Standard input, output and error are still inherited, and so are
// descriptors that are passed on purpose (exec.Cmd.ExtraFiles). The attacker is a program in a sandbox that reads a
// file by a descriptor, although it cannot open the file.
func Descriptors() error {
	err := unix.CloseRange(firstOther, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	if err == nil {
		return nil
	}
	names, listErr := os.ReadDir("/proc/self/fd") // Linux before 5.11 cannot mark a range
	if listErr != nil {
		return fmt.Errorf("find the open descriptors: %w", errors.Join(err, listErr))
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(name.Name()); err == nil && fd >= firstOther {
			syscall.CloseOnExec(fd)
		}
	}
	return nil
}

// Closed reports whether other programs of the same user cannot read this process.
func Closed() bool {
	n, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	return err == nil && n == 0
}

// clearEnvironment overwrites the memory that /proc/self/environ shows.
func clearEnvironment() error {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return fmt.Errorf("find the environment that the kernel shows: %w", err)
	}
	start, end, err := environment(stat)
	if err != nil {
		return err
	}
	// The block is on the stack that the kernel made for the process, not in the heap, so the garbage collector
	// does not move it.
	block := unsafe.Slice(*(**byte)(unsafe.Pointer(&start)), end-start)
	clear(block)
	return nil
}

// Positions of fields in /proc/PID/stat after the program's name, which may contain blanks (man 5 proc,
// fields 50, 51).
const (
	envStart = 50 - 3
	envEnd   = 51 - 3
)

// maxEnvironment is the largest plausible size in bytes: the kernel allows at most a quarter of the stack.
const maxEnvironment = 1 << 30

// environment returns the start and end address of the environment that the kernel shows.
func environment(stat []byte) (start, end uintptr, err error) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= envEnd {
		return 0, 0, errors.New("find the environment that the kernel shows: /proc/self/stat lacks env_start and " +
			"env_end")
	}
	var at [2]uint64
	for i, field := range [][]byte{fields[envStart], fields[envEnd]} {
		if at[i], err = strconv.ParseUint(string(field), 10, 64); err != nil {
			return 0, 0, fmt.Errorf("find the environment that the kernel shows: %w", err)
		}
	}
	if at[0] == 0 || at[1] < at[0] || at[1]-at[0] > maxEnvironment {
		return 0, 0, errors.New("find the environment that the kernel shows: /proc/self/stat has no such place")
	}
	return uintptr(at[0]), uintptr(at[1]), nil
}
