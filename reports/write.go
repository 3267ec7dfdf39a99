package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/store"
)

// Format is a form in which results are written.
type Format string

// The formats. CSV has one row of plain numbers per configuration; JSON is the Result.
// Neither depends on Options.
const (
	FormatTable    Format = "table"
	FormatMarkdown Format = "markdown"
	FormatCSV      Format = "csv"
	FormatJSON     Format = "json"
)

// Formats lists the names of the formats.
func Formats() []string {
	return []string{string(FormatTable), string(FormatMarkdown), string(FormatCSV), string(FormatJSON)}
}

// Options say what a table or a page shows besides the configurations.
type Options struct {
	// Records are for the table of single queries, in their order; nil leaves it out.
	Records []store.Record
	// FailuresOnly leaves the correct ones out of that table.
	FailuresOnly bool
	Notes        []Note
	Show         Sections
}

// Sections are tables that are shown on demand.
type Sections struct {
	Flips      bool // the queries whose verdict is not the baseline's
	ByCategory bool // correct queries by category; a single configuration has them anyway
	KCurve     bool // what fewer traces would have given
	Steps      bool // what correct traces took, against the fewest that were enough
	Confidence bool // how far agreement can be trusted
}

// Write writes a result: one wide row for a single configuration, and for several how
// they compare.
func Write(w io.Writer, f Format, r *result.Result, o Options) error {
	switch f {
	case FormatTable:
		return writeText(w, compose(r, o))
	case FormatMarkdown:
		return writeMarkdown(w, compose(r, o))
	case FormatCSV:
		return writeCSV(w, r)
	case FormatJSON:
		return JSON(w, r)
	}
	return fmt.Errorf("write result: there is no format %q; there are %s", f, strings.Join(Formats(), ", "))
}

// Summary writes the table of a result for a terminal, and beneath it how to read the
// figures, notes on the models in it, and the warnings.
func Summary(w io.Writer, r *result.Result, notes []Note) error {
	return Write(w, FormatTable, r, Options{Notes: notes})
}

// JSON writes a result, or whatever else a command shows, as one JSON document.
func JSON(w io.Writer, shown any) error {
	raw, err := json.MarshalIndent(shown, "", "  ")
	if err != nil {
		return fmt.Errorf("encode result: %w", err)
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}

// compose lays out what a report says, for the formats that people read.
func compose(r *result.Result, o Options) document {
	notes := remarksOn(r, o.Notes)
	var d document
	d.headline = single(r, notes)
	if len(r.Configurations) > 1 {
		d.headline = several(r, notes)
	}
	if t := queries(o.Records, o.FailuresOnly); len(t.rows) > 0 {
		d.details = append(d.details, part{table: t})
	}
	d.details = append(d.details, sections(r, o.Show)...)
	return d
}
