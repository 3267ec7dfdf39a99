package assemble

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/datasets/resultset"
	"github.com/seed-5817661a/concur/judge/execution"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/sql"
)

// Bounds of a result set that is compared: those of a tool's call may be smaller.
const (
	maxComparedRows  = 10_000
	maxComparedBytes = 1 << 20
)

// openDatabases prepares the databases for golds that are statements, and executes these statements. A database is
// opened only if the result of a statement is not known from an earlier run.
func (s *Session) openDatabases(ctx context.Context) error {
	if s.Draft.Dataset == nil || len(s.Draft.Dataset.Executed()) == 0 {
		return nil
	}
	for i := range s.Arms {
		a := &s.Arms[i]
		key, err := yaml.Marshal(a.Configuration.Tools) // yaml.Marshal sorts the keys
		if err != nil {
			return fmt.Errorf("encode tools: %w", err)
		}
		a.Databases, _ = openOnce(s.databases, string(key), func() (*execution.Databases, error) {
			opened := &lateClosers{}
			s.closers = append(s.closers, opened)
			return s.a.databasesOf(a.Configuration, s.options.Executed, opened), nil
		})
	}
	return s.Plan.CheckGolds(ctx)
}

// CheckGolds executes the statements of the golds of a dataset with the databases of a configuration, and returns the
// errors of runner.Plan.CheckGolds.
func (a *Assembler) CheckGolds(ctx context.Context, set *queries.Set, c config.Configuration) error {
	opened := &lateClosers{}
	arm := runner.Arm{Configuration: c, Databases: a.databasesOf(c, nil, opened)}
	return errors.Join(runner.Plan{Dataset: set, Arms: []runner.Arm{arm}}.CheckGolds(ctx), opened.Close())
}

// databasesOf returns the databases that a configuration declares, none of them open. known has results of an earlier
// run; it may be nil. What is opened is added to opened.
func (a *Assembler) databasesOf(c config.Configuration, known execution.Known,
	opened *lateClosers) *execution.Databases {
	d := &execution.Databases{Open: map[string]func(context.Context) (execution.Database, error){}, Known: known}
	for name, t := range c.Tools {
		if kind, err := kinds.Of(name, t, nil); err == nil && kind.Key == sql.Kind.Key {
			d.Open[name] = func(ctx context.Context) (execution.Database, error) {
				db, closer, err := a.openDatabase(ctx, name, t)
				opened.add(closer)
				return db, err
			}
		}
	}
	return d
}

// lateClosers closes what several goroutines open during a run.
type lateClosers struct {
	mu  sync.Mutex
	all []io.Closer
}

// add adds a closer; nil is ignored.
func (l *lateClosers) add(c io.Closer) {
	if c != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all = append(l.all, c)
	}
}

// Close closes all.
func (l *lateClosers) Close() (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.all {
		err = errors.Join(err, c.Close())
	}
	return err
}

// openDatabase opens the database of a declared tool with the tool's limits, except that more rows are returned. closer
// may be nil.
func (a *Assembler) openDatabase(ctx context.Context, name string, t config.DeclaredTool) (db execution.Database,
	closer io.Closer, err error) {
	settings := maps.Clone(t.Settings)
	settings["max_rows"], settings["max_bytes"] = maxComparedRows, maxComparedBytes
	declared, err := kinds.ReadAs(sql.Kind.Read, name, name, config.DeclaredTool{Settings: settings})
	if err != nil {
		return db, nil, err
	}
	if needs, is := declared.(tool.NeedsEnviron); is {
		declared = needs.WithEnviron(a.Variable)
	}
	opened, rests, err := declared.Open(ctx)
	if err != nil {
		return db, nil, fmt.Errorf("tools.%s: %w", name, err)
	}
	closer, _ = opened.(io.Closer)
	execute := func(ctx context.Context, statement string) (resultset.Table, error) {
		return executeWith(ctx, opened, statement)
	}
	return execution.Database{Digest: digest([]byte(rests))[:16], Execute: execute}, closer, nil
}

// executeWith executes a statement with a tool of package sql.
func executeWith(ctx context.Context, t tool.Tool, statement string) (table resultset.Table, err error) {
	raw, err := json.Marshal(map[string]string{"statement": statement})
	if err != nil {
		return table, err
	}
	out, err := t.Call(ctx, raw)
	if refused, is := errors.AsType[*tool.RequestError](err); is && refused.Kind == tool.BadRequest {
		return table, &execution.StatementError{Err: refused.Err}
	}
	if err != nil {
		return table, err
	}
	columns, _ := out.Object["columns"].([]string)
	rows, is := out.Object["rows"].([][]any)
	if !is {
		return table, fmt.Errorf("the tool %s returned no rows", t.Spec().Name)
	}
	if table, err = resultset.Of(columns, rows); err != nil {
		return table, err
	}
	_, table.Cut = out.Object["cut"]
	return table, nil
}
