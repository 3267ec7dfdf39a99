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
	"github.com/seed-5817661a/concur/reports/junit"
	"github.com/seed-5817661a/concur/runner/store"
)

// WriteJUnit writes a run as JUnit XML: a suite per configuration and a case per record. A case fails if its
// verdict is incorrect, and has an error if there is no verdict. If queries have no record, one more case has
// an error, so that an incomplete run does not look complete. Right queries with wrong traces are marked flaky,
// as in Maven Surefire.
//
// The cases are written while the records are read.
func WriteJUnit(w io.Writer, r *result.Result, records *store.Rows) error {
	columns := ofQueries(r.Run, records)
	var suites []junit.Suite
	for _, c := range r.Configurations {
		s := suiteOf(r, c)
		rows := records.Where(func(row store.Row) bool { return records.Configuration(row) == c.Name })
		s.Counts = countRows(rows)
		s.Streamed = func(yield func(junit.TestCase, error) bool) {
			for rec, err := range rows.Records() {
				if err != nil {
					yield(junit.TestCase{}, err)
					return
				}
				if !yield(caseOf(rec, columns), nil) {
					return
				}
			}
		}
		suites = append(suites, s)
	}
	return junit.Write(w, r.Run, suites)
}

// countRows counts the cases of rows without reading their records.
func countRows(rows *store.Rows) (n junit.Counts) {
	for _, r := range rows.All() {
		n.Tests++
		n.Time += junit.Seconds(r.Seconds)
		switch r.Verdict {
		case judge.Correct:
		case judge.Incorrect:
			n.Failures++
		default:
			n.Errors++
		}
	}
	return n
}

func suiteOf(r *result.Result, c result.Configuration) junit.Suite {
	s := junit.Suite{Name: junit.SafeText(c.Name), Properties: []junit.Property{
		{
			Name:  "run",
			Value: junit.SafeText(r.Run),
		}, {Name: "dataset", Value: junit.SafeText(r.Dataset.Name)}, {Name: "model", Value: junit.SafeText(c.Model)},
		{Name: "k", Value: junit.SafeText(fmt.Sprint(c.K))}, {Name: "seed", Value: junit.SafeText(fmt.Sprint(r.Seed))},
	}}
	if n := c.Counts.Missing; n > 0 {
		text := fmt.Sprintf("%s %s no record; resume the run", text.CountedOf(n, c.Counts.Queries, "query"),
			text.Verb(n, "has", "have"))
		s.Cases = append(s.Cases, junit.TestCase{Class: junit.SafeText(c.Name), Name: "queries without a record",
			Error: &junit.Problem{Message: junit.SafeText(text), Type: "missing"}})
	}
	return s
}

func caseOf(r store.Record, columns []document.Column[store.Record]) junit.TestCase {
	c := junit.TestCase{
		Class: junit.ClassName(r.Configuration, r.Category),
		Name:  junit.SafeText(r.Query),
		Time:  junit.Seconds(r.Timing.WallS),
	}
	message := strings.TrimSuffix(r.Decided()+": "+r.Verdict.Reason, ": ")
	said := &junit.Problem{Message: junit.SafeText(message), Type: junit.SafeText(r.Verdict.Verdict),
		Text: junit.SafeText(account(r, columns))}
	switch r.Verdict.Verdict {
	case judge.Correct:
		c.Flaky = flakes(r)
	case judge.Incorrect:
		c.Failure = said
	default:
		said.Type = junit.SafeText(judge.Unscored)
		c.Error = said
	}
	return c
}

// account describes a query that did not pass: its figures and the result of each trace.
func account(r store.Record, columns []document.Column[store.Record]) string {
	var lines []string
	for _, c := range columns {
		if slices.Contains([]string{"", "configuration", "query", "category", "verdict"}, c.Name) {
			continue // the column is for people only, or the case already has its value
		}
		if text, _ := document.FormatExact(c.Value(r)); text != "" {
			lines = append(lines, c.Name+": "+text)
		}
	}
	verdicts := map[judge.Ruling]int{}
	for _, a := range r.Answers {
		verdicts[a.Verdict]++
	}
	right := verdicts[judge.Correct]
	lines = append(lines, fmt.Sprintf("single traces: %d of %d right", right, right+verdicts[judge.Incorrect]))
	for _, a := range r.Answers {
		lines = append(lines, fmt.Sprintf("trace %d: %s", a.Trace, describeAnswer(a)))
	}
	return strings.Join(lines, "\n")
}

// describeAnswer describes the result of one trace.
func describeAnswer(a store.Answer) string {
	if a.Answer != nil {
		return *a.Answer
	}
	text := "[" + string(a.Outcome) + "]"
	if a.Cause != nil {
		text += " " + *a.Cause
	}
	return text
}

// flakes returns the wrong traces of a query whose consensus is correct.
func flakes(r store.Record) []junit.FlakyFailure {
	var out []junit.FlakyFailure
	for _, a := range r.Answers {
		if a.Verdict != judge.Incorrect {
			continue
		}
		out = append(out, junit.FlakyFailure{
			Message: junit.SafeText(
				fmt.Sprintf("trace %d: %s", a.Trace, describeAnswer(a)),
			), Type: junit.SafeText(judge.Incorrect),
			Stack: junit.SafeText(fmt.Sprintf("trace %d stopped by %s after %s", a.Trace, a.StopReason,
				text.Counted(a.Steps, "step"))),
		})
	}
	return out
}
