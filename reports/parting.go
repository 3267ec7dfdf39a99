package reports

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/runner/trace"
)

// Parting writes where two traces of a query part: what both did is counted, and what each
// did from there on is shown.
func Parting(w io.Writer, a, b []trace.Event, full bool) error {
	same := InCommon(a, b)
	var out bytes.Buffer
	switch {
	case same == len(a) && same == len(b):
		fmt.Fprintf(&out, "the two traces are the same: %d events\n", same)
	case same == 0:
		out.WriteString("the two traces part at once\n")
	default:
		fmt.Fprintf(&out, "the first %d events of the two traces are the same; they part in step %d\n", same, max(lastStep(a[:same]), firstStep(a[same:]), firstStep(b[same:])))
	}
	if same < max(len(a), len(b)) {
		for _, events := range [][]trace.Event{a, b} {
			if len(events) == 0 {
				continue
			}
			fmt.Fprintf(&out, "\n── trace %d from there\n", events[0].Trace)
			eventsInSteps(&out, events[same:], full)
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// InCommon counts the events from the start that two traces have in common. Times and the ids
// of calls do not count.
func InCommon(a, b []trace.Event) int {
	same := 0
	for same < min(len(a), len(b)) && a[same].Step == b[same].Step && a[same].Path == b[same].Path && deed(a[same]) == deed(b[same]) {
		same++
	}
	return same
}

// deed is an event as text, without what differs between equal traces.
func deed(e trace.Event) string {
	var b bytes.Buffer
	switch body := e.Body.(type) {
	case trace.Action:
		body.CallID = ""
		e.Body = body
	case trace.Observation:
		body.CallID, body.DurationMS = "", 0
		e.Body = body
	}
	describe(&b, e.Body)
	return b.String()
}

func firstStep(events []trace.Event) int {
	if len(events) == 0 {
		return 0
	}
	return events[0].Step
}

func lastStep(events []trace.Event) int { return events[len(events)-1].Step }
