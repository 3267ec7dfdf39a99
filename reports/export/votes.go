package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
)

// Votes writes CSV with a row for every trace of a run: its answer, whether the answer is right, and whether it
// is the decided one. Undefined cells are empty. Text that a spreadsheet could run as a formula gets an
// apostrophe at its beginning.
func Votes(w io.Writer, run *store.Run, configuration string) error {
	out := csv.NewWriter(w)
	row := []string{
		"configuration", "query", "category", "trace", "answer", "key", "outcome", "stop_reason", "verdict",
		"grounded", "extract",
		"steps", "tool_calls", "method", "agreement", "in_decision", "decision", "decision_verdict", "expected",
	}
	_ = out.Write(row) // out keeps an error until the end
	for r, err := range run.Records() {
		if err != nil {
			return err
		}
		if configuration != "" && r.Configuration != configuration {
			continue
		}
		for _, a := range r.Answers {
			inDecision := len(r.Consensus.Votes) > 0 && slices.Contains(r.Consensus.Votes[0].Traces, a.Trace)
			row = append(row[:0],
				r.Configuration, r.Query, r.Category, strconv.Itoa(a.Trace), value(a.Answer), value(a.Key),
				string(a.Outcome), string(a.StopReason),
				string(a.Verdict), value(a.Grounded), a.Extract, strconv.Itoa(a.Steps), strconv.Itoa(a.ToolCalls),
				string(r.Consensus.Method),
				value(r.Consensus.Agreement), strconv.FormatBool(inDecision), value(r.Consensus.Answer),
				string(r.Verdict.Verdict), r.Expected,
			)
			for i, cell := range row {
				row[i] = document.SheetCell(cell)
			}
			_ = out.Write(row)
		}
	}
	if out.Flush(); out.Error() != nil {
		return fmt.Errorf("write votes: %w", out.Error())
	}
	return nil
}

// value returns the value of v, or "" if v is nil.
func value[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}
