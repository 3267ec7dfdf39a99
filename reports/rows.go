package reports

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/store"
)

// QueryRow is what became of one query, in a form for spreadsheets and scripts.
type QueryRow struct {
	Configuration string   `json:"configuration"`
	Query         string   `json:"query"`
	Category      string   `json:"category"`
	Question      string   `json:"question"`
	Expected      string   `json:"expected"`
	Answer        string   `json:"answer"` // or the outcome in brackets
	Votes         string   `json:"votes"`  // the sizes of the classes, such as 2+1
	Verdict       string   `json:"verdict"`
	Reason        string   `json:"reason"`
	Steps         float64  `json:"steps"`  // a trace, on average
	Tokens        int      `json:"tokens"` // of all traces, of verifier and judges
	USD           *float64 `json:"usd"`    // nil without a price
	Trace         string   `json:"trace"`  // the command that shows what the agent did
}

func queryRow(run string, r store.Record) QueryRow {
	row := QueryRow{
		Configuration: r.Configuration, Query: r.Query, Category: r.Category, Question: r.Question, Expected: r.Expected, Answer: Decided(r),
		Votes: votes(r), Verdict: string(r.Verdict.Verdict), Reason: r.Verdict.Reason,
		Tokens: r.Usage.InputTokens + r.Usage.OutputTokens, USD: r.Usage.USD, Trace: "concur trace " + run + " " + r.Query,
	}
	for _, a := range r.Answers {
		row.Steps += float64(a.Steps) / float64(len(r.Answers))
	}
	return row
}

// WriteRows writes a row per record: as CSV or JSON all of QueryRow, as text or Markdown the
// columns that people look at.
func WriteRows(w io.Writer, f Format, run string, records []store.Record) error {
	switch f {
	case FormatTable, FormatMarkdown:
		d := document{details: []part{{table: queries(records, false)}}}
		if f == FormatMarkdown {
			return writeMarkdown(w, d)
		}
		return writeText(w, d)
	case FormatCSV, FormatJSON:
	default:
		return fmt.Errorf("write rows of queries: the format %q has none; there are %s", f, strings.Join(Formats(), ", "))
	}
	several := slices.ContainsFunc(records, func(r store.Record) bool { return r.Configuration != records[0].Configuration })
	rows := make([]QueryRow, len(records))
	for i, r := range records {
		rows[i] = queryRow(run, r)
		if several {
			rows[i].Trace += " --configuration '" + strings.ReplaceAll(r.Configuration, "'", `'\''`) + "'"
		}
	}
	var b bytes.Buffer
	if f == FormatCSV {
		lines := csv.NewWriter(&b)
		lines.Write(csvNames())
		for _, row := range rows {
			lines.Write(csvCells(row))
		}
		lines.Flush() // a buffer takes everything
	} else {
		enc := json.NewEncoder(&b)
		enc.SetIndent("", "  ")
		if err := enc.Encode(struct {
			Schema  string     `json:"schema"`
			Run     string     `json:"run"`
			Queries []QueryRow `json:"queries"`
		}{"concur/queries/v1", run, rows}); err != nil {
			return fmt.Errorf("encode rows of queries: %w", err)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func csvNames() []string {
	t := reflect.TypeFor[QueryRow]()
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Tag.Get("json")
	}
	return names
}

func csvCells(row QueryRow) []string {
	v := reflect.ValueOf(row)
	cells := make([]string, v.NumField())
	for i := range cells {
		switch x := v.Field(i).Interface().(type) {
		case string:
			cells[i] = sheet(x)
		case int:
			cells[i] = whole(x)
		case float64:
			cells[i] = number(&x)
		case *float64:
			cells[i] = number(x)
		}
	}
	return cells
}
