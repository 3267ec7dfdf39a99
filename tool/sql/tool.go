package sql

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/sql/engine"
	"github.com/seed-5817661a/concur/tool/sql/server"
	"github.com/seed-5817661a/concur/trace"
)

// Backend is the beginning of the ids of results, such as sql_1.
const Backend = "sql"

// Limits of the document of a result, in bytes.
const (
	maxTitle   = 300
	maxSnippet = 1200
)

// openTool is a tool with an open database.
type openTool struct {
	tool.Tool
	database
}

// Close ends the processes or connections of the database.
func (t openTool) Close() error { return t.database.Close() }

// Warning returns a warning for the user, or "".
func (t openTool) Warning() string {
	if w, warns := t.database.(interface{ Warning() string }); warns {
		return w.Warning()
	}
	return ""
}

// query is the tool that runs statements.
type query struct {
	name string
	Settings
	environ func(string) string // may be nil
}

// WithEnviron returns the tool with an environment, from which it takes the address of a server.
func (q query) WithEnviron(environ func(string) string) tool.Declared {
	q.environ = environ
	return q
}

type statement struct {
	Statement string `json:"statement" jsonschema:"One SELECT statement."`
}

// dialectOfFiles is the dialect of SQL for files.
const dialectOfFiles = "SQLite"

// dialect names the dialect of SQL. The kind of a server is not known before its variable is read, which a replay
// does without.
func (q query) dialect() string {
	if q.Database.Env == "" {
		return dialectOfFiles + "'s dialect"
	}
	return "the dialect that " + q.name + SchemaSuffix + " names"
}

// Spec describes the tool.
func (q query) Spec() tool.Spec { return tool.Func[statement](q.spec(), nil).Spec() }

func (q query) spec() tool.Spec {
	about := cmp.Or(strings.TrimSpace(q.About), "Read a database with SQL.")
	return tool.Spec{
		ToolSpec: model.ToolSpec{Name: q.name, Description: about + fmt.Sprintf(" One SELECT a call, in %s; "+
			"nothing can be changed. It returns columns, types and rows, at most %d rows and %d bytes of values; \"cut\" says "+
			"that there are more. The result has an id to cite.", q.dialect(), q.MaxRows, q.MaxBytes)},
		Evidence: true, OwnDeadline: true, // the engine limits the time
	}
}

// Open opens the database.
func (q query) Open(ctx context.Context) (tool.Tool, string, error) {
	db, digest, err := q.open(ctx, q.environ)
	if err != nil {
		return nil, "", err
	}
	run := func(ctx context.Context, in statement) (tool.Output, error) {
		if strings.TrimSpace(in.Statement) == "" {
			return tool.Output{}, badRequest(errors.New("the statement is empty: write a SELECT"))
		}
		limit := q.Timeout
		if most, invoked := tool.TimeoutOf(ctx); invoked && most > 0 {
			limit = min(limit, most)
		}
		r, err := db.Query(ctx, in.Statement, limit)
		if err != nil {
			return tool.Output{}, failure(err)
		}
		return q.output(in.Statement, r), nil
	}
	return openTool{tool.Func(q.spec(), run), db}, digest, nil
}

// output returns the rows, and the result as one document that an answer can cite.
func (q query) output(statement string, r *engine.Result) tool.Output {
	object := map[string]any{"columns": r.Columns, "types": r.Types, "rows": r.Rows, "row_count": len(r.Rows)}
	if r.Cut != "" {
		object["cut"] = r.Cut
	}
	one := strings.Join(strings.Fields(statement), " ")
	return tool.Output{Object: object, Documents: []trace.Document{{
		Ref: one, Title: text.Clip(one, maxTitle), Source: Backend + ":" + q.name, Snippet: snippet(r),
		Score: 1, Unscored: true, Backend: Backend,
	}}}
}

// snippet writes the first rows as lines of name: value.
func snippet(r *engine.Result) string {
	if len(r.Rows) == 0 {
		return "no rows"
	}
	var out strings.Builder
	for i, row := range r.Rows {
		if i > 0 {
			out.WriteString("\n")
		}
		for j, value := range row {
			if j > 0 {
				out.WriteString("; ")
			}
			out.WriteString(r.Columns[j] + ": " + shown(value))
		}
		if out.Len() > maxSnippet {
			break
		}
	}
	return text.Clip(out.String(), maxSnippet)
}

func shown(value any) string {
	switch v := value.(type) {
	case nil:
		return "NULL"
	case string:
		return v
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(raw)
}

// schema is the tool that describes the tables.
type schema struct {
	name string
	Settings
	environ func(string) string // may be nil
}

// WithEnviron returns the tool with an environment, from which it takes the address of a server.
func (s schema) WithEnviron(environ func(string) string) tool.Declared {
	s.environ = environ
	return s
}

// Spec describes the tool.
func (s schema) Spec() tool.Spec { return tool.Func[struct{}](s.spec(), nil).Spec() }

func (s schema) spec() tool.Spec {
	of := strings.TrimSuffix(s.name, SchemaSuffix)
	return tool.Spec{
		ToolSpec: model.ToolSpec{Name: s.name, Description: "Show the tables that the tool " + of +
			" can read: their columns with types and keys, how they refer to each other, and their first rows."},
		OwnDeadline: true,
	}
}

// Open opens the database.
func (s schema) Open(ctx context.Context) (tool.Tool, string, error) {
	db, digest, err := s.open(ctx, s.environ)
	if err != nil {
		return nil, "", err
	}
	describe := func(ctx context.Context, _ struct{}) (tool.Output, error) {
		described, err := db.Schema(ctx)
		if err != nil {
			return tool.Output{}, failure(err)
		}
		object := map[string]any{"dialect": described.Dialect, "tables": described.Tables}
		if described.More > 0 {
			object["more_tables"] = described.More
		}
		return tool.Output{Object: object}, nil
	}
	return openTool{tool.Func(s.spec(), describe), db}, digest, nil
}

// failure says whose failure an error is: the agent's if its statement is wrong, else that of the server or of the
// machine.
func failure(err error) error {
	lost, isLost := errors.AsType[*server.LostError](err)
	switch {
	case server.IsStatement(err):
		return badRequest(err)
	case isLost:
		return &tool.BackendError{Kind: lost.Kind, Err: err}
	case errors.Is(err, context.Canceled):
		return err
	}
	return &tool.BackendError{Kind: server.Upstream, Err: err}
}

func badRequest(err error) error { return &tool.RequestError{Kind: tool.BadRequest, Err: err} }
