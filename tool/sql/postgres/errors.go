package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/seed-5817661a/concur/tool/sql/server"
)

// failures are the codes that mean a failure of the server, by their beginnings. All other codes are the statement's.
// The longest beginning counts. https://www.postgresql.org/docs/current/errcodes-appendix.html
var failures = map[string]string{
	"08":    server.Upstream, // connection exception
	"08P01": "",              // protocol violation: a statement with parameters, which have no values here
	"28":    server.Auth,     // invalid authorization
	"3D":    server.Auth,     // invalid catalog name: there is no such database
	"53":    server.Upstream, // insufficient resources
	"53400": "",              // a limit that was set for the role, such as temp_file_limit
	"57P":   server.Upstream, // shutdown, crash, not ready
	"58000": server.Upstream, // system error
	"58030": server.Upstream, // input or output error
	"XX001": server.Upstream, // damaged data
	"XX002": server.Upstream, // damaged index
}

// failureOf returns the kind of a server's failure; "" if the statement is wrong.
func failureOf(code string) string {
	for length := len(code); length > 0; length-- {
		if kind, listed := failures[code[:length]]; listed {
			return kind
		}
	}
	return ""
}

const cancelled = "57014" // also the end of the time limit

// isCrowded reports whether a server refused a connection because it has as many as it takes.
func isCrowded(err error) bool {
	refused, is := errors.AsType[*pgconn.PgError](err)
	return is && refused.Code == "53300"
}

// connectError returns the error of a connection that was not made. All are the server's or the user's, and none is
// the statement's.
func (d *database) connectError(ctx context.Context, err error) error {
	if refused, is := errors.AsType[*pgconn.PgError](err); is {
		return d.Failure(cmp.Or(failureOf(refused.Code), server.Upstream), errors.New(refused.Message))
	}
	if failed, is := errors.AsType[*pgconn.ConnectError](err); is {
		err = failed.Unwrap() // without the name of the user
	}
	return d.Unanswered(ctx, err)
}

// explain returns the error of a statement that began at began. caller is the context of the call, without the time
// limit of concur.
func (d *database) explain(caller context.Context, err error, began time.Time, limit time.Duration) error {
	if wrong, is := errors.AsType[*pgconn.PgError](err); is {
		switch kind := failureOf(wrong.Code); {
		case kind != "":
			return d.Failure(kind, errors.New(wrong.Message))
		case wrong.Code == cancelled && time.Since(began) >= limit: // its text is in the language of the server
			return server.TooLong(limit)
		case wrong.Code == cancelled:
			return d.Failure(server.Upstream, errors.New(wrong.Message)) // somebody ended it
		}
		return d.Wrong(explanation(wrong))
	}
	if long, is := errors.AsType[*pgproto3.ExceededMaxBodyLenErr](err); is {
		return d.Wrong(fmt.Sprintf("a row has %d bytes: select fewer columns, or parts of them by substring()",
			long.ActualBodyLen))
	}
	if caller.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || pgconn.Timeout(err)) {
		return server.TooLong(limit) // concur's own limit, because the server did not end the statement
	}
	return d.Unanswered(caller, err)
}

// explanation returns the parts of an error that help to correct a statement.
func explanation(e *pgconn.PgError) string {
	out := e.Message
	if e.Detail != "" {
		out += "; detail: " + e.Detail
	}
	if e.Hint != "" {
		out += "; hint: " + e.Hint
	}
	return out
}
