package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// maxAnswer is the width in characters that an answer may take in a table.
const maxAnswer = 32

// Queries writes one row per record: the votes of the traces, how they became one
// answer, and the verdict. With failuresOnly, correct queries are left out.
func Queries(w io.Writer, records []store.Record, failuresOnly bool) error {
	columns := []column{{"query", false}, {"votes", false}, {"consensus", false}, {"answer", false}, {"verdict", false}, {"reason", false}}
	var rows [][]string
	for _, r := range records {
		if failuresOnly && r.Verdict.Verdict == judge.Correct {
			continue
		}
		rows = append(rows, []string{
			r.Query, votes(r), string(r.Consensus.Method), clip(Decided(r), maxAnswer),
			string(r.Verdict.Verdict), clip(r.Verdict.Reason, 44),
		})
	}
	if len(rows) == 0 {
		return nil
	}
	return renderTable(w, columns, rows)
}

// votes shows the size of every class and what did not vote, such as "2+1" or "2 · 1
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

// Decided is what a record's traces decided, in words.
func Decided(r store.Record) string {
	if r.Consensus.Answer != nil {
		return *r.Consensus.Answer
	}
	return "[" + string(r.Consensus.Outcome) + "]"
}
