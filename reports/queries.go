package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// maxAnswer and maxReason are the characters that an answer, and the reason of a verdict,
// may take in a terminal.
const (
	maxAnswer = 32
	maxReason = 44
)

// Queries writes one row per record: the votes of the traces, how they became one
// answer, and the verdict. With failuresOnly, correct queries are left out.
func Queries(w io.Writer, records []store.Record, failuresOnly bool) error {
	t := queries(records, failuresOnly)
	if len(t.rows) == 0 {
		return nil
	}
	return renderTable(w, *t)
}

func queries(records []store.Record, failuresOnly bool) *table {
	shown := records
	if failuresOnly {
		shown = nil
		for _, r := range records {
			if r.Verdict.Verdict != judge.Correct {
				shown = append(shown, r)
			}
		}
	}
	figures := []figure[store.Record]{
		word("query", func(r store.Record) line { return quoted(r.Query) }),
		word("votes", func(r store.Record) line { return plain(votes(r)) }),
		word("consensus", func(r store.Record) line { return blend(string(r.Consensus.Method)) }),
		{header: plain("answer"), most: maxAnswer, cell: func(r store.Record) line { return quoted(Decided(r)) }},
		word("verdict", func(r store.Record) line { return blend(string(r.Verdict.Verdict)) }),
		{header: plain("reason"), most: maxReason, cell: func(r store.Record) line { return quoted(r.Verdict.Reason) }},
	}
	if slices.ContainsFunc(shown, func(r store.Record) bool { return r.Configuration != shown[0].Configuration }) {
		figures = slices.Insert(figures, 0, word("configuration", func(r store.Record) line { return quoted(r.Configuration) }))
	}
	return tabulate(nil, figures, shown)
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
