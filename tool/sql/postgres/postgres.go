package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/seed-5817661a/concur/tool/sql/server"
)

// Driver is the driver of PostgreSQL.
var Driver = server.Driver{Dialect: "PostgreSQL", Version: "postgresql/v1", Open: open}

// database is a database on a server.
type database struct {
	server.Login
	config *pgconn.Config
	limits server.Limits
	room   *server.Room

	cleanup sync.WaitGroup // the ends of abandoned statements

	mu     sync.Mutex
	idle   []*pgconn.PgConn
	closed bool
	names  map[uint32]string // of types, by their numbers
}

func open(address string, limits server.Limits) (server.Server, error) {
	config, err := pgconn.ParseConfig(address)
	if err != nil { // the error may quote the password
		return nil, errors.New("the address cannot be read: write it as postgres://USER:PASSWORD@HOST:5432/DATABASE")
	}
	config.ConnectTimeout = server.ConnectTime
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "concur"
	}
	config.OnNotice = func(*pgconn.PgConn, *pgconn.Notice) {}
	config.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		f := pgproto3.NewFrontend(r, w)
		f.SetMaxBodyLen(server.MaxRow) // a row is one message, and a message is read as a whole
		return f
	}
	place := server.Place{Host: hosts(config), Database: config.Database}
	if place.Database == "" {
		place.Database = config.User // the server's own rule
	}
	d := &database{
		Login: server.NewLogin(place, address, config.Password), config: config, limits: limits,
		room: server.RoomOf(place.Host), names: map[uint32]string{},
	}
	d.room.Join(d)
	return d, nil
}

// hosts returns the hosts of a configuration with their ports. A configuration has each host several times if it may
// be reached with and without TLS.
func hosts(c *pgconn.Config) string {
	var out []string
	add := func(host string, port uint16) {
		one := fmt.Sprintf("%s:%d", strings.ToLower(host), port)
		if len(out) == 0 || out[len(out)-1] != one {
			out = append(out, one)
		}
	}
	add(c.Host, c.Port)
	for _, f := range c.Fallbacks {
		add(f.Host, f.Port)
	}
	return strings.Join(out, ",")
}

// Close closes the connections that wait.
func (d *database) Close() error {
	d.room.Part(d)
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.CloseKept()
	d.cleanup.Wait()
	return nil
}

// CloseKept closes the connections that wait, because the host has no room for others.
func (d *database) CloseKept() {
	d.mu.Lock()
	idle := d.idle
	d.idle = nil
	d.mu.Unlock()
	for _, c := range idle {
		d.room.Drop()
		hangUp(c)
	}
}

// hangUp closes a connection that runs no statement.
func hangUp(c *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), server.Grace)
	defer cancel()
	_ = c.Close(ctx) // the server also notices a connection that is not closed in order
}

// take returns a connection that waits, or a new one. kept reports whether it waited: then the server may have closed
// it meanwhile.
func (d *database) take(ctx context.Context) (c *pgconn.PgConn, kept bool, err error) {
	d.mu.Lock()
	for len(d.idle) > 0 {
		last := len(d.idle) - 1
		c, d.idle = d.idle[last], d.idle[:last]
		d.room.Drop()
		if !c.IsClosed() {
			d.mu.Unlock()
			return c, true, nil
		}
	}
	d.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, server.ConnectTime) // for all addresses of the host
	defer cancel()
	err = d.room.Connect(ctx, func() error { c, err = pgconn.ConnectConfig(ctx, d.config); return err }, isCrowded)
	if err != nil {
		return nil, false, d.connectError(ctx, err)
	}
	return c, false, nil
}

func (d *database) put(c *pgconn.PgConn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c.IsClosed() || d.closed || !d.room.Keep() {
		hangUp(c)
		return
	}
	d.idle = append(d.idle, c)
}

// with calls do with a connection. do returns whether the connection can be used again. do may run a second time, on
// another connection, if the first had waited and the server had closed it: statements only read.
func (d *database) with(ctx context.Context, do func(*pgconn.PgConn) (usable bool, err error)) error {
	if err := d.room.Enter(ctx); err != nil {
		return err
	}
	defer d.room.Leave()
	for {
		c, kept, err := d.take(ctx)
		if err != nil {
			return err
		}
		usable, err := do(c)
		if usable {
			d.put(c)
		}
		if lost, is := errors.AsType[*server.LostError](err); !kept || !is || lost.Kind != server.Upstream {
			return err
		}
	}
}

// Greet connects and returns the version.
func (d *database) Greet(ctx context.Context) (version string, err error) {
	err = d.with(ctx, func(c *pgconn.PgConn) (bool, error) {
		name, _, _ := strings.Cut(c.ParameterStatus("server_version"), " ")
		version = "PostgreSQL " + name
		return true, nil
	})
	return version, err
}
