package execution

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/resultset"
	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/internal/text"
)

// Result is the result set of a statement, as the run folder keeps it.
type Result struct {
	Tool      string `json:"tool"`
	Statement string `json:"statement"`
	// Database is a hash of the database's content and of the version of what read it.
	Database string `json:"database"`
	// Table is the result set as JSON ([resultset.Table.JSON]); "" if the statement failed.
	Table string `json:"table,omitempty"`
	Error string `json:"error,omitempty"` // why the statement failed
	// Traces are the traces whose answer this is; nil for the statement of the gold, and for one without rows.
	Traces []int `json:"traces,omitempty"`
}

// StatementError is a failure of a statement, not of the machine: its author can correct it.
type StatementError struct{ Err error }

func (e *StatementError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *StatementError) Unwrap() error { return e.Err }

// UnavailableError is a failure to open a database, such as that its file is missing, or that none is declared.
type UnavailableError struct{ Err error }

func (e *UnavailableError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Err }

// Database executes statements. digest identifies its content. Execute returns a *StatementError if the statement is
// wrong. It is called from several goroutines.
type Database struct {
	Digest  string
	Execute func(ctx context.Context, statement string) (resultset.Table, error)
}

// Databases executes the statements of golds and of agents, each once. It is safe for concurrent use. The fields
// must not be changed after the first call.
type Databases struct {
	// Open opens the database of each tool. It is called when the first statement of the tool has no known result.
	Open map[string]func(context.Context) (Database, error)
	// Known has results of an earlier run. It may be nil.
	Known Known

	files   memo.Once[string, Database] // by tool
	results memo.Once[[2]string, Result]
}

// Known has results of an earlier run, by tool and statement.
type Known map[[2]string]Result

// Add adds the results of a record.
func (k Known) Add(results []Result) {
	for _, r := range results {
		r.Traces = nil
		k[[2]string{r.Tool, r.Statement}] = r
	}
}

// Tool returns the tool whose database executes a gold's statement. named is the tool that the gold names; "" for the
// only one.
func (d *Databases) Tool(named string) (string, error) {
	var all []string
	if d != nil {
		for name := range d.Open {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	switch {
	case len(all) == 0:
		return "", &UnavailableError{errors.New("gold.sql needs a database: declare it in concur.yaml, such as " +
			"tools: {sql: {database: FILE}}")}
	case named == "" && len(all) > 1:
		return "", fmt.Errorf("gold.sql: there are several databases (%s): name one as gold.tool", strings.Join(all, ", "))
	case named == "":
		return all[0], nil
	case !slices.Contains(all, named):
		return "", fmt.Errorf("gold.tool: %.40q is not a database of concur.yaml: name one of %s", named,
			strings.Join(all, ", "))
	}
	return named, nil
}

// Execute returns the result of a statement: that of an earlier run, or else that of the database. A statement that
// fails has a Result with its Error. The error is a failure of the machine, or that the database cannot be opened or
// has other content than in the earlier run.
func (d *Databases) Execute(ctx context.Context, tool, statement string) (Result, error) {
	key := [2]string{tool, statement}
	if r, known := d.Known[key]; known {
		return r, nil
	}
	return d.results.Get(ctx, key, func() (Result, bool, error) {
		r := Result{Tool: tool, Statement: statement}
		db, err := d.open(ctx, tool)
		if err != nil {
			return r, false, err
		}
		r.Database = db.Digest
		table, err := db.Execute(ctx, statement)
		if wrong, is := errors.AsType[*StatementError](err); is {
			r.Error = wrong.Error()
			return r, true, nil
		}
		if err != nil {
			return r, false, err
		}
		r.Table = table.JSON()
		return r, true, nil
	})
}

// open opens the database of a tool once.
func (d *Databases) open(ctx context.Context, tool string) (Database, error) {
	return d.files.Get(ctx, tool, func() (Database, bool, error) {
		open := d.Open[tool]
		if open == nil {
			return Database{}, false, fmt.Errorf("the tool %s is not a database of concur.yaml", tool)
		}
		db, err := open(ctx)
		if err != nil {
			return db, false, &UnavailableError{err}
		}
		for _, r := range d.Known {
			if r.Tool == tool && r.Database != db.Digest {
				return db, false, fmt.Errorf("the database of the tool %s has changed since the run: restore it, or run again",
					tool)
			}
		}
		return db, true, nil
	})
}

// Gold returns the result of a gold's statement. It returns an error if the statement fails, or if its rows cannot be
// the answer to a question: none, too many, or values of which only the size is known.
func (d *Databases) Gold(ctx context.Context, named, statement string) (Result, error) {
	tool, err := d.Tool(named)
	if err != nil {
		return Result{}, err
	}
	r, err := d.Execute(ctx, tool, statement)
	if err != nil {
		return r, err
	}
	why := r.Error
	if why == "" {
		why = unfit(r.Table)
	}
	if why != "" {
		return r, fmt.Errorf("gold.sql (%s): %s", text.Clip(strings.Join(strings.Fields(statement), " "), maxShown), why)
	}
	return r, nil
}

// maxShown is the length of a statement in a message, in characters.
const maxShown = 60

// unfit says why a result set cannot be a gold; "" if it can.
func unfit(raw string) string {
	t, err := resultset.Parse(raw)
	switch {
	case err != nil:
		return err.Error()
	case t.Cut:
		return fmt.Sprintf("it has more than %d rows or 1 MiB: select less", len(t.Rows))
	case len(t.Rows) == 0:
		return "it has no rows, so any statement without rows would be right: use outcome abstained, or count"
	case t.HasBlob():
		return "a value is a blob, of which only the size is compared: select hex(it)"
	}
	return ""
}
