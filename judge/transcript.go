package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/guard/inject"
	"github.com/seed-5817661a/concur/runner/trace"
)

// How much of a trace a judge sees, in bytes: so much of one thought, input, output or
// document, and so much of all.
const (
	maxEntry      = 800
	maxTranscript = 24 << 10
)

// Transcript renders the events of one trace compactly, a paragraph for each, without
// the final message; its further lines are indented. Texts are cut at 800 bytes each, an
// observation's documents together at 3,200. Of a transcript over 24 KiB the first third
// and the last two thirds of that are kept, by whole entries, with a line that says how
// many are left out: how a trace began shows its plan, how it ended what the answer rests
// on.
func Transcript(events []trace.Event) string {
	shown := asking.Visible
	if slices.ContainsFunc(events, sanitised) {
		shown = func(text string) string {
			clean, _ := inject.Sanitise(text)
			return asking.Visible(clean)
		}
	}
	var entries []string
	for _, e := range events {
		if text := paragraph(e, shown); text != "" {
			// Indented, no line of a page can pass for an entry of its own.
			entries = append(entries, strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	return strings.Join(shorten(entries, maxTranscript), "\n")
}

// sanitised reports whether the agent was shown less of an output than the trace holds: what
// was hidden from it is hidden from the judge as well.
func sanitised(e trace.Event) bool {
	g, ok := e.Body.(trace.Guard)
	return ok && g.Rule == "sanitise"
}

// paragraph is the entry of one event; shown gives a tool's text as the agent saw it.
func paragraph(e trace.Event, shown func(string) string) string {
	switch b := e.Body.(type) {
	case trace.Thought:
		return fmt.Sprintf("step %d thought: %s", e.Step, asking.Cut(asking.Visible(b.Content), maxEntry))
	case trace.Action:
		return fmt.Sprintf("step %d action: %s %s", e.Step, asking.Visible(b.Name), asking.Cut(asking.Visible(string(b.Input)), maxEntry))
	case trace.Observation:
		return fmt.Sprintf("step %d observation: %s", e.Step, observation(b, shown))
	case trace.Guard:
		return fmt.Sprintf("step %d guard: %s, %s", e.Step, b.Rule, b.Decision)
	case trace.Audit:
		return fmt.Sprintf("step %d audit of the citations: grounded %t, %d of %d citations valid", e.Step, b.Grounded, b.Valid, b.Citations)
	case trace.Conclusion:
		return fmt.Sprintf("step %d end: %s (%s)", e.Step, b.Outcome, b.StopReason)
	default:
		return ""
	}
}

// observed shows the documents of an observation where it has any, since its output holds
// them once more.
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

// shorten leaves entries out of the middle until the rest fits.
func shorten(entries []string, limit int) []string {
	total := 0
	for _, e := range entries {
		total += len(e) + 1
	}
	if total <= limit {
		return entries
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
	left := fmt.Sprintf("[%d entries left out here]", tail-head)
	return append(append(append([]string{}, entries[:head]...), left), entries[tail:]...)
}

// conclusion finds how the trace ended.
func conclusion(events []trace.Event) (trace.Conclusion, int, bool) {
	for _, e := range events {
		if c, ok := e.Body.(trace.Conclusion); ok {
			return c, e.Trace, true
		}
	}
	return trace.Conclusion{}, 0, false
}
