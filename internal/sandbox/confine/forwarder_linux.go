package confine

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/seed-5817661a/concur/internal/child"
	"github.com/seed-5817661a/concur/internal/conceal"
)

func init() { child.Program(forwarderName, forward) }

// connectionsFD is the socket to the launcher.
const connectionsFD = 3

// forward is the main function of the first process in a sandbox.
func forward(args, environment []string) int {
	var p Program
	if len(args) != 1 || json.Unmarshal([]byte(args[0]), &p) != nil {
		fmt.Fprintln(os.Stderr, "the forwarder needs one argument, which concur makes")
		return failed
	}
	// There is no /proc, in which others could read this process; its socket must not reach the program.
	if err := conceal.Descriptors(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return failed
	}
	for kind, address := range map[byte]string{toProxy: p.Address, toGateway: p.gatewayAddress()} {
		if address == "" {
			continue
		}
		listener, err := net.Listen("tcp", address)
		if err != nil {
			fmt.Fprintln(os.Stderr, "listen in the sandbox:", err)
			return failed
		}
		go passConnections(listener, kind)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	pid, err := syscall.ForkExec(p.Argv[0], p.Argv, &syscall.ProcAttr{Env: environment, Files: []uintptr{0, 1, 2}})
	if err != nil {
		fmt.Fprintf(os.Stderr, "start %s in the sandbox: %v\n", p.Argv[0], err)
		return failed
	}
	for _, stream := range []int{0, 1} {
		_ = unix.Close(stream) // a reader waits until all copies of the program's output are closed
	}
	go func() {
		for s := range signals {
			if number, ok := s.(syscall.Signal); ok {
				_ = syscall.Kill(pid, number) // it may have ended
			}
		}
	}()
	return waitFor(pid)
}

// waitFor waits for a child and for all orphans, and returns the exit code of the child: 128 and the number of the
// signal if one ended it. The other processes then end with this one, which is the first of the namespace.
func waitFor(pid int) int {
	for {
		var status syscall.WaitStatus
		ended, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return failed
		case ended == pid && status.Signaled():
			return 128 + int(status.Signal())
		case ended == pid:
			return status.ExitStatus()
		}
	}
}

// The kinds of connections that the launcher gets.
const (
	toProxy   = 0
	toGateway = 1
)

// gatewayAddress returns the address of the gateway inside the sandbox, whose ports are all free but that of the proxy;
// "" if the program may reach no host.
func (p Program) gatewayAddress() string {
	const usual, other = "127.0.0.1:3128", "127.0.0.1:3129"
	switch {
	case len(p.Hosts) == 0:
		return ""
	case p.Address == usual:
		return other
	}
	return usual
}

// passConnections sends each connection to the launcher, with its kind.
func passConnections(listener net.Listener, kind byte) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		if tcp, ok := connection.(*net.TCPConn); ok {
			if raw, err := tcp.SyscallConn(); err == nil {
				_ = raw.Control(func(fd uintptr) { // without the launcher, the client sees a connection that ends
					_ = unix.Sendmsg(connectionsFD, []byte{kind}, unix.UnixRights(int(fd)), nil, 0)
				})
			}
		}
		_ = connection.Close() // the launcher has its copy
	}
}
