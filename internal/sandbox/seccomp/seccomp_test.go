package seccomp

import (
	"encoding/binary"
	"testing"

	"golang.org/x/net/bpf"
)

// evaluate runs a filter on a system call and returns its action. The machine of x/net reads words in network order,
// so the words are written in this order.
func evaluate(t *testing.T, filter []byte, architecture, number, argument uint32) uint32 {
	t.Helper()
	var raw []bpf.RawInstruction
	for ; len(filter) > 0; filter = filter[8:] {
		raw = append(raw, bpf.RawInstruction{Op: binary.LittleEndian.Uint16(filter), Jt: filter[2], Jf: filter[3],
			K: binary.LittleEndian.Uint32(filter[4:])})
	}
	program, ok := bpf.Disassemble(raw)
	if !ok {
		t.Fatal("the filter has instructions that are not BPF")
	}
	// The machine returns a count as int, so allow and kill are still distinct values of 32 bits.
	vm, err := bpf.NewVM(program)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 64)
	binary.BigEndian.PutUint32(data[offsetNumber:], number)
	binary.BigEndian.PutUint32(data[offsetArchitecture:], architecture)
	binary.BigEndian.PutUint32(data[offsetArgument:], argument)
	got, err := vm.Run(data)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(got)
}

func TestFilter(t *testing.T) {
	const read64, readArm = 0, 63
	const pidFlags = 17 // SIGCHLD, what fork passes to clone
	for _, c := range []struct {
		name                 string
		machine              string
		audit, number, first uint32
		want                 uint32
	}{
		{"read", "amd64", 0xc000003e, read64, 0, actionAllow},
		{"read", "arm64", 0xc00000b7, readArm, 0, actionAllow},
		{"a call of i386", "amd64", 0x40000003, read64, 0, actionKill},
		{"a call of 32-bit ARM", "arm64", 0x40000028, readArm, 0, actionKill},
		{"a call of x32", "amd64", 0xc000003e, x32Bit + 39, 0, actionErrno | errnoPerm},
		{"ptrace", "amd64", 0xc000003e, 101, 0, actionErrno | errnoPerm},
		{"ptrace", "arm64", 0xc00000b7, 117, 0, actionErrno | errnoPerm},
		{"memfd_create", "amd64", 0xc000003e, 319, 0, actionErrno | errnoPerm},
		{"memfd_create", "arm64", 0xc00000b7, 279, 0, actionErrno | errnoPerm},
		{"clone3", "amd64", 0xc000003e, 435, 0, actionErrno | errnoNoSys},
		{"fork", "amd64", 0xc000003e, 56, pidFlags, actionAllow},
		{"fork", "arm64", 0xc00000b7, 220, pidFlags, actionAllow},
		{"clone with a user namespace", "amd64", 0xc000003e, 56, 0x10000000, actionErrno | errnoPerm},
		{"clone with a mount namespace", "arm64", 0xc00000b7, 220, pidFlags | 0x00020000, actionErrno | errnoPerm},
		{"socket AF_UNIX", "amd64", 0xc000003e, 41, 1, actionAllow},
		{"socket AF_INET", "amd64", 0xc000003e, 41, 2, actionAllow},
		{"socket AF_INET6", "arm64", 0xc00000b7, 198, 10, actionAllow},
		{"socket AF_NETLINK", "amd64", 0xc000003e, 41, 16, actionErrno | errnoNoFamily},
		{"socket AF_VSOCK", "amd64", 0xc000003e, 41, 40, actionErrno | errnoNoFamily},
		{"socket AF_VSOCK", "arm64", 0xc00000b7, 198, 40, actionErrno | errnoNoFamily},
		{"socketpair AF_UNIX", "amd64", 0xc000003e, 53, 1, actionAllow},
		{"socketpair AF_TIPC", "amd64", 0xc000003e, 53, 30, actionErrno | errnoNoFamily},
	} {
		filter, err := Filter(c.machine)
		if err != nil {
			t.Fatal(err)
		}
		if got := evaluate(t, filter, c.audit, c.number, c.first); got != c.want {
			t.Errorf("%s on %s: %#x, want %#x", c.name, c.machine, got, c.want)
		}
	}
}

func TestOtherMachines(t *testing.T) {
	if _, err := Filter("riscv64"); err == nil || Supports("riscv64") || !Supports("arm64") {
		t.Error("a filter for a machine whose system calls are not known")
	}
}
