package document

import (
	"encoding/json"
	"fmt"
	"io"
)

// Format is an output format of results.
type Format string

// The formats of results. CSV has one row of plain numbers per configuration; JSON is the Result. Options do
// not change these two.
const (
	FormatTable    Format = "table"
	FormatMarkdown Format = "markdown"
	FormatCSV      Format = "csv"
	FormatJSON     Format = "json"
	FormatJUnit    Format = "junit" // for runs and gates, read by CI systems
)

// Formats lists the names of the formats.
func Formats() []string {
	return []string{string(FormatTable), string(FormatMarkdown), string(FormatCSV), string(FormatJSON)}
}

// WriteJSON writes a result, or any other value, as one JSON document.
func WriteJSON(w io.Writer, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode JSON: %w", err)
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}
