package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Answer writes what was answered to a question that has no gold: the final message, the
// short answer and how it came about, and what it took. events are those of the question's
// traces, by index.
func Answer(w io.Writer, r store.Record, events map[int][]trace.Event) error {
	var b bytes.Buffer
	if message := strings.TrimSpace(finalMessage(r, events)); message != "" {
		for line := range strings.Lines(message) {
			b.WriteString(Printable(strings.TrimRight(line, "\n")) + "\n")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "answer  %s", Printable(Decided(r)))
	if len(r.Answers) > 1 {
		fmt.Fprintf(&b, "  (%s", r.Consensus.Method)
		for _, v := range r.Consensus.Votes {
			fmt.Fprintf(&b, ", %s: %d of %d", Printable(v.Key), len(v.Traces), len(r.Answers))
		}
		b.WriteString(")")
	}
	b.WriteString("\n")
	for _, a := range r.Answers {
		if a.StopReason == trace.Final {
			continue
		}
		fmt.Fprintf(&b, "        trace %d ended %s: %s", a.Trace, a.Outcome, a.StopReason)
		if a.Cause != nil {
			fmt.Fprintf(&b, ", %s", Printable(*a.Cause))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "took    %s, %d model calls, %d tool calls, %s tokens\n",
		seconds(&r.Timing.WallS), r.Usage.ModelCalls, r.Usage.ToolCalls, thousands(r.Usage.InputTokens+r.Usage.OutputTokens))
	_, err := w.Write(b.Bytes())
	return err
}

// finalMessage is that of the trace that stands for the answer. Where none does, it is what
// the model said last: there may be more in it than could be read.
func finalMessage(r store.Record, events map[int][]trace.Event) (message string) {
	of := len(r.Answers) - 1
	if r.Consensus.Representative != nil {
		of = *r.Consensus.Representative
	}
	for _, e := range events[of] {
		switch b := e.Body.(type) {
		case trace.Thought:
			message = cmp.Or(b.Content, message)
		case trace.Conclusion:
			message = cmp.Or(b.Message, message)
		}
	}
	return message
}
