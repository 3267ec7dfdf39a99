package transcript

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// maxTeaser is the number of characters that are shown of a document when it is returned.
const maxTeaser = 100

// WriteLive writes an event of a trace as it happens, for a person who watches. With debug it shows whole
// observations and all decisions of guards. Without debug it shows only titles and beginnings of documents,
// only the guard decisions about how a reply was read, and no answer that the citation audit rejected.
func WriteLive(w io.Writer, e trace.Event, debug bool) error {
	var b bytes.Buffer
	switch body := e.Body.(type) {
	case trace.Conclusion: // the caller shows the answer
		if debug {
			writeRejected(&b, body)
		}
	case trace.Observation:
		if debug || len(body.Documents) == 0 {
			writeObservation(&b, body, map[string]bool{})
			if len(body.Documents) > 0 && body.Output != nil {
				fmt.Fprintf(&b, "  raw          %s\n", document.Printable(Compact(body.Output)))
			}
			break
		}
		fmt.Fprintf(&b, "  observation  %s\n", text.Counted(len(body.Documents), "document"))
		for _, d := range body.Documents {
			fmt.Fprintf(&b, "%s[%s] %s: %s\n", indent, d.ID, document.Printable(d.Title), document.Shorten(d.Snippet, maxTeaser))
		}
	case trace.Guard:
		if debug || !slices.Contains([]string{"repair", "cut", "drop", "alias"}, body.Decision) {
			writeEvent(&b, body)
		}
	default:
		writeEvent(&b, e.Body)
	}
	if e.Path != "" && b.Len() > 0 {
		b = *bytes.NewBufferString("  " + document.Printable(e.Path) + ": " + strings.TrimLeft(b.String(), " "))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// LiveText shows the text of a model while the model writes. Its methods are safe for concurrent use.
type LiveText struct {
	W io.Writer

	mu   sync.Mutex
	open bool      // text was shown after the last End
	at   time.Time // time when text was last shown
}

// Within reports whether text was shown within the last period d.
func (t *LiveText) Within(d time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.at) < d
}

// Show writes a piece of text.
func (t *LiveText) Show(piece string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open, t.at = true, time.Now()
	for i, line := range strings.Split(piece, "\n") {
		if i > 0 {
			fmt.Fprintln(t.W)
		}
		fmt.Fprint(t.W, document.Printable(line))
	}
}

// End ends the line of the shown text. It reports whether there was any text.
func (t *LiveText) End() (shown bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if shown = t.open; shown {
		fmt.Fprintln(t.W)
	}
	t.open = false
	return shown
}

// WriteAnswer writes the answer to a question without a gold: the final message, the short answer, the rule
// that decided, and the effort. events holds the events of the question's traces, by the traces' numbers.
func WriteAnswer(w io.Writer, r store.Record, events map[int][]trace.Event) error {
	var b bytes.Buffer
	if message := Reply(r, events); message != "" {
		for line := range strings.Lines(message) {
			b.WriteString(document.Printable(strings.TrimRight(line, "\n")) + "\n")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "answer  %s", document.Printable(r.Decided()))
	if len(r.Answers) > 1 {
		fmt.Fprintf(&b, "  (%s", r.Consensus.Method)
		for _, v := range r.Consensus.Votes {
			fmt.Fprintf(&b, ", %s: %d of %d", document.Printable(v.Key), len(v.Traces), len(r.Answers))
		}
		b.WriteString(")")
	}
	b.WriteString("\n")
	for _, a := range r.Answers {
		if a.StopReason == trace.Final {
			continue
		}
		fmt.Fprintf(&b, "        trace %d ended %s: %s", a.Trace, a.Outcome, a.StopReason)
		switch { // the cause of an ungrounded trace quotes the rejected answer
		case a.StopReason == trace.Ungrounded:
			fmt.Fprintf(&b, ", the audit of its citations rejected its answer, which --debug and `concur trace` show")
		case a.Cause != nil:
			fmt.Fprintf(&b, ", %s", document.Printable(*a.Cause))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "took    %s, %s, %s, %s tokens\n", figures.Seconds(&r.Timing.WallS),
		text.Counted(r.Usage.ModelCalls, "model call"),
		text.Counted(r.Usage.ToolCalls, "tool call"), figures.Thousands(r.Usage.InputTokens+r.Usage.OutputTokens))
	_, err := w.Write(b.Bytes())
	return err
}

// Reply returns the text for the person who asked: the final message of the trace that represents the answer,
// or trace.NoSupport if the citation audit rejected that message. Without an answer it returns the last text of the
// model, which may contain more than could be read; "" if the model wrote nothing.
func Reply(r store.Record, events map[int][]trace.Event) string {
	of := len(r.Answers) - 1
	if r.Consensus.Representative != nil {
		of = *r.Consensus.Representative
	}
	message, grounded, rejected := "", true, false
	for _, e := range events[of] {
		if e.Path != "" {
			continue
		}
		switch b := e.Body.(type) {
		case trace.Thought:
			message = cmp.Or(b.Content, message)
		case trace.Audit:
			grounded = b.Grounded
		case trace.Conclusion:
			message = cmp.Or(b.Message, message)
			rejected = b.StopReason == trace.Ungrounded || b.Message == "" && !grounded
		}
	}
	if rejected {
		return trace.NoSupport
	}
	return strings.TrimSpace(message)
}
