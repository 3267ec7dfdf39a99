package progress

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

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

// lineHandler writes records for people, a line each: time, level where it is not info, message, attributes.
type lineHandler struct {
	mu      *sync.Mutex
	w       io.Writer
	layout  string // of the time; "" leaves it out
	attrs   string
	minimum slog.Level
}

// NewLines is a logger for people. layout is that of the time; "" leaves it out.
func NewLines(w io.Writer, layout string, minimum slog.Level) *slog.Logger {
	return slog.New(&lineHandler{mu: &sync.Mutex{}, w: w, layout: layout, minimum: minimum})
}

// Enabled reports whether records of a level are written.
func (h *lineHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.minimum }

// Handle writes one record.
func (h *lineHandler) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	if h.layout != "" {
		b.WriteString(r.Time.Format(h.layout) + "  ")
	}
	if r.Level != slog.LevelInfo {
		b.WriteString(r.Level.String() + "  ")
	}
	b.WriteString(reports.Printable(r.Message) + h.attrs)
	r.Attrs(func(a slog.Attr) bool {
		b.WriteString(formatAttr(a))
		return true
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := io.WriteString(h.w, b.String()+"\n")
	return err
}

// WithAttrs gives a handler that adds attributes to every line.
func (h *lineHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *h
	for _, a := range attrs {
		with.attrs += formatAttr(a)
	}
	return &with
}

// WithGroup is not told apart: lines are for people.
func (h *lineHandler) WithGroup(string) slog.Handler { return h }

func formatAttr(a slog.Attr) string {
	v := a.Value.Resolve()
	if v.Kind() == slog.KindDuration {
		return fmt.Sprintf("  %s=%s", a.Key, v.Duration().Round(time.Millisecond))
	}
	text := v.String()
	if text == "" || strings.ContainsAny(text, " \"\n\t=") {
		text = fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("  %s=%s", a.Key, text)
}
