package ptytest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Terminal has two ends: a program writes to one, and the test reads the other.
type Terminal struct {
	Program *os.File // the end for the program

	t      testing.TB
	person *os.File
	read   string
}

// New opens a terminal. It skips the test if the machine has no terminals.
func New(t testing.TB) *Terminal {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this machine has no terminals: %v", err)
	}
	t.Cleanup(func() { person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return &Terminal{t: t, person: person, Program: program}
}

// Resize sets the size of the terminal.
func (p *Terminal) Resize(columns, rows uint16) {
	p.t.Helper()
	if err := unix.IoctlSetWinsize(int(p.person.Fd()), unix.TIOCSWINSZ,
		&unix.Winsize{Col: columns, Row: rows}); err != nil {
		p.t.Fatal(err)
	}
}

// Until reads the program's output until a text occurs, and returns the output.
func (p *Terminal) Until(text string) string {
	p.t.Helper()
	for buf := make([]byte, 4096); ; {
		if before, after, found := strings.Cut(p.read, text); found {
			p.read = after
			return before + text
		}
		n, err := p.person.Read(buf)
		if err != nil {
			p.t.Fatalf("the terminal shows %q, and no %q: %v", p.read, text, err)
		}
		p.read += string(buf[:n])
	}
}
