//go:build parquet

package sql

import (
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/seed-5817661a/concur/tool/sql/engine"
)

// batch is the number of rows that are read at once.
const batch = 64

// readParquet reads a flat table with its types. The library panics on some damaged files; such a panic is returned
// as an error.
func readParquet(r io.Reader, sum hash.Hash, t *engine.Table) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the Parquet file is damaged: %v; copy it again", p)
		}
	}()
	f, placed := r.(io.ReaderAt)
	if !placed {
		return errors.New("a Parquet file must be a file of yours: copy it to a folder")
	}
	size, err := io.Copy(sum, r)
	if err != nil {
		return err
	}
	opened, err := parquet.OpenFile(f, size)
	if err != nil {
		return fmt.Errorf("not a Parquet file, or cut off: %w; copy the file again", err)
	}
	fields := opened.Schema().Fields()
	head, cells := make([]string, len(fields)), make([]cell, len(fields))
	for i, field := range fields {
		head[i] = field.Name()
		if !field.Leaf() || field.Repeated() {
			return fmt.Errorf("the column %s has lists or objects: write its parts as columns", field.Name())
		}
		cells[i] = cellOf(field.Type())
	}
	if t.Columns, err = columnsOf(head); err != nil {
		return err
	}
	for i := range t.Columns {
		t.Columns[i].Type = cells[i].kind
	}
	rows := parquet.NewReader(opened)
	defer rows.Close()
	if err := readRows(rows, cells, t); err != nil {
		return err
	}
	for i := range t.Columns {
		keepDigits(t, i)
	}
	return nil
}

// keepDigits makes a column of integers a column of texts if SQLite cannot hold one of them as an integer.
func keepDigits(t *engine.Table, column int) {
	isText := func(row []any) bool { _, is := row[column].(string); return is }
	if t.Columns[column].Type != "INTEGER" || !slices.ContainsFunc(t.Rows, isText) {
		return
	}
	t.Columns[column].Type = "TEXT"
	for _, row := range t.Rows {
		if row[column] != nil {
			row[column] = fmt.Sprint(row[column])
		}
	}
}

func readRows(rows *parquet.Reader, cells []cell, t *engine.Table) error {
	buffer, bytes := make([]parquet.Row, batch), 0
	for {
		n, err := rows.ReadRows(buffer)
		for _, values := range buffer[:n] {
			row := make([]any, len(cells))
			for _, v := range values {
				if !v.IsNull() {
					row[v.Column()] = cells[v.Column()].value(v)
					bytes += sizeOf(row[v.Column()])
				}
			}
			if bytes > maxFile { // a small file can hold a huge table
				return errors.New("the table has more than 1 GiB of values: load it into an SQLite file")
			}
			t.Rows = append(t.Rows, row)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("row %d: %w; copy the file again", len(t.Rows)+1, err)
		}
	}
}

// sizeOf returns about how many bytes a value takes in memory.
func sizeOf(value any) int {
	const header = 24
	switch v := value.(type) {
	case string:
		return header + len(v)
	case []byte:
		return header + len(v)
	}
	return header
}

// cell says how the values of a column become values of SQLite, which has integers, floating-point numbers, texts and
// bytes. Times and decimals with many digits are texts.
type cell struct {
	kind  string
	value func(parquet.Value) any
}

// The layouts of times, which SQLite's functions for dates read.
const (
	moment = "2006-01-02 15:04:05.999999999"
	clock  = "15:04:05.999999999"
)

// maxExact is the number of decimal digits that a floating-point number always keeps.
const maxExact = 15

// cellOf returns the cell of a type. https://github.com/apache/parquet-format/blob/master/LogicalTypes.md
func cellOf(t parquet.Type) cell {
	logical := t.LogicalType()
	if logical == nil {
		return plainCell(t)
	}
	switch l := logical.Value.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		return cell{"TEXT", func(v parquet.Value) any { return string(v.ByteArray()) }}
	case *format.UUIDType:
		return cell{"TEXT", func(v parquet.Value) any {
			b := v.ByteArray()
			return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
		}}
	case *format.DateType:
		return timeCell(time.DateOnly, func(v parquet.Value) time.Time { return time.Unix(integer(v)*24*60*60, 0) })
	case *format.TimestampType:
		return timeCell(moment, func(v parquet.Value) time.Time { return inUnit(v.Int64(), l.Unit) })
	case *format.TimeType:
		return timeCell(clock, func(v parquet.Value) time.Time { return inUnit(integer(v), l.Unit) })
	case *format.DecimalType:
		return decimalCell(l)
	case *format.IntType:
		if !l.IsSigned {
			return cell{"INTEGER", unsigned}
		}
	}
	return plainCell(t)
}

