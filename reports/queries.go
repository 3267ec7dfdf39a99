package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// ofQueries returns the columns about a query for every format. run is the name of the run in the command that
// shows the query's traces.
func ofQueries(run string, rows *store.Rows) []document.Column[store.Record] {
	several := rows.Several()
	owner := ""
	if several {
		owner = "configuration"
	}
	command := func(r store.Record) string {
		c := "concur trace " + run + " " + r.Query
		if several {
			c += " --configuration '" + strings.ReplaceAll(r.Configuration, "'", `'\''`) + "'"
		}
		return c
	}
	return []document.Column[store.Record]{
		{
			Header: owner, When: document.IfFilled,
			Text: func(r store.Record) document.RichText { return document.Quoted(r.Configuration) },
			Name: "configuration", Value: func(r store.Record) any { return r.Configuration },
		},
		{
			Header: "query", When: document.IfFilled,
			Text: func(r store.Record) document.RichText { return document.Quoted(r.Query) },
			Name: "query", Value: func(r store.Record) any { return r.Query },
		},
		{Name: "category", Value: func(r store.Record) any { return r.Category }},
		{Name: "question", Value: func(r store.Record) any { return r.Question }},
		{
			Header: "expected", When: document.IfFilled, Most: document.MaxAnswer,
			Text: func(r store.Record) document.RichText { return document.Quoted(r.Expected) },
			Name: "expected", Value: func(r store.Record) any { return r.Expected },
		},
		{
			Header: "answer", When: document.IfFilled, Most: document.MaxAnswer,
			Text: func(r store.Record) document.RichText { return document.Quoted(r.Decided()) },
			Name: "answer", Value: func(r store.Record) any { return r.Decided() },
		},
		{
			Header: "votes", When: document.IfFilled, Leaves: 1,
			Text: func(r store.Record) document.RichText { return document.Quoted(votes(r)) },
			Name: "votes", Value: func(r store.Record) any { return votes(r) },
		},
		{
			Header: "verdict",
			Text:   verdictOf,
			Name:   "verdict", Value: func(r store.Record) any { return string(r.Verdict.Verdict) },
		},
		{
			Header: "reason", When: document.IfFilled, Most: document.MaxReason, Leaves: 3,
			Text: func(r store.Record) document.RichText { return document.Quoted(r.Verdict.Reason) },
			Name: "reason", Value: func(r store.Record) any { return r.Verdict.Reason },
		},
		{
			Header: "consensus",
			Leaves: 2,
			Text:   func(r store.Record) document.RichText { return document.Mixed(string(r.Consensus.Method)) },
		},
		{Name: "steps", Value: func(r store.Record) any { // per trace, on average
			steps := 0.0
			for _, a := range r.Answers {
				steps += float64(a.Steps) / float64(len(r.Answers))
			}
			return steps
		}},
		// For all traces, verifier and judges.
		{Name: "tokens", Value: func(r store.Record) any { return r.Usage.InputTokens + r.Usage.OutputTokens }},
		{Name: "usd", Value: func(r store.Record) any { return r.Usage.USD }},
		{Name: "trace", Value: func(r store.Record) any { return command(r) }},
	}
}

func queries(rows *store.Rows) (*document.Table, error) {
	return document.TabulateEach(nil, ofQueries("", rows), rows.Records())
}

func verdictOf(r store.Record) document.RichText {
	v := document.Mixed(string(r.Verdict.Verdict))
	switch r.Verdict.Verdict {
	case judge.Correct:
		return v.Toned(document.Good)
	case judge.Incorrect:
		return v.Toned(document.Bad)
	}
	return v.Toned(document.Doubtful)
}

// WriteRows writes a row per record: all columns in CSV and JSON, a selection in text and Markdown. CSV and
// JSON are written while the records are read.
func WriteRows(w io.Writer, f document.Format, run string, rows *store.Rows, s document.Screen) error {
	switch f {
	case document.FormatTable, document.FormatMarkdown:
		t, err := queries(rows)
		if err != nil {
			return err
		}
		if f == document.FormatMarkdown {
			return document.WriteMarkdown(w, document.Document{Details: document.Captioned(t)})
		}
		return s.Write(w, document.Document{Details: document.Captioned(t)})
	case document.FormatCSV:
		return document.WriteCSV(w, ofQueries(run, rows), rows.Records())
	case document.FormatJSON:
		return rowsJSON(w, run, rows)
	}
	return fmt.Errorf(
		"write rows of queries: the format %q has no rows; choose one of %s",
		f,
		strings.Join(document.Formats(), ", "),
	)
}

// rowsJSON writes the rows as one JSON document, one row at a time.
func rowsJSON(w io.Writer, run string, rows *store.Rows) error {
	const mark = "\n  \"queries\": []"
	var b bytes.Buffer
	if err := document.WriteJSON(&b, struct {
		Schema  string            `json:"schema"`
		Run     string            `json:"run"`
		Queries []json.RawMessage `json:"queries"`
	}{"concur/queries/v1", run, []json.RawMessage{}}); err != nil {
		return err
	}
	head, tail, _ := strings.Cut(b.String(), mark)
	out := bufio.NewWriter(w)
	out.WriteString(head + strings.TrimSuffix(mark, "]")) // out keeps an error until the end
	columns, between := ofQueries(run, rows), "\n    "
	for r, err := range rows.Records() {
		if err != nil {
			return err
		}
		raw, err := document.EncodeObject(columns, r)
		if err == nil {
			raw, err = json.MarshalIndent(raw, "    ", "  ")
		}
		if err != nil {
			return fmt.Errorf("encode rows of queries: %w", err)
		}
		out.WriteString(between)
		out.Write(raw)
		between = ",\n    "
	}
	if rows.Len() > 0 {
		out.WriteString("\n  ")
	}
	out.WriteString("]" + tail)
	return out.Flush()
}

// votes formats the size of every class and the number of traces that did not vote, such as "2+1" or "2 · 1
// no_answer".
func votes(r store.Record) string {
	sizes := make([]string, len(r.Consensus.Votes))
	for i, v := range r.Consensus.Votes {
		sizes[i] = fmt.Sprint(len(v.Traces))
	}
	parts := []string{}
	if len(sizes) > 0 {
		parts = append(parts, strings.Join(sizes, "+"))
	}
	for _, o := range []trace.Outcome{trace.NoAnswer, trace.Infra} {
		n := 0
		for _, a := range r.Answers {
			if a.Outcome == o {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	return strings.Join(parts, " · ")
}
