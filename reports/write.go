package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
	"github.com/seed-5817661a/concur/runner/store"
)

// Options select the optional parts of a report.
type Options struct {
	// Records are the records for the table of single queries, in their order; nil omits the table. Only the
	// records that are shown are read.
	Records *store.Rows
	Right   int  // number of right records that Records leaves out, because the table does not show them
	All     bool // also the right queries, after the others
	Wide    bool // every column
	Explain bool // add how to read the tables, and the basis of the figures
	Notes   []ModelNote
	Show    Sections
	Screen  document.Screen
}

// Sections select tables that are shown on demand.
type Sections struct {
	Flips      bool // queries with a different verdict than the baseline
	ByCategory bool // correct queries by category; always shown for a single configuration
	KCurve     bool // the figures for fewer traces
	Steps      bool // the effort of correct traces, compared with the least that was needed
	Confidence bool // how often agreeing answers are right
	ToolUse    bool // calls, failures and worth of each tool; always shown for the ablation of tools
}

// Write writes a result: a table for each question, and a conclusion in sentences.
func Write(w io.Writer, f document.Format, r *result.Result, o Options) error {
	switch f {
	case document.FormatTable, document.FormatMarkdown:
		d, err := compose(Titled(result.Together(r)), o)
		if err != nil {
			return err
		}
		if f == document.FormatMarkdown {
			return document.WriteMarkdown(w, d)
		}
		return o.Screen.Write(w, d)
	case document.FormatCSV:
		rows := rowsOf(r)
		return document.WriteCSV(w, sheetOf(r, rows), document.Sequence(rows))
	case document.FormatJSON:
		return document.WriteJSON(w, r)
	}
	return fmt.Errorf("write result: there is no format %q; there are %s", f, strings.Join(document.Formats(), ", "))
}

// sheetOf describes the CSV form of a result.
func sheetOf(r *result.Result, rows []tableRow) []document.Column[tableRow] {
	out := []document.Column[tableRow]{
		{Name: "name", Value: func(r tableRow) any { return r.Name }},
		{Name: "title", Value: func(r tableRow) any { return r.Title }},
	}
	for _, t := range topics(r, rows, &notes{}) {
		out = append(out, t.columns...)
	}
	out = append(out, toolSheet(r)...)
	for _, name := range r.Dataset.Categories {
		out = append(
			out,
			document.Column[tableRow]{Name: "correct:" + name, Value: func(r tableRow) any {
				if c := r.ByCategory[name]; c.Missing == 0 || c.Missing < c.Queries {
					return c.Correct
				}
				return nil
			}},
			document.Column[tableRow]{
				Name:  "queries:" + name,
				Value: func(r tableRow) any { return r.ByCategory[name].Queries },
			},
			document.Column[tableRow]{
				Name:  "missing:" + name,
				Value: func(r tableRow) any { return r.ByCategory[name].Missing },
			},
		)
	}
	return out
}

// maxTitle is the maximum number of characters of a name in the tables of a single configuration.
const maxTitle = 28

// compose lays out the content of a report, for the formats that people read.
func compose(r *result.Result, o Options) (d document.Document, err error) {
	rows := rowsOf(r)
	n := notesOn(r, rows, o.Notes)
	if o.Records != nil && o.Records.Len()+o.Right > 0 {
		if d.Details, err = failures(o.Records, o); err != nil {
			return d, err
		}
	}
	d.Details = append(d.Details, sections(r, o.Show)...)
	d.Headline = []document.Section{{Lines: origins(r, rows, n)}}
	if len(r.Runs) > 0 { // above the figures of two runs
		d.Headline = append(d.Headline, document.Section{Lines: differing(rows)})
		d.Headline = append(d.Headline, requests(rows)...)
	}
	for _, t := range topics(r, rows, n) {
		name := document.Column[tableRow]{Header: t.title, Text: func(r tableRow) document.RichText {
			return document.Concat(document.Quoted(r.Name), document.Plain(r.marks))
		}}
		switch {
		case len(rows) == 1: // the name is above the tables too
			name.Text = func(r tableRow) document.RichText {
				return document.Concat(document.Quoted(document.Shorten(r.Name, maxTitle)), document.Plain(r.marks))
			}
		case namedByModel(rows):
			name.Text = func(r tableRow) document.RichText {
				return document.Concat(n.describeAgent(r.Configuration), document.Plain(r.marks))
			}
		}
		columns := append([]document.Column[tableRow]{name}, t.columns...)
		if !o.Wide {
			columns = document.WithoutWide(columns)
		}
		if made := document.Tabulate(nil, columns, rows); len(made.Columns) > 1 {
			d.Headline = append(d.Headline, document.Section{Table: made})
		}
	}
	if o.Explain || slices.ContainsFunc(rows, func(r tableRow) bool { return r.Pass != "" && r.Pass != judge.PassGold }) {
		n.general = append(n.general, judges(rows, n)...)
	}
	if r.Ablation != "" && len(rows) == 1 {
		n.general = append(n.general, document.Concat(document.Plain("ablation "), document.Quoted(r.Ablation),
			document.Plain(" has one configuration, so nothing was compared")))
	}
	n.general = append(n.general, votesWorth(rows, o.Explain)...)
	n.general = append(n.general, readings(r, rows)...)
	if o.Explain {
		n.general = append(n.general, explanations(r, rows)...)
	}
	d.Headline = document.WithoutEmpty(append(d.Headline, document.Section{Lines: n.lines()})...)
	d.Closing = closing(r, rows)
	return d, nil
}

// mostFailures is the maximum number of failed queries in a report without Options.All.
const mostFailures = 15

// failures returns the table of the failed queries and, with All, of the others after them.
func failures(records *store.Rows, o Options) ([]document.Section, error) {
	shown := records.Where(func(r store.Row) bool { return r.Verdict != judge.Correct })
	right, failed := records.Len()-shown.Len()+o.Right, shown.Len()
	if o.All {
		shown, right = records.WrongFirst(), o.Right
	} else {
		shown = shown.First(mostFailures)
	}
	var hidden []string
	if n := failed - shown.Len(); n > 0 {
		hidden = append(hidden, figures.Whole(n)+" more that are not right")
	}
	if right > 0 {
		hidden = append(hidden, text.Counted(right, "right query"))
	}
	var lines []document.RichText
	if len(hidden) > 0 {
		lines = []document.RichText{document.Plain(strings.Join(hidden, " and ") + ": --all shows them")}
	}
	t, err := queries(shown)
	if err != nil {
		return nil, err
	}
	return document.Captioned(t, lines...), nil
}
