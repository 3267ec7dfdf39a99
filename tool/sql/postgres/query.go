package postgres

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/seed-5817661a/concur/tool/sql/engine"
	"github.com/seed-5817661a/concur/tool/sql/server"
)

// The statements around the statement of the agent. settings holds until the end of the transaction: the time limit of
// each statement, and how values are written.
const (
	begin    = "BEGIN TRANSACTION READ ONLY"
	settings = "SELECT pg_catalog.set_config('statement_timeout', $1, true), " +
		"pg_catalog.set_config('timezone', 'UTC', true), " +
		"pg_catalog.set_config('datestyle', 'ISO, YMD', true), pg_catalog.set_config('intervalstyle', 'postgres', true), " +
		"pg_catalog.set_config('extra_float_digits', '1', true), pg_catalog.set_config('bytea_output', 'hex', true)"
	cursorName = "concur_rows"
	cursor     = "DECLARE " + cursorName + " NO SCROLL CURSOR FOR "
	rollback   = "ROLLBACK"
	// reset undoes what a statement may leave in the session, such as locks of pg_advisory_lock. Otherwise the traces
	// that share a connection could depend on each other.
	reset = "DISCARD ALL"
)

// Query runs one statement.
func (d *database) Query(ctx context.Context, statement string, limit time.Duration) (*engine.Result, error) {
	if err := server.CheckStatement(statement); err != nil {
		return nil, err
	}
	return d.query(ctx, statement, limit, d.limits)
}

func (d *database) query(ctx context.Context, statement string, limit time.Duration,
	limits server.Limits) (r *engine.Result, err error) {
	err = d.with(ctx, func(c *pgconn.PgConn) (usable bool, err error) {
		r, usable, err = d.run(ctx, c, statement, limit, limits)
		return usable, err
	})
	return r, err
}

// run sends the statement with the statements around it, and reads their results. usable reports whether the connection
// can be used again.
func (d *database) run(caller context.Context, c *pgconn.PgConn, statement string, limit time.Duration,
	limits server.Limits) (result *engine.Result, usable bool, err error) {
	ctx, cancel := context.WithTimeout(caller, limit+server.Grace)
	defer cancel()
	began := time.Now()
	f := c.Frontend()
	send := func(statement string, values ...[]byte) {
		f.SendParse(&pgproto3.Parse{Query: statement})
		f.SendBind(&pgproto3.Bind{Parameters: values})
		f.SendExecute(&pgproto3.Execute{})
	}
	send(begin)
	send(settings, []byte(strconv.FormatInt(limit.Milliseconds(), 10)))
	send(cursor + statement)
	// A cursor is also a portal of the protocol. FETCH would compute all rows before it sends the first.
	f.SendDescribe(&pgproto3.Describe{ObjectType: 'P', Name: cursorName})
	f.SendExecute(&pgproto3.Execute{Portal: cursorName, MaxRows: uint32(limits.Rows + 1)})
	f.SendSync(&pgproto3.Sync{})
	for _, after := range []string{rollback, reset} {
		send(after)
		f.SendSync(&pgproto3.Sync{})
	}
	err = f.Flush()
	var r *rows
	if err == nil {
		r, err = receive(ctx, c, limits)
	}
	_, wrong := errors.AsType[*pgconn.PgError](err)
	if usable = wrong || err == nil && r.Result.Cut != "bytes"; !usable { // the server may still send rows
		d.cleanup.Go(func() { abandon(c) })
	}
	if err == nil && usable {
		err = d.nameTypes(ctx, c, r)
	}
	if err != nil {
		return nil, usable, d.explain(caller, err, began, limit)
	}
	result, err = r.Finish()
	return result, usable, err
}

// receive reads the results of the statements that run sent. The first error is that of the statement, because a
// transaction that failed is rolled back without another.
func receive(ctx context.Context, c *pgconn.PgConn, limits server.Limits) (r *rows, failure error) {
	for ready := 0; ready < 3; { // three messages Sync
		message, err := c.ReceiveMessage(ctx)
		if err != nil {
			return nil, cmp.Or(failure, err)
		}
		switch m := message.(type) {
		case *pgproto3.RowDescription:
			r = describe(m, limits)
		case *pgproto3.DataRow:
			if r != nil && r.Result.Cut == "" && !r.add(m.Values) && r.Result.Cut == "bytes" { // r is nil for the settings
				return r, nil
			}
		case *pgproto3.ErrorResponse:
			failure = cmp.Or(failure, error(pgconn.ErrorResponseToPgError(m)))
		case *pgproto3.ReadyForQuery:
			ready++
		}
	}
	if r == nil && failure == nil {
		failure = errors.New("the server sent no rows and no error")
	}
	return r, failure
}

// abandon ends the statement of a connection on the server, and closes the connection.
func abandon(c *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), server.ConnectTime)
	defer cancel()
	_ = c.CancelRequest(ctx) // the server may be gone, or the statement has ended
	gone, drop := context.WithCancel(ctx)
	drop()
	_ = c.Close(gone) // without waiting for the server
}
