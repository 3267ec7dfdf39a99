package confine

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// mostConnections is the number of connections of each kind at the same time.
const mostConnections = 64

// forwardAll gets connections from the forwarder. It copies between them and the proxy, or gives them to the gateway.
func (p Program) forwardAll(from *os.File) {
	defer from.Close()
	places := [2]chan struct{}{make(chan struct{}, mostConnections), make(chan struct{}, mostConnections)}
	var hosts *gateway
	if len(p.Hosts) > 0 {
		hosts = newGateway(p.Hosts, p.Address)
	}
	for {
		connection, kind, err := receive(from)
		if err != nil {
			return // the sandbox has ended
		}
		leave := sync.OnceFunc(func() { <-places[kind] })
		select {
		case places[kind] <- struct{}{}:
		default:
			if kind == toGateway { // its connections may stay open without a request, and must not keep out the proxy's
				_ = connection.Close()
				continue
			}
			places[kind] <- struct{}{}
		}
		switch {
		case kind == toGateway && hosts != nil:
			go func() { hosts.serving <- counted{connection, leave} }()
		case kind == toProxy && p.Address != "":
			go func() { defer leave(); copyBoth(connection, p.Address) }()
		default:
			leave()
			_ = connection.Close()
		}
	}
}

// counted is a connection that gives up its place when it is closed.
type counted struct {
	*net.TCPConn
	leave func()
}

func (c counted) Close() error { defer c.leave(); return c.TCPConn.Close() }

// receive reads one descriptor (man 7 unix, SCM_RIGHTS) and returns it as a connection, with its kind.
func receive(from *os.File) (c *net.TCPConn, kind byte, err error) {
	raw, message := make([]byte, unix.CmsgSpace(4)), make([]byte, 1)
	_, n, _, _, err := unix.Recvmsg(int(from.Fd()), message, raw, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return nil, 0, err
	}
	if kind = message[0]; kind > toGateway {
		return nil, 0, fmt.Errorf("the sandbox sent a connection of the unknown kind %d", kind)
	}
	messages, err := unix.ParseSocketControlMessage(raw[:n])
	if err != nil || len(messages) != 1 {
		return nil, 0, errors.Join(io.EOF, err)
	}
	descriptors, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(descriptors) != 1 {
		return nil, 0, errors.Join(io.EOF, err)
	}
	file := os.NewFile(uintptr(descriptors[0]), "connection")
	defer file.Close()
	connection, err := net.FileConn(file)
	if err != nil {
		return nil, 0, err
	}
	tcp, ok := connection.(*net.TCPConn)
	if !ok {
		return nil, 0, errors.Join(errors.New("the sandbox sent something else than a TCP connection"), connection.Close())
	}
	return tcp, kind, nil
}

// copyBoth connects to the proxy and copies in both directions; each direction can end by itself.
func copyBoth(inner *net.TCPConn, address string) {
	defer inner.Close()
	outer, err := net.Dial("tcp", address)
	if err != nil {
		return // the client sees a connection that ends
	}
	defer outer.Close()
	copyBetween(inner, outer)
}

// halfClosing is a connection of which one direction can end by itself.
type halfClosing interface {
	net.Conn
	CloseWrite() error
}

// copyBetween copies between two connections until both have ended.
func copyBetween(a, b net.Conn) {
	inner, isInner := a.(halfClosing)
	outer, isOuter := b.(halfClosing)
	if !isInner || !isOuter {
		return
	}
	sent := make(chan struct{})
	go func() {
		_, _ = io.Copy(outer, inner) // a connection that breaks ends both
		_ = outer.CloseWrite()
		close(sent)
	}()
	_, _ = io.Copy(inner, outer)
	_ = inner.CloseWrite()
	<-sent
}
