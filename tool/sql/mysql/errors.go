package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/seed-5817661a/concur/tool/sql/server"
)

// failures are the numbers of errors that mean a failure of the server. All others are the statement's.
// https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html
var failures = map[uint16]string{
	1040: server.Upstream, // too many connections
	1041: server.Upstream, // out of memory
	1043: server.Upstream, // bad handshake
	1044: server.Auth,     // access to the database denied
	1045: server.Auth,     // access denied
	1049: server.Auth,     // there is no such database
	1053: server.Upstream, // shutdown
	1129: server.Auth,     // the host is blocked
	1130: server.Auth,     // the host is not allowed
	1152: server.Upstream, // connection aborted
	1184: server.Upstream, // connection aborted
	1203: server.Upstream, // the user has too many connections
	1226: server.Upstream, // the user's limit is reached
	1927: server.Upstream, // the connection was killed (MariaDB)
	4031: server.Upstream, // the client was disconnected
}

// The numbers of errors of a time limit, and of a statement that somebody ended.
const (
	timeoutMySQL   = 3024
	timeoutMariaDB = 1969
	interrupted    = 1317
)

// isCrowded reports whether a server refused a connection because it has as many as it takes, in all or of the user.
func isCrowded(err error) bool {
	refused, is := errors.AsType[*mysql.MySQLError](err)
	return is && (refused.Number == 1040 || refused.Number == 1203)
}

// connectError returns the error of a connection that was not made, which is never a statement's.
func (d *database) connectError(ctx context.Context, err error) error {
	if refused, is := errors.AsType[*mysql.MySQLError](err); is {
		kind, known := failures[refused.Number]
		if !known {
			kind = server.Upstream
		}
		return d.Failure(kind, errors.New(refused.Message))
	}
	return d.Unanswered(ctx, err)
}

// explain returns the error of a statement that began at began. caller is the context of the call, without the time
// limit of concur.
func (d *database) explain(caller context.Context, c *connection, err error, began time.Time,
	limit time.Duration) error {
	if wrong, is := errors.AsType[*mysql.MySQLError](err); is {
		kind, failed := failures[wrong.Number]
		switch {
		case wrong.Number == timeoutMySQL, wrong.Number == timeoutMariaDB,
			wrong.Number == interrupted && time.Since(began) >= limit:
			return server.TooLong(limit)
		case wrong.Number == interrupted:
			return d.Failure(server.Upstream, errors.New(wrong.Message)) // somebody ended it
		case failed:
			return d.Failure(kind, errors.New(wrong.Message))
		}
		return d.Wrong(wrong.Message)
	}
	if c.counted.ended.Load() {
		return d.Wrong(fmt.Sprintf("a row has more than %d bytes: select fewer columns, or parts of them by substring()",
			server.MaxRow))
	}
	if errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, driver.ErrBadConn) {
		err = errors.New("the connection was lost")
	}
	if caller.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return server.TooLong(limit) // concur's own limit, because the server did not end the statement
	}
	return d.Unanswered(caller, err)
}
