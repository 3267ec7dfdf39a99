package document

import (
	"encoding/json"
	"fmt"
	"io"
)

// Format is a form in which results are written.
type Format string

// Formats of results. CSV has one row of plain numbers per configuration; JSON is the Result. Neither depends
// on Options.
const (
	FormatTable    Format = "table"
	FormatMarkdown Format = "markdown"
	FormatCSV      Format = "csv"
	FormatJSON     Format = "json"
	FormatJUnit    Format = "junit" // of runs and gates, for CI systems
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
