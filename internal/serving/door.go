package serving

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// door is a listener that limits the connections of unknown clients.
type door struct {
	net.Listener
	limits Limits

	mu        sync.Mutex
	strangers list.List // of *connection, the oldest first
}

// Accept waits for a connection. If there are too many, it closes the oldest connection of an unknown client.
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
		_ = oldest.Conn.Close() // its handler notices at its next read or write
	}
	return c, nil
}

// connection is a client's connection. If the client does not read each piece of a reply in time, it is
// closed.
type connection struct {
	net.Conn
	door  *door
	place *list.Element // its place among the strangers; nil if the client is known
}

// leave removes a connection from the strangers. The caller must hold the door's lock.
func (c *connection) leave() {
	if c.place != nil {
		c.door.strangers.Remove(c.place)
		c.place = nil
	}
}

// know does the same as leave, for a caller that does not hold the lock.
func (c *connection) know() {
	c.door.mu.Lock()
	defer c.door.mu.Unlock()
	c.leave()
}

// piece is the size in bytes of the parts of a reply that have separate deadlines.
const piece = 64 << 10

// Write writes in pieces, each with a deadline, so that a client must read even a long reply steadily. The time
// that a handler needs before it writes does not count.
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

// CloseWrite closes the sending side: net/http calls it so that a client can read the reply to its end.
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

// connectionKey is the key of a connection in the context of its requests.
type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// Know records that the client of a request has shown a valid key: its connection no longer counts as a
// stranger's and is not closed. It does nothing for requests that did not come through [Serve].
func Know(r *http.Request) {
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		c.know()
	}
}
