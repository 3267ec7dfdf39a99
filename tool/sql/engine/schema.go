package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// Table describes a table or view.
type Table struct {
	Name    string   `json:"name"`
	View    bool     `json:"view,omitempty"`
	Columns []Column `json:"columns"`
	// Links name the columns that refer to other tables, such as customer → customers.id.
	Links []string `json:"links,omitempty"`
	Rows  [][]any  `json:"rows"` // the first rows
}

// Column describes a column.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`          // as declared; may be ""
	Key  bool   `json:"key,omitempty"` // part of the primary key
}

// Limits of a schema.
const (
	sampleRows  = 3
	sampleBytes = 2000
)

// readTables describes all tables, before the connection is locked.
func (c *connection) readTables() ([]Table, error) {
	var tables []Table
	err := c.each("SELECT name, type = 'view' FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view') "+
		"AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name", func(s *sqlite3.Stmt) {
		tables = append(tables, Table{Name: s.ColumnText(0), View: s.ColumnBool(1)})
	})
	if err != nil {
		return nil, err
	}
	for i := range tables {
		if err := c.describe(&tables[i]); err != nil {
			return nil, fmt.Errorf("table %s: %w", tables[i].Name, err)
		}
	}
	return tables, nil
}

// describe reads columns, links and the first rows of a table.
func (c *connection) describe(t *Table) error {
	err := c.each("SELECT name, type, pk > 0 FROM pragma_table_info("+sqlite3.Quote(t.Name)+")", func(s *sqlite3.Stmt) {
		t.Columns = append(t.Columns, Column{s.ColumnText(0), strings.ToLower(s.ColumnText(1)), s.ColumnBool(2)})
	})
	if err == nil {
		err = c.each(`SELECT "from", "table", "to" FROM pragma_foreign_key_list(`+sqlite3.Quote(t.Name)+")",
			func(s *sqlite3.Stmt) {
				t.Links = append(t.Links, fmt.Sprintf("%s → %s.%s", s.ColumnText(0), s.ColumnText(1),
					cmp.Or(s.ColumnText(2), "primary key")))
			})
	}
	if err != nil {
		return err
	}
	slices.Sort(t.Links)
	s, _, err := c.Prepare(fmt.Sprintf("SELECT * FROM %s LIMIT %d", sqlite3.QuoteIdentifier(t.Name), sampleRows))
	if err != nil {
		return err
	}
	defer s.Close()
	sample := (&connection{Conn: c.Conn, setup: Setup{Rows: sampleRows, Bytes: sampleBytes}}).rows(s)
	t.Rows = sample.Rows
	return s.Err()
}

// each runs a statement of ours and calls do with each row.
func (c *connection) each(statement string, do func(*sqlite3.Stmt)) error {
	s, _, err := c.Prepare(statement)
	if err != nil {
		return err
	}
	defer s.Close()
	for s.Step() {
		do(s)
	}
	return s.Err()
}

// known chooses the tables that are shown. The error is about a name that no table has.
func (c *connection) known(names []string) error {
	if len(names) == 0 {
		c.shown = c.tables
		return nil
	}
	var kept []Table
	for _, name := range names {
		at := slices.IndexFunc(c.tables, func(t Table) bool { return strings.EqualFold(t.Name, name) })
		if at < 0 {
			var all []string
			for _, t := range c.tables {
				all = append(all, t.Name)
			}
			return fmt.Errorf("the database has no table %q: it has %s", name, strings.Join(all, ", "))
		}
		kept = append(kept, c.tables[at])
	}
	c.shown = kept
	return nil
}
