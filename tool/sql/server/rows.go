package server

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/tool/sql/engine"
)

// Sizes at which values without text count.
const (
	numberSize = 8
	nullSize   = 1
)

// Value is a value as JSON can hold it, and its size in bytes for the limit.
type Value struct {
	JSON any
	Size int
}

// Null is NULL.
var Null = Value{nil, nullSize}

// Text returns a text. Bytes that are no UTF-8 are replaced.
func Text(raw []byte) Value { return Value{strings.ToValidUTF8(string(raw), "\uFFFD"), len(raw)} }

// Blob returns bytes of the given number, which are shown as their number only.
func Blob(size int) Value { return Value{fmt.Sprintf("[blob of %d bytes]", size), numberSize} }

// Number returns a number as it is written, with all its digits. NaN and infinities, which JSON does not have, are
// texts.
func Number(text string) Value {
	size := max(numberSize, len(text))
	if json.Valid([]byte(text)) {
		return Value{json.Number(text), size}
	}
	return Value{text, size}
}

// Float returns a floating-point number of bits (32 or 64) in as few digits as identify it.
func Float(f float64, bits int) Value {
	text := strconv.FormatFloat(f, 'g', -1, bits)
	switch text {
	case "+Inf":
		text = "Infinity"
	case "-Inf":
		text = "-Infinity"
	}
	return Number(text)
}

// Bool returns true or false.
func Bool(b bool) Value { return Value{b, nullSize} }

// Collector makes a result of rows, up to the limits.
type Collector struct {
	limits Limits
	size   int
	Result *engine.Result
}

// NewCollector returns a collector for rows with these columns and types.
func NewCollector(columns, types []string, limits Limits) *Collector {
	return &Collector{limits, 0, &engine.Result{Columns: columns, Types: types, Rows: [][]any{}}}
}

// Add adds a row. It returns false if the row exceeds a limit: then the result is complete.
func (c *Collector) Add(row []Value) bool {
	if len(c.Result.Rows) >= c.limits.Rows {
		c.Result.Cut = "rows"
		return false
	}
	values := make([]any, len(row))
	for i, v := range row {
		values[i], c.size = v.JSON, c.size+v.Size
	}
	if c.size > c.limits.Bytes {
		c.Result.Cut = "bytes"
		return false
	}
	c.Result.Rows = append(c.Result.Rows, values)
	return true
}

// Finish returns the result. The error is a *engine.StatementError if not even one row is within the limits.
func (c *Collector) Finish() (*engine.Result, error) {
	if c.Result.Cut == "bytes" && len(c.Result.Rows) == 0 {
		return nil, TooWide(c.limits.Bytes)
	}
	return c.Result, nil
}

// TooWide is the error of a row with more bytes than the limit.
func TooWide(bytes int) error {
	return &engine.StatementError{Text: fmt.Sprintf("the first row has more than %d bytes: select fewer columns, or "+
		"parts of them by substring()", bytes)}
}
