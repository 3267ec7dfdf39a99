package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// maxAnswer and maxReason are the maximum numbers of characters of an answer, and of the reason for a verdict,
// in a terminal.
const (
	maxAnswer = 32
	maxReason = 44
)

// ofQueries returns the columns about a query for every format. The command that shows its traces contains the
// name of the run.
func ofQueries(run string, rows *store.Rows) []Column[store.Record] {
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
	return []Column[store.Record]{
		{
			Header: owner, When: ifFilled,
			Text: func(r store.Record) line { return quoted(r.Configuration) },
			Name: "configuration", Value: func(r store.Record) any { return r.Configuration },
		},
		{
			Header: "query", When: ifFilled,
			Text: func(r store.Record) line { return quoted(r.Query) },
			Name: "query", Value: func(r store.Record) any { return r.Query },
		},
		{Name: "category", Value: func(r store.Record) any { return r.Category }},
		{Name: "question", Value: func(r store.Record) any { return r.Question }},
		{
			Header: "expected", When: ifFilled, Most: maxAnswer,
			Text: func(r store.Record) line { return quoted(r.Expected) },
			Name: "expected", Value: func(r store.Record) any { return r.Expected },
		},
		{
			Header: "answer", When: ifFilled, Most: maxAnswer,
			Text: func(r store.Record) line { return quoted(Decided(r)) },
			Name: "answer", Value: func(r store.Record) any { return Decided(r) },
		},
		{
			Header: "votes", When: ifFilled, Leaves: 1,
			Text: func(r store.Record) line { return quoted(votes(r)) },
			Name: "votes", Value: func(r store.Record) any { return votes(r) },
		},
		{
			Header: "verdict",
			Text:   verdictOf,
			Name:   "verdict", Value: func(r store.Record) any { return string(r.Verdict.Verdict) },
		},
		{
			Header: "reason", When: ifFilled, Most: maxReason, Leaves: 3,
			Text: func(r store.Record) line { return quoted(r.Verdict.Reason) },
			Name: "reason", Value: func(r store.Record) any { return r.Verdict.Reason },
		},
		{Header: "consensus", Leaves: 2, Text: func(r store.Record) line { return blend(string(r.Consensus.Method)) }},
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

func queries(rows *store.Rows) (*table, error) {
	return tabulateEach(nil, ofQueries("", rows), rows.Records())
}

func verdictOf(r store.Record) line {
	v := blend(string(r.Verdict.Verdict))
	switch r.Verdict.Verdict {
	case judge.Correct:
		return v.in(good)
	case judge.Incorrect:
		return v.in(bad)
	}
	return v.in(doubtful)
}

// WriteRows writes a row per record: all data in CSV and JSON, a selection for people in text and Markdown. CSV and
// JSON are written while the records are read.
func WriteRows(w io.Writer, f Format, run string, rows *store.Rows, s Screen) error {
	switch f {
	case FormatTable, FormatMarkdown:
		t, err := queries(rows)
		if err != nil {
			return err
		}
		if f == FormatMarkdown {
			return writeMarkdown(w, document{details: captioned(t)})
		}
		return s.write(w, document{details: captioned(t)})
	case FormatCSV:
		return writeCSV(w, ofQueries(run, rows), rows.Records())
	case FormatJSON:
		return rowsJSON(w, run, rows)
	}
	return fmt.Errorf("write rows of queries: the format %q has none; there are %s", f, strings.Join(Formats(), ", "))
}

// rowsJSON writes the document that JSON writes, one row at a time.
func rowsJSON(w io.Writer, run string, rows *store.Rows) error {
	const mark = "\n  \"queries\": []"
	var b bytes.Buffer
	if err := JSON(&b, struct {
		Schema  string            `json:"schema"`
		Run     string            `json:"run"`
		Queries []json.RawMessage `json:"queries"`
	}{"concur/queries/v1", run, []json.RawMessage{}}); err != nil {
		return err
	}
	head, tail, _ := strings.Cut(b.String(), mark)
	out := bufio.NewWriter(w)
	out.WriteString(head + strings.TrimSuffix(mark, "]")) // an error is kept until the end
	columns, between := ofQueries(run, rows), "\n    "
	for r, err := range rows.Records() {
		if err != nil {
			return err
		}
		raw, err := object(columns, r)
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

// votes formats the size of every class, and the traces that did not vote, such as "2+1" or "2 · 1 no_answer".
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

// Decided describes the decision on a record in words.
func Decided(r store.Record) string {
	if r.Consensus.Answer != nil {
		return *r.Consensus.Answer
	}
	return "[" + string(r.Consensus.Outcome) + "]"
}
