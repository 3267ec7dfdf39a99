package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/go-sql-driver/mysql"

	"github.com/seed-5817661a/concur/tool/sql/server"
)

// Driver is the driver of MySQL and MariaDB.
var Driver = server.Driver{Dialect: "MySQL", Version: "mysql/v1", Open: open}

const defaultPort = "3306"

// tlsModes are the values of the parameter tls of an address.
var tlsModes = []string{"preferred", "true", "skip-verify", "false"}

// database is a database on a server.
type database struct {
	server.Login
	config *mysql.Config
	limits server.Limits
	room   *server.Room

	cleanup sync.WaitGroup // the ends of statements on the server
}

func open(address string, limits server.Limits) (server.Server, error) {
	config, err := configure(address)
	if err != nil {
		return nil, err
	}
	place := server.Place{Host: config.Addr, Database: config.DBName}
	config.DialFunc = dialCounted
	return &database{Login: server.NewLogin(place, address, config.Passwd), config: config, limits: limits,
		room: server.RoomOf(place.Host)}, nil
}

// configure reads mysql://user:password@host:3306/name?tls=true&socket=/path. The driver has more settings, and some
// let a server read files of the client; they stay as they are. No error has a part of the address.
func configure(address string) (*mysql.Config, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" && u.Query().Get("socket") == "" || strings.Trim(u.Path, "/") == "" {
		return nil, errors.New("the address cannot be read: write it as mysql://USER:PASSWORD@HOST:3306/DATABASE")
	}
	c := mysql.NewConfig()
	c.User, c.DBName, c.Logger = u.User.Username(), strings.Trim(u.Path, "/"), &mysql.NopLogger{}
	c.Passwd, _ = u.User.Password()
	c.Net, c.Addr, c.TLSConfig, c.Timeout = "tcp", strings.ToLower(u.Host), tlsModes[0], server.ConnectTime
	if u.Port() == "" {
		c.Addr = net.JoinHostPort(strings.ToLower(u.Hostname()), defaultPort)
	}
	for name, values := range u.Query() {
		switch {
		case name == "socket":
			c.Net, c.Addr = "unix", values[0]
		case name == "tls" && slices.Contains(tlsModes, values[0]):
			c.TLSConfig = values[0]
		default:
			return nil, fmt.Errorf("the address has an unknown parameter: use tls (%s) and socket",
				strings.Join(tlsModes, ", "))
		}
	}
	return c, nil
}

// connection is a connection for one statement. A connection is not used again, because MySQL's driver has no way to
// reset what a statement leaves in the session, such as variables and locks, which other traces could see.
type connection struct {
	driver.Conn
	counted *countingConn
	id      string // the number with which KILL QUERY names it
}

func (d *database) connect(ctx context.Context) (*connection, error) {
	connector, err := mysql.NewConnector(d.config)
	if err != nil {
		return nil, d.Failure(server.Upstream, errors.New("the address cannot be used"))
	}
	var counted *countingConn
	var c driver.Conn
	waiting, cancel := context.WithTimeout(ctx, server.ConnectTime) // for room, not for the statement
	defer cancel()
	err = d.room.Connect(waiting, func() error {
		counted = &countingConn{}
		c, err = connector.Connect(context.WithValue(ctx, countingKey{}, counted))
		return err
	}, isCrowded)
	if err != nil {
		return nil, d.connectError(ctx, err)
	}
	return &connection{Conn: c, counted: counted}, nil
}

// with calls do with a new connection.
func (d *database) with(ctx context.Context, do func(*connection) error) error {
	if err := d.room.Enter(ctx); err != nil {
		return err
	}
	defer d.room.Leave()
	c, err := d.connect(ctx)
	if err != nil {
		return err
	}
	defer c.counted.hangUp()
	return do(c)
}

// execute runs a statement of ours that has no rows.
func (c *connection) execute(ctx context.Context, statement string) error {
	_, err := c.Conn.(driver.ExecerContext).ExecContext(ctx, statement, nil)
	return err
}

// texts runs a statement of ours and returns its rows as texts. NULL is "".
func (c *connection) texts(ctx context.Context, statement string) ([][]string, error) {
	found, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, statement, nil)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var out [][]string
	for {
		values := make([]driver.Value, len(found.Columns()))
		if err := found.Next(values); err != nil {
			return out, ended(err)
		}
		row := make([]string, len(values))
		for i, v := range values {
			switch v := v.(type) {
			case nil:
			case []byte:
				row[i] = string(v)
			default:
				row[i] = fmt.Sprint(v)
			}
		}
		out = append(out, row)
	}
}

// Greet connects and returns the version.
func (d *database) Greet(ctx context.Context) (version string, err error) {
	err = d.with(ctx, func(c *connection) error {
		found, err := c.texts(ctx, "SELECT VERSION()")
		if err != nil || len(found) == 0 {
			return d.Unanswered(ctx, err)
		}
		number, rest, _ := strings.Cut(found[0][0], "-")
		version = "MySQL " + number
		if strings.Contains(rest, "MariaDB") {
			version = "MariaDB " + number
		}
		return nil
	})
	return version, err
}

// Close waits until statements that were ended have ended on the server. No connection waits for a statement.
func (d *database) Close() error {
	d.cleanup.Wait()
	return nil
}
