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
)

// lineHandler writes log records for people: time, level where it is not info, message,
// attributes. Lines are written whole.
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
