package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

// Limits of the transcript that a judge sees, in bytes: for one thought, input, output or document, and for the
// whole transcript.
const (
	maxEntry      = 800
	maxTranscript = 24 << 10
)

// Transcript renders the events of one trace, one paragraph each, without the final message; continuation lines
// are indented. One text is cut at 800 bytes, the documents of an observation together at 3,200. Events of
// agents that the agent called are omitted. If the transcript is longer than 24 KiB, entries in the middle are
// omitted, and a line counts them. A third of the size is for entries at the beginning, which show the plan.
// Two thirds are for entries at the end, which show the basis of the answer.
func Transcript(events []trace.Event) string {
	text, _ := transcript(events)
	return text
}

// Steps renders the thoughts, calls and observations of one trace as Transcript does, with at most limit bytes
// of whole entries.
func Steps(events []trace.Event, limit int) string {
	text, _ := render(events, limit, func(b trace.Body) bool {
		switch b.(type) {
		case trace.Thought, trace.Action, trace.Observation:
			return true
		default:
			return false
		}
	})
	return text
}

// transcript returns Transcript and the number of omitted entries.
func transcript(events []trace.Event) (text string, leftOut int) {
	return render(events, maxTranscript, func(trace.Body) bool { return true })
}

// render returns the entries of the events that are shown, of at most limit bytes, and the number of omitted
// entries.
func render(events []trace.Event, limit int, isShown func(trace.Body) bool) (text string, leftOut int) {
	shown := asking.Visible
	for _, e := range events {
		// Text that was hidden from the agent is hidden from the judge too.
		if g, ok := e.Body.(trace.Guard); ok && g.Rule == "sanitise" {
			shown = func(text string) string {
				clean, _ := inject.Sanitise(text)
				return asking.Visible(clean)
			}
		}
	}
	var entries []string
	for _, e := range events {
		// The observation of a call of an agent has that agent's answer.
		if e.Path != "" || !isShown(e.Body) {
			continue
		}
		if text := paragraph(e, shown); text != "" {
			// Continuation lines are indented, so that a line of a page cannot look like an entry.
			entries = append(entries, strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	entries, leftOut = shorten(entries, limit)
	return strings.Join(entries, "\n"), leftOut
}

// paragraph returns the entry of one event; "" if the event has no entry. shown converts a tool's text to the
// form that the agent saw.
func paragraph(e trace.Event, shown func(string) string) string {
	switch b := e.Body.(type) {
	case trace.Thought:
		return fmt.Sprintf("step %d thought: %s", e.Step, asking.Cut(asking.Visible(b.Content), maxEntry))
	case trace.Action:
		return fmt.Sprintf("step %d action: %s %s", e.Step, asking.Visible(b.Name),
			asking.Cut(asking.Visible(string(b.Input)), maxEntry))
	case trace.Observation:
		return fmt.Sprintf("step %d observation: %s", e.Step, observation(b, shown))
	case trace.Reflection:
		return fmt.Sprintf("step %d %s: %s", e.Step, asking.Visible(b.Task),
			asking.Cut(asking.Visible(b.Content), maxEntry))
	case trace.Guard:
		return fmt.Sprintf("step %d guard: %s, %s", e.Step, b.Rule, b.Decision)
	case trace.Audit:
		return fmt.Sprintf("step %d audit of the citations: grounded %t, %d of %d citations valid", e.Step, b.Grounded,
			b.Valid, b.Citations)
	case trace.Conclusion:
		return fmt.Sprintf("step %d end: %s (%s)", e.Step, b.Outcome, b.StopReason)
	default:
		return ""
	}
}

// observation renders an observation. If it has documents, it renders these, because the output repeats them.
// Otherwise it renders the output.
func observation(o trace.Observation, shown func(string) string) string {
	if o.Error != nil {
		return asking.Cut(shown(*o.Error), maxEntry)
	}
	if len(o.Documents) == 0 {
		return asking.Cut(shown(string(o.Output)), maxEntry)
	}
	lines := make([]string, len(o.Documents))
	for i, d := range o.Documents {
		lines[i] = fmt.Sprintf("[%s] %s: %s", d.ID, shown(d.Title), asking.Cut(shown(d.Snippet), maxEntry))
	}
	return asking.Cut(strings.Join(lines, "\n"), 4*maxEntry)
}

// shorten omits entries from the middle until the rest fits.
func shorten(entries []string, limit int) (kept []string, leftOut int) {
	total := 0
	for _, e := range entries {
		total += len(e) + 1
	}
	if total <= limit {
		return entries, 0
	}
	head, used := 0, 0
	for used+len(entries[head])+1 <= limit/3 {
		used += len(entries[head]) + 1
		head++
	}
	tail := len(entries)
	for tail > head+1 && used+len(entries[tail-1])+1 <= limit {
		tail--
		used += len(entries[tail]) + 1
	}
	leftOut = tail - head // no entry looks like the line below: each entry begins with its step
	return slices.Concat(entries[:head], []string{fmt.Sprintf("[%d entries left out here]", leftOut)},
		entries[tail:]), leftOut
}

// notEnded is the verdict on a trace that an infrastructure failure ended.
var notEnded = Verdict{Unscored, ByInfra, "the agent did not end the trace itself, so there is nothing to judge"}

// conclusion returns the conclusion of a trace and the trace's index. Without a conclusion the outcome is Infra.
func conclusion(events []trace.Event) (trace.Conclusion, int) {
	for _, e := range events {
		if c, ok := e.Body.(trace.Conclusion); ok && e.Path == "" {
			return c, e.Trace
		}
	}
	return trace.Conclusion{Outcome: trace.Infra}, 0
}
