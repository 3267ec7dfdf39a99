package conceal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Process overwrites the environment with zeros where the kernel shows it, and makes the process one that others of the
// same user can neither trace nor read (man 2 prctl, PR_SET_DUMPABLE). The Go runtime has copied the environment by
// then, so os.Getenv and os.Environ do not change. It is the first call of main.
//
// It has these effects: no core dump; no debugger of the same user; /proc/self/environ and /proc/self/mem are closed to
// the process itself, unless it is root; a child with SysProcAttr.UidMappings cannot be started, because only root may
// write its maps. A program that is started is readable again: exec sets that again. Root with CAP_SYS_PTRACE reads
// memory nevertheless, and finds no environment in it where the kernel shows one.
//
// After an error, what can be closed is closed.
func Process() error {
	cleared := clearEnvironment()
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return errors.Join(cleared, fmt.Errorf("close the memory of concur to other programs: %w", err))
	}
	return cleared
}

// Closed reports whether other programs of the same user are kept from reading this one.
func Closed() bool {
	n, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	return err == nil && n == 0
}

// clearEnvironment overwrites what /proc/self/environ shows.
func clearEnvironment() error {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return fmt.Errorf("find the environment that the kernel shows: %w", err)
	}
	start, end, err := environment(stat)
	if err != nil {
		return err
	}
	// The block is on the stack that the kernel made for the process, and not in the heap, so no collector moves it.
	block := unsafe.Slice(*(**byte)(unsafe.Pointer(&start)), end-start)
	clear(block)
	return nil
}

// Places of fields in /proc/PID/stat behind the name of the program, which may have blanks (man 5 proc, fields 50, 51).
const (
	envStart = 50 - 3
	envEnd   = 51 - 3
)

// maxEnvironment bounds the size that is believed, in bytes: the kernel allows no more than a quarter of the stack.
const maxEnvironment = 1 << 30

// environment gives the addresses between which the kernel shows the environment.
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
