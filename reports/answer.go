package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Answer writes what was answered to a question that has no gold: the final message, the
// short answer and how it came about, and what it took.
func Answer(w io.Writer, r store.Record, message string) error {
	var b bytes.Buffer
	if message = strings.TrimSpace(message); message != "" {
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
