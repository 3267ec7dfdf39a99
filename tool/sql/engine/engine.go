package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/seed-5817661a/concur/internal/child"
)

// Version changes when the same statement on the same database could give another result.
const Version = "sqlite/v1"

// work is the name of the child's work.
const work = "sqlite"

// Setup describes a database and the limits of its statements.
type Setup struct {
	File   string   `json:"file"`   // an SQLite file
	Tables []string `json:"tables"` // tables and views that may be read; empty for all
	Rows   int      `json:"rows"`   // maximum rows of a result
	Bytes  int      `json:"bytes"`  // maximum bytes of the values of a result
}

// Result is the result of a statement.
type Result struct {
	Columns []string `json:"columns"`
	// Types are the declared types of the columns in lower case. For an expression it is the type of the first
	// value that is not null: integer, real, text or blob; "" if there is no such value.
	Types []string `json:"types"`
	// Rows have numbers as json.Number (infinities as the texts Infinity and -Infinity), texts, blobs as their length
	// in brackets, and nil for NULL.
	Rows [][]any `json:"rows"`
	// Cut is "rows" or "bytes" if the result has more rows than the limit allows; else "".
	Cut string `json:"cut,omitempty"`
}

// StatementError is a failure of the statement: its author can correct it. The text is SQLite's own, or names the
// exceeded limit.
type StatementError struct{ Text string }

func (e *StatementError) Error() string { return e.Text }

// Database answers statements. It is safe for concurrent use.
type Database struct {
	pool   *child.Pool
	places chan struct{} // of statements that run at the same time
}

// atOnce returns the number of statements that run at the same time. More than the cores would take the time limits of
// each other, and each needs a process of about 1.6 MB. The time in which a statement waits does not count.
func atOnce() int { return max(4, runtime.NumCPU()) }

// Open opens a database. The error says why the file cannot be read.
func Open(ctx context.Context, s Setup) (*Database, error) {
	pool, err := child.NewPool(work, s)
	if err != nil {
		return nil, err
	}
	if err := pool.Check(ctx); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &Database{pool, make(chan struct{}, atOnce())}, nil
}

// Close ends the child processes.
func (d *Database) Close() error { return d.pool.Close() }

// question is what a child is asked.
type question struct {
	Statement string        `json:"statement"`
	Limit     time.Duration `json:"limit"`  // of the statement's time
	Schema    bool          `json:"schema"` // describe the tables instead
}

// reply is what a child answers. One of its fields is set.
type reply struct {
	Result *Result `json:"result,omitempty"`
	Tables []Table `json:"tables,omitempty"`
	Error  string  `json:"error,omitempty"`  // of the statement
	Broken bool    `json:"broken,omitempty"` // the error is the file's
}

// Query runs one statement for at most limit. The error is a *StatementError if the statement is wrong or exceeds a
// limit, and another error if the file is damaged or its process failed.
func (d *Database) Query(ctx context.Context, statement string, limit time.Duration) (*Result, error) {
	r, err := d.ask(ctx, question{Statement: statement, Limit: limit})
	if err != nil {
		return nil, err
	}
	return cmp.Or(r.Result, &Result{}), nil
}

// schemaLimit is the time in which a child, which has read the schema at its start, returns it.
const schemaLimit = 20 * time.Second

// Schema describes the tables and views, each with its first rows.
func (d *Database) Schema(ctx context.Context) ([]Table, error) {
	r, err := d.ask(ctx, question{Schema: true, Limit: schemaLimit})
	return r.Tables, err
}

func (d *Database) ask(ctx context.Context, q question) (r reply, err error) {
	select {
	case d.places <- struct{}{}:
		defer func() { <-d.places }()
	case <-ctx.Done():
		return r, ctx.Err()
	}
	err = d.pool.Ask(ctx, q, &r, q.Limit)
	ended, isEnd := errors.AsType[*child.EndedError](err)
	switch {
	case errors.Is(err, child.ErrTime) || r.Error == interrupted:
		return r, &StatementError{fmt.Sprintf("the statement took longer than %v: ask for less", q.Limit)}
	case isEnd && ended.Memory:
		return r, &StatementError{tooMuchMemory}
	case err != nil:
		return r, fmt.Errorf("the database's process: %w", err)
	case r.Broken:
		return r, fmt.Errorf("the database's file: %s", r.Error)
	case r.Error != "":
		return r, &StatementError{r.Error}
	}
	return r, nil
}
