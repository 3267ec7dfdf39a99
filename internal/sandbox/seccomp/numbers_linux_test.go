package seccomp

import (
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// The table agrees with the numbers that x/sys has for this machine.
func TestNumbersOfThisMachine(t *testing.T) {
	m, ok := machines[runtime.GOARCH]
	if !ok {
		t.Skip("there is no table for " + runtime.GOARCH)
	}
	denied, err := deniedNumbers(m.column)
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range []uint32{unix.SYS_PTRACE, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_BPF,
		unix.SYS_KEYCTL, unix.SYS_IO_URING_SETUP, unix.SYS_MEMFD_CREATE, unix.SYS_SHMGET, unix.SYS_MQ_OPEN,
		unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_KEXEC_LOAD, unix.SYS_PROCESS_VM_READV, unix.SYS_USERFAULTFD} {
		if !slices.Contains(denied, number) {
			t.Errorf("the system call %d is not in denied.tsv", number)
		}
	}
	if m.clone != unix.SYS_CLONE || m.clone3 != unix.SYS_CLONE3 || m.socket != unix.SYS_SOCKET ||
		m.socketpair != unix.SYS_SOCKETPAIR {
		t.Errorf("%+v differs from x/sys", m)
	}
}
