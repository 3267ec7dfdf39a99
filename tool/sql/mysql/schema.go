package mysql

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/tool/sql/engine"
	"github.com/seed-5817661a/concur/tool/sql/server"
)

// columns.sql and links.sql are queries of the information schema, which shows what the user may read.
var (
	//go:embed columns.sql
	columnsQuery string
	//go:embed links.sql
	linksQuery string
)

// sampleTime is the maximum time for the first rows of a table. A view may take long.
const sampleTime = 2 * time.Second

// Schema describes the tables and views that the user may read.
func (d *database) Schema(ctx context.Context) (server.Schema, error) {
	ctx, cancel := context.WithTimeout(ctx, server.SchemaTime)
	defer cancel()
	out := server.Schema{Dialect: Driver.Dialect}
	columns, links, err := d.catalog(ctx)
	if err != nil {
		return out, err
	}
	last := ""
	for _, row := range columns {
		if last != row[0] {
			if last = row[0]; len(out.Tables) < server.MaxTables {
				out.Tables = append(out.Tables, engine.Table{Name: row[0], View: row[1] == "1", Rows: [][]any{}})
			} else {
				out.More++
			}
		}
		if out.More == 0 {
			t := &out.Tables[len(out.Tables)-1]
			t.Columns = append(t.Columns, engine.Column{Name: row[2], Type: row[3], Key: row[4] == "1"})
		}
	}
	for i := range out.Tables {
		t := &out.Tables[i]
		for _, row := range links {
			if row[0] == t.Name {
				t.Links = append(t.Links, row[1])
			}
		}
		if err := d.sample(ctx, t); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (d *database) catalog(ctx context.Context) (columns, links [][]string, err error) {
	began := time.Now()
	err = d.with(ctx, func(c *connection) error {
		if columns, err = c.texts(ctx, columnsQuery); err == nil {
			links, err = c.texts(ctx, linksQuery)
		}
		if err != nil {
			return d.explain(ctx, c, err, began, server.SchemaTime)
		}
		return nil
	})
	return columns, links, err
}

// sample reads the first rows of a table. A table without readable rows, such as a view that takes long, has none.
func (d *database) sample(ctx context.Context, t *engine.Table) error {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = quoted(c.Name)
	}
	r, err := d.query(ctx, fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(names, ", "), quoted(t.Name),
		server.SampleRows), sampleTime, server.Limits{Rows: server.SampleRows, Bytes: server.SampleBytes})
	if server.IsStatement(err) {
		return nil
	}
	if err == nil {
		t.Rows = r.Rows
	}
	return err
}

func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// harmless are privileges that change no data.
var harmless = []string{"USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES", "PROCESS", "REPLICATION CLIENT",
	"BINLOG MONITOR", "SLAVE MONITOR", "CREATE TEMPORARY TABLES", "LOCK TABLES", "REFERENCES"}

// maxRights is the maximum number of rights that Rights lists.
const maxRights = 3

// Rights lists what the user may change.
func (d *database) Rights(ctx context.Context) (out []string, err error) {
	var grants [][]string
	began := time.Now()
	err = d.with(ctx, func(c *connection) error {
		if grants, err = c.texts(ctx, "SHOW GRANTS"); err != nil {
			return d.explain(ctx, c, err, began, server.SchemaTime)
		}
		return nil
	})
	for _, grant := range grants {
		if right := writes(grant[0]); right != "" && len(out) < maxRights {
			out = append(out, right)
		}
	}
	return out, err
}

// writes returns what a grant allows to change, "" if nothing. A grant is a line such as GRANT SELECT, INSERT (price)
// ON `shop`.`orders` TO `reader`@`%`. One without ON is a role, whose own grants are lines too.
func writes(grant string) string {
	text, found := strings.CutPrefix(grant, "GRANT ")
	privileges, rest, on := strings.Cut(text, " ON ")
	if !found || !on {
		return ""
	}
	object, _, _ := strings.Cut(rest, " TO ")
	for _, p := range strings.Split(withoutColumns(privileges), ",") {
		if p = strings.TrimSpace(p); !slices.Contains(harmless, p) && p != "PROXY" {
			return "it has the privilege " + p + " on " + strings.ReplaceAll(object, "`", "")
		}
	}
	return ""
}

// withoutColumns removes the lists of columns in parentheses.
func withoutColumns(privileges string) string {
	var out strings.Builder
	depth := 0
	for _, r := range privileges {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0:
			out.WriteRune(r)
		}
	}
	return out.String()
}
