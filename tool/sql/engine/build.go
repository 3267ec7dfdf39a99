package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Build makes an SQLite file of tables. tables calls add with each table. A column with a type has int64, float64,
// string or []byte. A column without one has texts: if all are whole numbers it is INTEGER, if all are numbers REAL,
// else TEXT; a number with a leading zero or plus is text, because it is a code. nil is NULL.
func Build(file string, tables func(add func(Table) error) error) (err error) {
	c, err := sqlite3.Open("file:" + escape(file))
	if err != nil {
		return fmt.Errorf("make the database: %w", err)
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := c.Exec("PRAGMA journal_mode=off; PRAGMA synchronous=off; BEGIN"); err != nil {
		return err
	}
	if err := tables(func(t Table) error { return add(c, t) }); err != nil {
		return err
	}
	return c.Exec("COMMIT")
}

func add(c *sqlite3.Conn, t Table) error {
	columns, marks := make([]string, len(t.Columns)), make([]string, len(t.Columns))
	kinds := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		if kinds[i] = column.Type; kinds[i] == "" {
			kinds[i] = kindOf(t.Rows, i)
		}
		columns[i], marks[i] = sqlite3.QuoteIdentifier(column.Name)+" "+kinds[i], "?"
	}
	name := sqlite3.QuoteIdentifier(t.Name)
	if err := c.Exec(fmt.Sprintf("CREATE TABLE %s (%s)", name, strings.Join(columns, ", "))); err != nil {
		return err
	}
	s, _, err := c.Prepare(fmt.Sprintf("INSERT INTO %s VALUES (%s)", name, strings.Join(marks, ", ")))
	if err != nil {
		return err
	}
	defer s.Close()
	for _, row := range t.Rows {
		for i, value := range row {
			if err := bindValue(s, i+1, kinds[i], value); err != nil {
				return err
			}
		}
		if err := s.Exec(); err != nil {
			return err
		}
	}
	return nil
}

var (
	whole  = lazy.Compile(`^-?(0|[1-9]\d{0,17})$`)
	number = lazy.Compile(`^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$`)
)

// kindOf returns the type of a column of texts.
func kindOf(rows [][]any, column int) string {
	kind := ""
	for _, row := range rows {
		cell, filled := row[column].(string)
		switch {
		case !filled:
		case whole.MatchString(cell) && kind != "REAL":
			kind = "INTEGER"
		case number.MatchString(cell) && len(cell) <= 17:
			kind = "REAL"
		default:
			return "TEXT"
		}
	}
	if kind == "" {
		return "TEXT"
	}
	return kind
}

func bindValue(s *sqlite3.Stmt, at int, kind string, value any) error {
	switch v := value.(type) {
	case int64:
		return s.BindInt64(at, v)
	case float64:
		return s.BindFloat(at, v)
	case []byte:
		return s.BindBlob(at, v)
	}
	cell, filled := value.(string)
	switch {
	case !filled:
		return s.BindNull(at)
	case kind == "INTEGER":
		n, err := strconv.ParseInt(cell, 10, 64)
		if err != nil {
			return err
		}
		return s.BindInt64(at, n)
	case kind == "REAL":
		f, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return err
		}
		return s.BindFloat(at, f)
	}
	return s.BindText(at, cell)
}
