package engine

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/seed-5817661a/concur/internal/child"
)

// Limits of a child and its connection.
const (
	maxMemory  = 32 << 20  // bytes that SQLite may use
	moreMemory = 256 << 20 // bytes that the process may use beyond its start
	maxFiles   = 16        // open descriptors
	maxText    = 1 << 20   // bytes of one value
	cacheSize  = 4000      // KiB of pages that are kept
)

const (
	interrupted   = "interrupted"
	tooMuchMemory = "the statement needs more than 32 MiB of memory: ask for less"
	writes        = "this database can only be read: use SELECT, and no PRAGMA"
	oneStatement  = "one statement a call: send the others in calls of their own"
)

//go:embed functions.txt
var functionList string

func init() { child.Main(work, begin) }

// begin opens the database in a child process.
func begin(s Setup) (func(question) any, error) {
	db := &connection{setup: s}
	var err error
	if db.Conn, err = connect(s.File); err == nil {
		db.tables, err = db.readTables()
	}
	if isBroken(err) {
		err = &fileError{err}
	}
	if err != nil {
		return nil, err
	}
	if err := db.known(s.Tables); err != nil {
		return nil, err
	}
	if err := db.lock(); err != nil {
		return nil, err
	}
	if err := child.Limit(moreMemory, maxFiles); err != nil {
		return nil, fmt.Errorf("limit the database's process: %w", err)
	}
	return func(q question) any {
		if q.Schema {
			return reply{Tables: db.shown}
		}
		result, err := db.query(q.Statement, q.Limit)
		if err != nil {
			_, broken := errors.AsType[*fileError](err)
			return reply{Error: err.Error(), Broken: broken}
		}
		return reply{Result: result}
	}, nil
}

// connection is a connection to the database.
type connection struct {
	*sqlite3.Conn
	setup  Setup
	tables []Table // all
	shown  []Table // those that the setup allows
	denied string  // why the authoriser refused a part of the statement; "" if it did not
}

// connect opens a file for reading. SQLite takes no locks and writes no files beside it, because the file counts as
// immutable. Temporary tables stay in memory: a DISTINCT without end would otherwise fill the disk.
func connect(file string) (*sqlite3.Conn, error) {
	name := "file:" + escape(file) + "?mode=ro&immutable=1"
	c, err := sqlite3.OpenContext(sqlite3.WithMaxMemory(context.Background(), maxMemory), name)
	if err != nil {
		return nil, err
	}
	return c, c.Exec(fmt.Sprintf("PRAGMA temp_store=memory; PRAGMA cache_size=-%d; "+
		"SELECT count(*) FROM sqlite_schema", cacheSize))
}

