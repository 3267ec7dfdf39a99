package sqltest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Programs is the environment variable that names a folder with the programs of the servers, as Debian's packages
// have them below /. Where it is set, a missing program fails a test instead of skipping it.
const Programs = "CONCUR_TEST_SERVERS"

// startTime is the maximum time until a server answers, on a busy machine.
const startTime = 2 * time.Minute

// Server is a running server.
type Server struct {
	Port int
	// Log is the file with the server's messages.
	Log string
	cmd *exec.Cmd
}

// Kill ends the server at once, as a crash does. It also ends its processes for connections.
func (s *Server) Kill() { killGroup(s.cmd) }

// find returns the first program that matches a pattern below the folder given, or below /.
func find(t testing.TB, given, name string, patterns ...string) string {
	t.Helper()
	roots := []string{"/"}
	if given != "" {
		roots = []string{given, "/"}
	}
	for _, root := range roots {
		for _, pattern := range patterns {
			if found, err := filepath.Glob(filepath.Join(root, pattern)); err == nil && len(found) > 0 {
				return found[len(found)-1]
			}
		}
	}
	if given != "" {
		t.Fatalf("%s is in none of %s", name, strings.Join(roots, ", "))
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// folder returns a new folder that belongs to the user of the servers, and removes it when the test ends.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sql") // t.TempDir is in a folder that other users cannot enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := giveToServer(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// freePort returns a port on which nothing listens.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// command returns a command that runs as the user of the servers, with the libraries of the folder of Programs.
func command(given, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = "/", append(cmd.Environ(), "LC_ALL=C")
	if given != "" {
		libraries, _ := filepath.Glob(filepath.Join(given, "usr/lib/*-linux-gnu*")) // the pattern is correct
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+strings.Join(libraries, ":"))
	}
	asServer(cmd)
	return cmd
}

// output runs a program until it ends.
func output(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(cmd.Path), err, out)
	}
}

// start starts a server and waits until ready returns nil.
func start(t testing.TB, dir string, port int, ready func() error, cmd *exec.Cmd) *Server {
	t.Helper()
	s := &Server{Port: port, Log: filepath.Join(dir, "log.txt"), cmd: cmd}
	log, err := os.Create(s.Log)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(ended) }()
	t.Cleanup(func() { s.Kill(); <-ended })
	for deadline := time.Now().Add(startTime); ; time.Sleep(50 * time.Millisecond) {
		err := ready()
		if err == nil {
			return s
		}
		select {
		case <-ended:
			t.Fatalf("%s ended: %s", filepath.Base(cmd.Path), s.tail())
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is not ready after %v: %v\n%s", filepath.Base(cmd.Path), startTime, err, s.tail())
		}
	}
}

func (s *Server) tail() string {
	raw, err := os.ReadFile(s.Log)
	if err != nil {
		return err.Error()
	}
	lines := bytes.Split(bytes.TrimSpace(raw), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-20):], []byte("\n")))
}

// Shop are statements that fill a small database of a shop, in the SQL that all servers and SQLite have in common.
var Shop = []string{
	"CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40), code VARCHAR(10))",
	"CREATE TABLE orders (customer INTEGER REFERENCES customers (id), price DOUBLE PRECISION, day VARCHAR(10))",
	"INSERT INTO customers VALUES (1, 'Ada', '007'), (2, 'Bob', '1'), (3, NULL, '2'), (4, 'Zoë', NULL)",
	"INSERT INTO orders VALUES (1, 9.5, '2026-01-02'), (1, 20, '2026-01-03'), (2, 1000, '2026-02-01'), " +
		"(2, NULL, '2026-02-02'), (4, 0.1, NULL)",
}

// Joined returns statements as one text.
func Joined(statements []string) string {
	return strings.Join(slices.Concat(statements, []string{""}), ";\n")
}

// AddressOf returns the address of a database on the server, for a user without or with a password.
func (s *Server) AddressOf(scheme, login, database string) string {
	return fmt.Sprintf("%s://%s@127.0.0.1:%d/%s", scheme, login, s.Port, database)
}
