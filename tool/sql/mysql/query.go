package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/tool/sql/engine"
	"github.com/seed-5817661a/concur/tool/sql/server"
)

// settings are the settings of a session. The comments are read by MariaDB and by MySQL from 5.7.8, each of which has
// its own time limit: of seconds, and of milliseconds.
const settings = "SET SESSION time_zone = '+00:00' " +
	"/*M! , max_statement_time = %s */ /*!50708 , max_execution_time = %d */"

const begin = "START TRANSACTION READ ONLY"

// check is the statement that the server prepares but does not run. In a subquery only a query is allowed, and no
// INTO OUTFILE. The end is on another line, because the statement may end with a comment.
const check = "SELECT EXISTS (%s\n)"

// Query runs one statement.
func (d *database) Query(ctx context.Context, statement string, limit time.Duration) (*engine.Result, error) {
	if err := server.CheckStatement(statement); err != nil {
		return nil, err
	}
	return d.query(ctx, strings.TrimRight(statement, "; \t\r\n"), limit, d.limits)
}

func (d *database) query(ctx context.Context, statement string, limit time.Duration,
	limits server.Limits) (r *engine.Result, err error) {
	err = d.with(ctx, func(c *connection) error {
		r, err = d.run(ctx, c, statement, limit, limits)
		return err
	})
	return r, err
}

func (d *database) run(caller context.Context, c *connection, statement string, limit time.Duration,
	limits server.Limits) (*engine.Result, error) {
	ctx, cancel := context.WithTimeout(caller, limit+server.Grace)
	defer cancel()
	began := time.Now()
	fail := func(err error) (*engine.Result, error) { return nil, d.explain(caller, c, err, began, limit) }
	seconds := strconv.FormatFloat(limit.Seconds(), 'f', 3, 64)
	for _, s := range []string{fmt.Sprintf(settings, seconds, limit.Milliseconds()), begin} {
		if err := c.execute(ctx, s); err != nil {
			return fail(err)
		}
	}
	found, err := c.texts(ctx, "SELECT CONNECTION_ID()")
	if err != nil {
		return fail(err)
	}
	c.id = found[0][0]
	prepared, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, fmt.Sprintf(check, statement))
	if err != nil {
		return fail(err)
	}
	if err := prepared.Close(); err != nil {
		return fail(err)
	}
	complete := false
	defer func() {
		if !complete {
			d.cleanup.Go(func() { d.kill(c) })
		}
	}()
	result, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, statement, nil)
	if err != nil {
		return fail(err)
	}
	collected, err := collect(c, result, limits)
	complete = err == nil && collected.Result.Cut == ""
	if err != nil {
		return fail(err)
	}
	if complete && time.Since(began) >= limit {
		return nil, server.TooLong(limit) // MySQL ends SLEEP without an error
	}
	return collected.Finish()
}

// collect reads rows up to the limits.
func collect(c *connection, found driver.Rows, limits server.Limits) (*server.Collector, error) {
	columns := found.Columns()
	types := make([]string, len(columns))
	for i := range columns {
		types[i] = strings.ToLower(found.(driver.RowsColumnTypeDatabaseTypeName).ColumnTypeDatabaseTypeName(i))
	}
	collected := server.NewCollector(columns, types, limits)
	values, row := make([]driver.Value, len(columns)), make([]server.Value, len(columns))
	for {
		c.counted.allow()
		if err := found.Next(values); err != nil {
			return collected, ended(err)
		}
		for i, v := range values {
			row[i] = valueOf(types[i], v)
		}
		if !collected.Add(row) {
			return collected, nil
		}
	}
}

// ended returns nil for the end of rows.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// blobs are types of bytes that are no text.
var blobs = []string{"binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "bit", "geometry"}

func valueOf(kind string, value driver.Value) server.Value {
	switch v := value.(type) {
	case nil:
		return server.Null
	case float32:
		return server.Float(float64(v), 32)
	case float64:
		return server.Float(v, 64)
	case []byte:
		switch {
		case kind == "decimal":
			return server.Number(string(v))
		case slices.Contains(blobs, kind):
			return server.Blob(len(v))
		}
		return server.Text(v)
	}
	return server.Number(fmt.Sprint(value)) // int64 and uint64
}

// kill ends the statement of a connection on the server. A server notices only late that a connection was closed.
func (d *database) kill(c *connection) {
	ctx, cancel := context.WithTimeout(context.Background(), server.ConnectTime)
	defer cancel()
	if other, err := d.connect(ctx); err == nil {
		_ = other.execute(ctx, "KILL QUERY "+c.id) // the statement may have ended
		other.counted.hangUp()
	}
}
