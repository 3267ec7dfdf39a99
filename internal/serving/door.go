package serving

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// door is a listener that bounds the connections of strangers.
type door struct {
	net.Listener
	limits Limits

	mu        sync.Mutex
	strangers list.List // of *connection, the oldest first
}

// Accept waits for a connection. Where it is one too many, the oldest stranger is cut.
func (d *door) Accept() (net.Conn, error) {
	inner, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: inner, door: d}
	d.mu.Lock()
	c.place = d.strangers.PushBack(c)
	var oldest *connection
	if d.strangers.Len() > d.limits.Strangers {
		oldest, _ = d.strangers.Front().Value.(*connection)
		oldest.leave()
	}
	d.mu.Unlock()
	if oldest != nil {
		_ = oldest.Conn.Close() // its handler learns of it by its next read or write
	}
	return c, nil
}

// connection is one of a client, which takes each piece of a reply in time or is cut.
type connection struct {
	net.Conn
	door  *door
	place *list.Element // among the strangers; nil for a client that is known
}

// leave takes a connection from the strangers. The door's lock is held.
func (c *connection) leave() {
	if c.place != nil {
		c.door.strangers.Remove(c.place)
		c.place = nil
	}
}

// know is leave for a caller that does not hold the lock.
func (c *connection) know() {
	c.door.mu.Lock()
	defer c.door.mu.Unlock()
	c.leave()
}

// piece is the part of a reply that has a deadline of its own, in bytes.
const piece = 64 << 10

// Write writes in pieces, each with a deadline: of a long reply, or one that goes on for hours, the client has to
// take a piece at a time. The time that a handler needs before it writes does not count.
func (c *connection) Write(b []byte) (written int, err error) {
	for {
		part := b[written:min(len(b), written+piece)]
		if err = c.SetWriteDeadline(time.Now().Add(c.door.limits.Write)); err != nil {
			return written, err
		}
		n, err := c.Conn.Write(part)
		if written += n; err != nil || written == len(b) {
			return written, err
		}
	}
}

// CloseWrite ends what is sent: net/http calls it so that a client can read the reply to its end.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

func (c *connection) Close() error {
	c.know()
	return c.Conn.Close()
}

// connectionKey is that of a request's connection in its context.
type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// Know says that the client of a request has shown a good key: its connection does not count as a stranger's, and is
// not cut. Requests that did not come through [Serve] have no such connection, and nothing happens.
func Know(r *http.Request) {
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		c.know()
	}
}
