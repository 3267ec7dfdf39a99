package mysql

import (
	"context"
	"errors"
	"net"
	"sync/atomic"

	"github.com/seed-5817661a/concur/tool/sql/server"
)

// errRow means that a row has more bytes than server.MaxRow.
var errRow = errors.New("a row is too large")

// countingConn is a connection that ends when more bytes arrive than a result may have: the driver reads a row as a
// whole, and a row can be 1 GB.
type countingConn struct {
	net.Conn
	left  atomic.Int64 // bytes that may still arrive
	ended atomic.Bool  // more arrived
}

// countingKey is the key of a context under which dialCounted finds the connection that it fills.
type countingKey struct{}

func dialCounted(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	counted, is := ctx.Value(countingKey{}).(*countingConn)
	if err != nil || !is {
		return c, err
	}
	counted.Conn = c
	counted.allow()
	return counted, nil
}

// allow lets the bytes of another row arrive.
func (c *countingConn) allow() { c.left.Store(server.MaxRow) }

// Read reads, and counts the bytes.
func (c *countingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.left.Add(-int64(n)) < 0 {
		c.ended.Store(true)
		return 0, errRow
	}
	return n, err
}

// hangUp closes the connection without waiting for the server, which may still send rows.
func (c *countingConn) hangUp() { _ = c.Close() } // a connection that is closed already is no error here
