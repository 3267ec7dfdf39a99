package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/datasets/statement"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge/execution"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// CheckGolds executes the statements of all golds. The error lists those that fail with their queries, so that a run
// ends before anything costs money.
func (p Plan) CheckGolds(ctx context.Context) error {
	if len(p.Dataset.Executed()) == 0 {
		return nil
	}
	var wrong []error
	seen := map[string]bool{}
	for q, err := range p.Dataset.Queries() {
		if err != nil {
			return err
		}
		for _, g := range q.Statements() {
			for _, a := range p.Arms {
				_, err := a.Databases.Gold(ctx, g.Tool, g.SQL)
				if err != nil && !seen[q.ID+err.Error()] {
					seen[q.ID+err.Error()] = true
					wrong = append(wrong, fmt.Errorf("query %s: %w", q.ID, err))
				}
			}
		}
		if len(wrong) >= maxWrongGolds {
			break
		}
	}
	return errors.Join(wrong...)
}

// maxWrongGolds is the number of golds with an error after which no more are executed.
const maxWrongGolds = 10

// execute gives a query with a statement as gold the rows of the statement as its answer, and each trace the rows of
// its last statement. It adds the results to the record. It returns only the error of ctx.
func (s *schedule) execute(ctx context.Context, a *questioners, q datasets.Query, traces []store.FinishedTrace,
	r *store.Record) (datasets.Query, []store.FinishedTrace, error) {
	if q.Gold.SQL == "" {
		return q, traces, nil
	}
	traces = slices.Clone(traces) // other arms use the same traces
	gold, err := a.Databases.Gold(ctx, q.Gold.Tool, q.Gold.SQL)
	if err != nil {
		return q, asFailed(traces, err), ctx.Err()
	}
	q.Gold.Type, q.Gold.Answer, q.Gold.Ordered = answer.Table, gold.Table, statement.Ordered(q.Gold.SQL)
	r.Statements = append(r.Statements, gold)
	for i := range traces {
		t := &traces[i].Trace
		if t.Outcome != trace.Answered {
			continue
		}
		trial, err := a.Databases.Last(ctx, gold.Tool, traces[i].Events)
		if err != nil {
			if ctx.Err() != nil {
				return q, traces, ctx.Err()
			}
			asFailed(traces[i:i+1], err)
			continue
		}
		for _, tried := range trial.Tried {
			r.Statements = add(r.Statements, tried)
		}
		if !trial.Found {
			t.Outcome, t.Answer = trace.NoAnswer, ""
			t.Cause = trial.Reason
			continue
		}
		last := trial.Tried[len(trial.Tried)-1]
		t.Answer = last.Table
		at := slices.IndexFunc(r.Statements, func(s execution.Result) bool { return s.Statement == last.Statement })
		r.Statements[at].Traces = append(r.Statements[at].Traces, t.ID.Trace)
	}
	return q, traces, nil
}

// asFailed marks traces of which nothing is known because a statement could not be executed. Traces that do not answer
// with rows are unchanged.
func asFailed(traces []store.FinishedTrace, err error) []store.FinishedTrace {
	for i := range traces {
		if t := &traces[i].Trace; t.Outcome == trace.Answered {
			t.Outcome, t.Answer = trace.Infra, ""
			t.Cause = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
	}
	return traces
}

// add adds a result to a list, in which each statement is once.
func add(list []execution.Result, r execution.Result) []execution.Result {
	if slices.ContainsFunc(list, func(s execution.Result) bool { return s.Statement == r.Statement }) {
		return list
	}
	return append(list, r)
}

// maxTable is the number of characters of a result set that the answer of a record has. The whole set is in the
// record's statements.
const maxTable = 2000

// shorten cuts the answers of a record that are large result sets.
func shorten(q datasets.Query, r *store.Record) {
	if q.Gold.SQL == "" {
		return
	}
	cut := func(s *string) *string {
		if s == nil || len(*s) <= maxTable {
			return s
		}
		short := text.Clip(*s, maxTable)
		return &short
	}
	for i := range r.Answers {
		r.Answers[i].Answer = cut(r.Answers[i].Answer)
	}
	r.Consensus.Answer = cut(r.Consensus.Answer)
}

// ExecutedBy returns the result sets that a run recorded for the statements of its golds and traces. A run that
// resumes, replays or rejudges the run needs no database for them. If a record cannot be read, it returns those of the
// records before it, and the error.
func ExecutedBy(run *store.Run, on *queries.Set) (execution.Known, error) {
	out := execution.Known{}
	if len(on.Executed()) == 0 {
		return out, nil
	}
	for rec, err := range run.Records() {
		if err != nil {
			return out, err
		}
		out.Add(rec.Statements)
	}
	return out, nil
}
