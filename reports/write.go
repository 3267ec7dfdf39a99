package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
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
)

// Formats lists the names of the formats.
func Formats() []string {
	return []string{string(FormatTable), string(FormatMarkdown), string(FormatCSV), string(FormatJSON)}
}

// Options select the parts of a table or a page beside the configurations.
type Options struct {
	// Records are the records for the table of single queries, in their order; nil leaves it out. Only those that
	// are shown are read.
	Records *store.Rows
	All     bool // the right queries too, after the others
	Wide    bool // every column
	Explain bool // how to read the tables, and the basis of the figures
	Notes   []Note
	Show    Sections
	Screen  Screen
}

// Sections select tables that are shown on demand.
type Sections struct {
	Flips      bool // queries with a different verdict than the baseline
	ByCategory bool // correct queries by category; a single configuration has them anyway
	KCurve     bool // the figures for fewer traces
	Steps      bool // the effort of correct traces, compared with the least that was needed
	Confidence bool // how reliable agreement is
}

// Write writes a result: a table for each question, and a conclusion in sentences.
func Write(w io.Writer, f Format, r *result.Result, o Options) error {
	switch f {
	case FormatTable, FormatMarkdown:
		d, err := compose(Titled(result.Together(r)), o)
		if err != nil {
			return err
		}
		if f == FormatMarkdown {
			return writeMarkdown(w, d)
		}
		return o.Screen.write(w, d)
	case FormatCSV:
		rows := rowsOf(r)
		return writeCSV(w, sheetOf(r, rows), sequence(rows))
	case FormatJSON:
		return JSON(w, r)
	}
	return fmt.Errorf("write result: there is no format %q; there are %s", f, strings.Join(Formats(), ", "))
}

// JSON writes a result, or any other value, as one JSON document.
func JSON(w io.Writer, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode JSON: %w", err)
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}

// sheetOf describes the CSV form of a result.
func sheetOf(r *result.Result, rows []row) []Column[row] {
	out := []Column[row]{
		{Name: "name", Value: func(r row) any { return r.Name }},
		{Name: "title", Value: func(r row) any { return r.Title }},
	}
	for _, t := range topics(r, rows, &notes{}) {
		out = append(out, t.columns...)
	}
	for _, name := range r.Dataset.Categories {
		out = append(out,
			Column[row]{Name: "correct:" + name, Value: func(r row) any {
				if c := r.ByCategory[name]; c.Missing == 0 || c.Missing < c.Queries {
					return c.Correct
				}
				return nil
			}},
			Column[row]{Name: "queries:" + name, Value: func(r row) any { return r.ByCategory[name].Queries }},
			Column[row]{Name: "missing:" + name, Value: func(r row) any { return r.ByCategory[name].Missing }},
		)
	}
	return out
}

// maxTitle is the maximum number of characters of a name in the tables of a single configuration.
const maxTitle = 28

// compose lays out the content of a report, for the formats that people read.
func compose(r *result.Result, o Options) (d document, err error) {
	rows := rowsOf(r)
	n := notesOn(r, rows, o.Notes)
	if o.Records != nil && o.Records.Len() > 0 {
		if d.details, err = failures(o.Records, o); err != nil {
			return d, err
		}
	}
	d.details = append(d.details, sections(r, o.Show)...)
	d.headline = []part{{lines: origins(r, rows, n)}}
	if len(r.Runs) > 0 { // before the figures of two runs
		d.headline = append(d.headline, part{lines: differing(rows)})
	}
	for _, t := range topics(r, rows, n) {
		name := Column[row]{Header: t.title, Text: func(r row) line { return say(quoted(r.Name), plain(r.marks)) }}
		switch {
		case len(rows) == 1: // whose name is above the tables too
			name.Text = func(r row) line { return say(quoted(clip(r.Name, maxTitle)), plain(r.marks)) }
		case namedByModel(rows):
			name.Text = func(r row) line { return say(n.agent(r.Configuration), plain(r.marks)) }
		}
		columns := append([]Column[row]{name}, t.columns...)
		if !o.Wide {
			columns = narrowed(columns)
		}
		if made := tabulate(nil, columns, rows); len(made.columns) > 1 {
			d.headline = append(d.headline, part{table: made})
		}
	}
	if o.Explain || slices.ContainsFunc(rows, func(r row) bool { return r.Pass != "" && r.Pass != judge.PassGold }) {
		n.general = append(n.general, judges(rows, n)...)
	}
	if r.Ablation != "" && len(rows) == 1 {
		n.general = append(n.general, say(plain("ablation "), quoted(r.Ablation),
			plain(" has one configuration, so nothing was compared")))
	}
	n.general = append(n.general, worths(rows, o.Explain)...)
	n.general = append(n.general, readings(r, rows)...)
	if o.Explain {
		n.general = append(n.general, explanations(r, rows)...)
	}
	d.headline = filled(append(d.headline, part{lines: n.lines()})...)
	d.closing = closing(r, rows)
	return d, nil
}

// mostFailures is the number of failed queries in a report, unless all are requested.
const mostFailures = 15

// failures returns the table of the failed queries and, with All, of the others after them.
func failures(records *store.Rows, o Options) ([]part, error) {
	shown := records.Where(func(r store.Row) bool { return r.Verdict != judge.Correct })
	right, failed := records.Len()-shown.Len(), shown.Len()
	if o.All {
		shown, right = records.WrongFirst(), 0
	} else {
		shown = shown.First(mostFailures)
	}
	var hidden []string
	if n := failed - shown.Len(); n > 0 {
		hidden = append(hidden, whole(n)+" more that are not right")
	}
	if right > 0 {
		hidden = append(hidden, text.Counted(right, "right query"))
	}
	var lines []line
	if len(hidden) > 0 {
		lines = []line{plain(strings.Join(hidden, " and ") + ": --all shows them")}
	}
	t, err := queries(shown)
	if err != nil {
		return nil, err
	}
	return captioned(t, lines...), nil
}