// unsigned returns an integer, or as a text one that SQLite cannot hold.
func unsigned(v parquet.Value) any {
	if v.Kind() == parquet.Int32 {
		return int64(v.Uint32())
	}
	if u := v.Uint64(); u > math.MaxInt64 {
		return strconv.FormatUint(u, 10)
	}
	return v.Int64()
}

// plainCell returns the cell of a type by the form in which it is stored.
func plainCell(t parquet.Type) cell {
	switch t.Kind() {
	case parquet.Boolean:
		return cell{"INTEGER", func(v parquet.Value) any {
			if v.Boolean() {
				return int64(1)
			}
			return int64(0)
		}}
	case parquet.Int32, parquet.Int64:
		return cell{"INTEGER", func(v parquet.Value) any { return integer(v) }}
	case parquet.Int96: // times of older programs
		return timeCell(moment, func(v parquet.Value) time.Time { return julian(v.Int96()) })
	case parquet.Float:
		return cell{"REAL", func(v parquet.Value) any {
			// The number that is written with the same digits: 0.1 and not 0.10000000149011612.
			f, err := strconv.ParseFloat(strconv.FormatFloat(float64(v.Float()), 'g', -1, 32), 64)
			if err != nil {
				return float64(v.Float())
			}
			return f
		}}
	case parquet.Double:
		return cell{"REAL", func(v parquet.Value) any { return v.Double() }}
	}
	return cell{"BLOB", func(v parquet.Value) any { return append([]byte{}, v.ByteArray()...) }}
}

func timeCell(layout string, of func(parquet.Value) time.Time) cell {
	return cell{"TEXT", func(v parquet.Value) any { return of(v).UTC().Format(layout) }}
}

func integer(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// inUnit returns the time of a number of units since 1970. A Duration of them could overflow.
func inUnit(n int64, u format.TimeUnit) time.Time {
	unit := time.Nanosecond
	if u.Value != nil {
		unit = u.Value.Duration()
	}
	perSecond := int64(time.Second / unit)
	return time.Unix(n/perSecond, n%perSecond*int64(unit))
}

// julian returns the time of a Julian day and the nanoseconds of the day.
func julian(v deprecated.Int96) time.Time {
	const epoch = 2440588 // January 1, 1970
	nanoseconds := int64(uint64(v[1])<<32 | uint64(v[0]))
	return time.Unix((int64(v[2])-epoch)*24*60*60, nanoseconds)
}

// decimalCell returns the cell of decimals: REAL if that keeps all digits, else TEXT.
func decimalCell(d *format.DecimalType) cell {
	digits := func(v parquet.Value) string { return decimal(unscaled(v), int(d.Scale)) }
	if d.Precision > maxExact {
		return cell{"TEXT", func(v parquet.Value) any { return digits(v) }}
	}
	return cell{"REAL", func(v parquet.Value) any {
		f, err := strconv.ParseFloat(digits(v), 64)
		if err != nil {
			return nil
		}
		return f
	}}
}

// unscaled returns the digits of a decimal as an integer: a number, or bytes of a two's complement.
func unscaled(v parquet.Value) *big.Int {
	switch v.Kind() {
	case parquet.Int32, parquet.Int64:
		return big.NewInt(integer(v))
	}
	raw := v.ByteArray()
	n := new(big.Int).SetBytes(raw)
	if len(raw) > 0 && raw[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(raw))))
	}
	return n
}

// decimal writes n divided by ten to the power of scale, with all digits.
func decimal(n *big.Int, scale int) string {
	return new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)).FloatString(scale)
}
