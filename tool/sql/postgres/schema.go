package postgres

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-5817661a/concur/tool/sql/engine"
	"github.com/seed-5817661a/concur/tool/sql/server"
)

// columns.sql, links.sql and rights.sql are queries of PostgreSQL's catalog.
var (
	//go:embed columns.sql
	columnsQuery string
	//go:embed links.sql
	linksQuery string
	//go:embed rights.sql
	rightsQuery string
)

// sampleTime is the maximum time for the first rows of a table. A view may take long.
const sampleTime = 2 * time.Second

// Schema describes the tables and views that the role may read.
func (d *database) Schema(ctx context.Context) (server.Schema, error) {
	ctx, cancel := context.WithTimeout(ctx, server.SchemaTime)
	defer cancel()
	out := server.Schema{Dialect: Driver.Dialect}
	columns, err := d.catalog(ctx, columnsQuery)
	if err != nil {
		return out, err
	}
	var quoted []string // the names of the tables as statements write them
	for _, row := range columns {
		last := len(quoted) - 1
		if last < 0 || quoted[last] != row[0] {
			if quoted = append(quoted, row[0]); len(quoted) <= server.MaxTables {
				out.Tables = append(out.Tables, engine.Table{Name: row[1], View: row[2] == "t", Rows: [][]any{}})
			}
		}
		if len(quoted) > server.MaxTables {
			out.More = len(quoted) - server.MaxTables
			continue
		}
		t := &out.Tables[len(quoted)-1]
		t.Columns = append(t.Columns, engine.Column{Name: row[3], Type: row[4], Key: row[5] == "t"})
	}
	links, err := d.catalog(ctx, linksQuery)
	if err != nil {
		return out, err
	}
	for i := range out.Tables {
		t := &out.Tables[i]
		for _, row := range links {
			if row[0] == quoted[i] {
				t.Links = append(t.Links, row[1])
			}
		}
		if err := d.sample(ctx, quoted[i], t); err != nil {
			return out, err
		}
	}
	return out, nil
}

// sample reads the first rows of a table. A table without readable rows, such as a view that takes long, has none.
func (d *database) sample(ctx context.Context, quoted string, t *engine.Table) error {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = `"` + strings.ReplaceAll(c.Name, `"`, `""`) + `"`
	}
	r, err := d.query(ctx, fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(names, ", "), quoted,
		server.SampleRows), sampleTime, server.Limits{Rows: server.SampleRows, Bytes: server.SampleBytes})
	if server.IsStatement(err) {
		return nil
	}
	if err == nil {
		t.Rows = r.Rows
	}
	return err
}

// Rights lists what the role may change.
func (d *database) Rights(ctx context.Context) ([]string, error) {
	rows, err := d.catalog(ctx, rightsQuery)
	var out []string
	for _, row := range rows {
		out = append(out, row[0])
	}
	return out, err
}

// catalog runs a query of ours. NULL is "".
func (d *database) catalog(ctx context.Context, query string) (out [][]string, err error) {
	ctx, cancel := context.WithTimeout(ctx, server.SchemaTime)
	defer cancel()
	began := time.Now()
	err = d.with(ctx, func(c *pgconn.PgConn) (bool, error) {
		result := c.ExecParams(ctx, query, nil, nil, nil, nil).Read()
		if result.Err != nil {
			return true, d.explain(ctx, result.Err, began, server.SchemaTime)
		}
		out = nil
		for _, values := range result.Rows {
			row := make([]string, len(values))
			for i, v := range values {
				row[i] = string(v)
			}
			out = append(out, row)
		}
		return true, nil
	})
	return out, err
}
