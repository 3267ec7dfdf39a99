package progress

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Log is an output of a run. It writes run.log to W: the ends of traces and the decisions on queries. Its
// methods are safe for concurrent use.
type Log struct {
	runner.NoOutput
	W       io.Writer
	writing sync.Mutex
	several bool // the run has several configurations
}

// Note writes a line.
func (l *Log) Note(text string) { l.write("", text) }

func (l *Log) warn(text string) { l.write("WARN  ", text) }

// Event writes the result of a trace, if the event is the trace's end.
func (l *Log) Event(e trace.Event) {
	t, ends := e.End()
	if !ends {
		return
	}
	end := string(t.Outcome)
	if t.Outcome == trace.Answered {
		end += fmt.Sprintf(" %q", t.Answer)
	}
	line := fmt.Sprintf("trace  %s/%d  %s, %s after %s and %s", t.Query, t.Trace, end, t.StopReason,
		text.Counted(t.Steps, "step"), text.Counted(t.ToolCalls, "tool call"))
	if t.Cause == "" {
		l.Note(line)
	} else {
		l.warn(line + attribute("cause", t.Cause))
	}
}

// Record writes the decision on a query.
func (l *Log) Record(r store.Record) {
	agreed := ""
	if len(r.Consensus.Votes) > 0 {
		agreed = fmt.Sprintf(" %d/%d", len(r.Consensus.Votes[0].Traces), len(r.Answers))
	}
	of := r.Query
	if l.several {
		of += "  " + r.Configuration
	}
	l.Note(fmt.Sprintf("query  %s  %s%s  %s  %s: %s", of, r.Consensus.Method, agreed, r.Decided(),
		r.Verdict.Verdict, r.Verdict.Reason))
	for _, trouble := range r.Troubles() {
		l.warn(fmt.Sprintf("query  %s  %s", of, trouble))
	}
}

// write writes a whole line: the time, a level or "", and the text. If the write fails, the run continues.
func (l *Log) write(level, text string) {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, _ = fmt.Fprintf(l.W, "%s  %s%s\n", time.Now().Format("2006-01-02 15:04:05.000"), level, document.Printable(text))
}

// attribute returns name=value, with the value in quotes if it is not a single word.
func attribute(name, value string) string {
	if value == "" || strings.ContainsAny(value, " \"\n\t=") {
		value = strconv.Quote(value)
	}
	return "  " + name + "=" + value
}
