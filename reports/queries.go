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
func ofQueries(run string, rows *store.Rows) []figure[store.Record] {
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
	return []figure[store.Record]{
		words("configuration", owner, func(r store.Record) string { return r.Configuration }),
		words("query", "query", func(r store.Record) string { return r.Query }),
		words("category", "", func(r store.Record) string { return r.Category }),
		words("question", "", func(r store.Record) string { return r.Question }),
		words("expected", "expected", func(r store.Record) string { return r.Expected }).atMost(maxAnswer),
		words("answer", "answer", Decided).atMost(maxAnswer),
		words("votes", "votes", votes).leaving(1),
		word("verdict", verdictOf).readAs(raw("verdict",
			func(r store.Record) []any { return []any{string(r.Verdict.Verdict)} })),
		words("reason", "reason", func(r store.Record) string { return r.Verdict.Reason }).atMost(maxReason).leaving(3),
		word("consensus", func(r store.Record) line { return blend(string(r.Consensus.Method)) }).leaving(2),
		raw("steps", func(r store.Record) []any { // per trace, on average
			steps := 0.0
			for _, a := range r.Answers {
				steps += float64(a.Steps) / float64(len(r.Answers))
			}
			return []any{steps}
		}),
		// For all traces, verifier and judges.
		raw("tokens", func(r store.Record) []any { return []any{r.Usage.InputTokens + r.Usage.OutputTokens} }),
		raw("usd", func(r store.Record) []any { return []any{r.Usage.USD} }),
		words("trace", "", command),
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
	figures, between := ofQueries(run, rows), "\n    "
	for r, err := range rows.Records() {
		if err != nil {
			return err
		}
		raw, err := object(figures, r)
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
