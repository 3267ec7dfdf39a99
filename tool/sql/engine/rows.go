package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// rows runs a prepared statement and reads its rows up to the limits.
func (c *connection) rows(s *sqlite3.Stmt) *Result {
	n := s.ColumnCount()
	r := &Result{Columns: make([]string, n), Types: make([]string, n), Rows: [][]any{}}
	for i := range n {
		r.Columns[i], r.Types[i] = s.ColumnName(i), strings.ToLower(s.ColumnDeclType(i))
	}
	size := 0
	for s.Step() {
		if len(r.Rows) >= c.setup.Rows {
			r.Cut = "rows"
			break
		}
		row := make([]any, n)
		for i := range n {
			value, bytes := valueOf(s, i)
			row[i], size = value, size+bytes
			if r.Types[i] == "" {
				r.Types[i] = typeNames[s.ColumnType(i)]
			}
		}
		if size > c.setup.Bytes {
			r.Cut = "bytes"
			break
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

// typeNames are SQLite's names of the types of values.
var typeNames = map[sqlite3.Datatype]string{
	sqlite3.INTEGER: "integer", sqlite3.FLOAT: "real", sqlite3.TEXT: "text", sqlite3.BLOB: "blob",
}

// numberSize is the size at which a number counts.
const numberSize = 8

// valueOf returns a value as JSON can hold it, and its size in bytes.
func valueOf(s *sqlite3.Stmt, column int) (any, int) {
	switch s.ColumnType(column) {
	case sqlite3.INTEGER:
		return json.Number(strconv.FormatInt(s.ColumnInt64(column), 10)), numberSize
	case sqlite3.FLOAT:
		f := s.ColumnFloat(column)
		switch {
		case math.IsInf(f, 1):
			return "Infinity", numberSize
		case math.IsInf(f, -1):
			return "-Infinity", numberSize
		}
		return f, numberSize
	case sqlite3.TEXT:
		text := s.ColumnRawText(column)
		return strings.ToValidUTF8(string(text), "\uFFFD"), len(text)
	case sqlite3.BLOB:
		return fmt.Sprintf("[blob of %d bytes]", len(s.ColumnRawBlob(column))), numberSize
	}
	return nil, 1
}
