package postgres

import (
	"context"
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/seed-5817661a/concur/tool/sql/server"
)

//go:embed types.tsv
var typeTable string

// kind is a type of PostgreSQL: its name, and how its values are shown.
type kind struct{ name, form string }

// The forms of values in types.tsv.
const (
	number = "number"
	truth  = "boolean"
	blob   = "blob"
	plain  = "text"
)

var kinds = sync.OnceValue(func() map[uint32]kind {
	out := map[uint32]kind{}
	for line := range strings.Lines(typeTable) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if n, err := strconv.ParseUint(fields[0], 10, 32); err == nil && len(fields) == 3 {
			out[uint32(n)] = kind{fields[1], fields[2]}
		}
	}
	return out
})

// rows collects rows in PostgreSQL's text format.
type rows struct {
	*server.Collector
	types []uint32
}

func describe(m *pgproto3.RowDescription, limits server.Limits) *rows {
	r := &rows{types: make([]uint32, len(m.Fields))}
	columns, types := make([]string, len(m.Fields)), make([]string, len(m.Fields))
	for i, f := range m.Fields {
		columns[i], r.types[i], types[i] = string(f.Name), f.DataTypeOID, kinds()[f.DataTypeOID].name
	}
	r.Collector = server.NewCollector(columns, types, limits)
	return r
}

func (r *rows) add(values [][]byte) bool {
	row := make([]server.Value, len(values))
	for i, raw := range values {
		row[i] = valueOf(kinds()[r.types[i]].form, raw)
	}
	return r.Add(row)
}

func valueOf(form string, raw []byte) server.Value {
	if raw == nil {
		return server.Null
	}
	switch form {
	case number:
		return server.Number(string(raw))
	case truth:
		return server.Bool(string(raw) == "t")
	case blob:
		return server.Blob(max(0, len(raw)-len(`\x`)) / 2)
	}
	return server.Text(raw)
}

// nameTypes asks the server for the names of types that are not in the table, such as enums and types of extensions.
func (d *database) nameTypes(ctx context.Context, c *pgconn.PgConn, r *rows) error {
	for i, number := range r.types {
		if r.Result.Types[i] != "" {
			continue
		}
		d.mu.Lock()
		name := d.names[number]
		d.mu.Unlock()
		if name == "" {
			result := c.ExecParams(ctx, "SELECT pg_catalog.format_type($1, NULL)",
				[][]byte{[]byte(strconv.FormatUint(uint64(number), 10))}, nil, nil, nil).Read()
			if result.Err != nil {
				return result.Err
			}
			name = string(result.Rows[0][0])
			d.mu.Lock()
			d.names[number] = name
			d.mu.Unlock()
		}
		r.Result.Types[i] = name
	}
	return nil
}
