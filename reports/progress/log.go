package progress

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Log writes run.log. Its methods may be called at any time.
type Log struct {
	file    *slog.Logger
	several bool // configurations
}

// NewLog writes into w. several is set for a run of several configurations.
func NewLog(w io.Writer, several bool) *Log {
	return &Log{file: NewLines(w, "2006-01-02 15:04:05.000", slog.LevelDebug), several: several}
}

// Note writes a line.
func (l *Log) Note(text string) { l.file.Info(text) }

// Trace writes how a trace ended.
func (l *Log) Trace(t trace.Trace) {
	end := string(t.Outcome)
	if t.Outcome == trace.Answered {
		end += fmt.Sprintf(" %q", t.Answer)
	}
	line := fmt.Sprintf("trace  %s/%d  %s, %s after %d steps and %d tool calls", t.Query, t.Trace, end, t.StopReason, t.Steps, t.ToolCalls)
	if t.Cause == "" {
		l.file.Info(line)
	} else {
		l.file.Warn(line, "cause", t.Cause)
	}
}

// Record writes how a query was decided.
func (l *Log) Record(r store.Record) {
	agreed := ""
	if len(r.Consensus.Votes) > 0 {
		agreed = fmt.Sprintf(" %d/%d", len(r.Consensus.Votes[0].Traces), len(r.Answers))
	}
	of := r.Query
	if l.several {
		of += "  " + r.Configuration
	}
	l.file.Info(fmt.Sprintf("query  %s  %s%s  %s  %s: %s", of, r.Consensus.Method, agreed, reports.Decided(r), r.Verdict.Verdict, r.Verdict.Reason))
	for _, trouble := range r.Troubles() {
		l.file.Warn(fmt.Sprintf("query  %s  %s", of, trouble))
	}
}
