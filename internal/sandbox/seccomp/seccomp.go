package seccomp

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

//go:embed denied.tsv
var deniedTable string

// instruction is one instruction of classic BPF (linux/filter.h, struct sock_filter).
type instruction struct {
	Code            uint16
	IfTrue, IfFalse uint8
	Operand         uint32
}

// Codes of instructions (linux/bpf_common.h) and offsets in struct seccomp_data (linux/seccomp.h).
const (
	loadWord     = 0x20 // BPF_LD|BPF_W|BPF_ABS
	jumpEqual    = 0x15 // BPF_JMP|BPF_JEQ|BPF_K
	jumpAtLeast  = 0x35 // BPF_JMP|BPF_JGE|BPF_K
	jumpAnyBit   = 0x45 // BPF_JMP|BPF_JSET|BPF_K
	returnAction = 0x06 // BPF_RET|BPF_K

	offsetNumber       = 0
	offsetArchitecture = 4
	offsetArgument     = 16 // the lower half of the first argument, on little-endian machines
)

// Actions of a filter (linux/seccomp.h) and errors of Linux that a system call then has.
const (
	actionAllow   = 0x7fff0000
	actionErrno   = 0x00050000
	actionKill    = 0x80000000
	errnoPerm     = 1
	errnoNoSys    = 38
	errnoNoFamily = 97 // EAFNOSUPPORT
)

// x32Bit marks the system calls of the ABI x32 on amd64.
const x32Bit = 0x40000000

// newNamespaces are all flags of clone that make a namespace: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER,
// NEWPID, NEWNET.
const newNamespaces = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000

// families are the address families of sockets that may be created: AF_UNIX, AF_INET, AF_INET6. A network namespace
// isolates them.
var families = []uint32{1, 2, 10}

// machine has what differs between architectures.
type machine struct {
	audit                             uint32 // AUDIT_ARCH_*
	column                            int    // in denied.tsv
	x32                               bool
	clone, clone3, socket, socketpair uint32
}

var machines = map[string]machine{
	"amd64": {audit: 0xc000003e, column: 1, x32: true, clone: 56, clone3: 435, socket: 41, socketpair: 53},
	"arm64": {audit: 0xc00000b7, column: 2, clone: 220, clone3: 435, socket: 198, socketpair: 199},
}

// Supports reports whether Filter knows the system calls of an architecture, as GOARCH names it.
func Supports(architecture string) bool {
	_, ok := machines[architecture]
	return ok
}

// Filter returns the filter for an architecture, as GOARCH names it: amd64 or arm64. A system call of another
// architecture ends the program. The denied ones fail with EPERM, clone3 with ENOSYS (libc then uses clone, whose
// flags a filter can read), and sockets of other families than UNIX, INET and INET6 with EAFNOSUPPORT.
func Filter(architecture string) ([]byte, error) {
	m, ok := machines[architecture]
	if !ok {
		return nil, fmt.Errorf("no table of system calls for %s: use amd64 or arm64", architecture)
	}
	denied, err := deniedNumbers(m.column)
	if err != nil {
		return nil, err
	}
	refuse := func(errno uint32) instruction { return instruction{returnAction, 0, 0, actionErrno | errno} }
	allow := instruction{returnAction, 0, 0, actionAllow}
	program := []instruction{
		{loadWord, 0, 0, offsetArchitecture},
		{jumpEqual, 1, 0, m.audit},
		{returnAction, 0, 0, actionKill},
		{loadWord, 0, 0, offsetNumber},
	}
	if m.x32 {
		program = append(program, instruction{jumpAtLeast, 0, 1, x32Bit}, refuse(errnoPerm))
	}
	for _, number := range denied {
		program = append(program, instruction{jumpEqual, 0, 1, number}, refuse(errnoPerm))
	}
	program = append(program,
		instruction{jumpEqual, 0, 1, m.clone3}, refuse(errnoNoSys),
		instruction{jumpEqual, 0, 4, m.clone},
		instruction{loadWord, 0, 0, offsetArgument},
		instruction{jumpAnyBit, 0, 1, newNamespaces}, refuse(errnoPerm), allow,
		instruction{jumpEqual, 1, 0, m.socket},
		instruction{jumpEqual, 0, uint8(len(families) + 2), m.socketpair},
		instruction{loadWord, 0, 0, offsetArgument})
	for i, family := range families {
		program = append(program, instruction{jumpEqual, uint8(len(families) - i), 0, family})
	}
	program = append(program, refuse(errnoNoFamily), allow)
	var out bytes.Buffer
	if err := binary.Write(&out, binary.LittleEndian, program); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// deniedNumbers reads a column of denied.tsv.
func deniedNumbers(column int) ([]uint32, error) {
	var out []uint32
	for line := range strings.Lines(deniedTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return nil, fmt.Errorf("denied.tsv: a line without three columns: %q", line)
		}
		if fields[column] == "-" {
			continue
		}
		number, err := strconv.ParseUint(fields[column], 10, 32)
		if err != nil {
			return nil, fmt.Errorf("denied.tsv: %s: %w", fields[0], err)
		}
		out = append(out, uint32(number))
	}
	return out, nil
}