// escape writes a path for a URI of SQLite, in which ?, # and % have a meaning.
func escape(path string) string { return (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() }

// lock sets the limits and the authoriser. After it a statement can only read.
func (c *connection) lock() error {
	for limit, value := range map[sqlite3.LimitCategory]int{
		sqlite3.LIMIT_ATTACHED: 0, sqlite3.LIMIT_LENGTH: maxText, sqlite3.LIMIT_SQL_LENGTH: 100_000,
		sqlite3.LIMIT_EXPR_DEPTH: 100, sqlite3.LIMIT_COMPOUND_SELECT: 50, sqlite3.LIMIT_VDBE_OP: 250_000,
		sqlite3.LIMIT_LIKE_PATTERN_LENGTH: 1000, sqlite3.LIMIT_TRIGGER_DEPTH: 1, sqlite3.LIMIT_WORKER_THREADS: 0,
	} {
		c.Limit(limit, value)
	}
	for option, on := range map[sqlite3.DBConfig]bool{
		sqlite3.DBCONFIG_DEFENSIVE: true, sqlite3.DBCONFIG_TRUSTED_SCHEMA: false, sqlite3.DBCONFIG_ENABLE_TRIGGER: false,
		// Without these an unknown column in double quotes is a text, and the statement has a wrong result.
		sqlite3.DBCONFIG_DQS_DML: false, sqlite3.DBCONFIG_DQS_DDL: false,
	} {
		if _, err := c.Config(option, on); err != nil {
			return fmt.Errorf("set up SQLite: %w", err)
		}
	}
	functions := map[string]bool{}
	for line := range strings.Lines(functionList) {
		if !strings.HasPrefix(line, "#") {
			for _, name := range strings.Fields(line) {
				functions[name] = true
			}
		}
	}
	return c.SetAuthorizer(func(action sqlite3.AuthorizerActionCode, first, second, _,
		view string) sqlite3.AuthorizerReturnCode {
		if why := c.refusal(action, first, second, view, functions); why != "" {
			c.denied = why
			return sqlite3.AUTH_DENY
		}
		return sqlite3.AUTH_OK
	})
}

// refusal says why a part of a statement is not allowed; "" if it is. view is the view or the trigger whose text has
// the part.
func (c *connection) refusal(action sqlite3.AuthorizerActionCode, first, second, view string,
	functions map[string]bool) string {
	switch action {
	case sqlite3.AUTH_SELECT, sqlite3.AUTH_RECURSIVE:
		return ""
	case sqlite3.AUTH_READ:
		name := strings.ToLower(first)
		schema := name == "sqlite_master" || name == "sqlite_schema"
		if strings.HasPrefix(name, "sqlite_") && (!schema || len(c.setup.Tables) > 0) {
			return "the table " + first + " cannot be read"
		}
		if !c.readable(first) && !c.readable(view) {
			return fmt.Sprintf("the table %s cannot be read: read %s", first, strings.Join(c.setup.Tables, ", "))
		}
		return ""
	case sqlite3.AUTH_FUNCTION:
		if functions[strings.ToLower(second)] {
			return ""
		}
		return "the function " + second + " is not available here"
	}
	return writes
}

// readable reports whether the setup allows to read a table. A name that is no table of the database belongs to
// a subquery or to a function that returns a table.
func (c *connection) readable(table string) bool {
	same := func(name string) bool { return strings.EqualFold(name, table) }
	return len(c.setup.Tables) == 0 || slices.ContainsFunc(c.setup.Tables, same) ||
		table != "" && !slices.ContainsFunc(c.tables, func(t Table) bool { return same(t.Name) })
}

// query runs a statement. It does not return if SQLite has no memory left: the driver panics, and the process ends
// with the exit status of such an end.
func (c *connection) query(statement string, limit time.Duration) (*Result, error) {
	defer func() {
		if p := recover(); p != nil {
			child.EndForMemory(p)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	defer c.SetInterrupt(c.SetInterrupt(ctx))
	c.denied = ""
	s, rest, err := c.Prepare(statement)
	switch {
	case err != nil:
		return nil, c.explain(ctx, err)
	case s == nil:
		return nil, errors.New("there is no statement: write a SELECT")
	}
	defer s.Close()
	if second, _, err := c.Prepare(rest); err != nil || second != nil {
		if second != nil {
			_ = second.Close() // it was not run
		}
		return nil, errors.New(oneStatement)
	}
	if !s.ReadOnly() {
		return nil, errors.New(writes)
	}
	result := c.rows(s)
	if result.Cut == "bytes" && len(result.Rows) == 0 {
		return nil, fmt.Errorf("the first row has more than %d bytes: select fewer columns, or parts by substr()",
			c.setup.Bytes)
	}
	if err := s.Err(); err != nil && result.Cut == "" {
		return nil, c.explain(ctx, err)
	}
	return result, nil
}

// fileError is a failure of the file, which no statement corrects.
type fileError struct{ cause error }

func (e *fileError) Error() string {
	return "it is damaged or cannot be read (" + strings.TrimPrefix(e.cause.Error(), "sqlite3: ") +
		"): replace it by a copy, or recover it with sqlite3 FILE .recover"
}

// isBroken reports whether an error of SQLite means that the file is damaged or cannot be read.
func isBroken(err error) bool {
	for _, code := range []sqlite3.ErrorCode{sqlite3.CORRUPT, sqlite3.NOTADB, sqlite3.IOERR, sqlite3.CANTOPEN} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}

// explain returns the text of an error of SQLite for the author of the statement.
func (c *connection) explain(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil || errors.Is(err, sqlite3.INTERRUPT):
		return errors.New(interrupted)
	case errors.Is(err, sqlite3.NOMEM):
		return errors.New(tooMuchMemory)
	case isBroken(err):
		return &fileError{err}
	case c.denied != "" && (errors.Is(err, sqlite3.AUTH) || strings.Contains(err.Error(), "prohibited") ||
		strings.Contains(err.Error(), "not authorized")):
		return errors.New(c.denied)
	}
	text := strings.TrimPrefix(err.Error(), "sqlite3: ")
	return errors.New(strings.TrimPrefix(text, "SQL logic error: "))
}
