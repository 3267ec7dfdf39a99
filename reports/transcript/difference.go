package transcript

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// WriteDifference writes where two traces of a query diverge. It counts the events that they share, and shows the
// events after that.
func WriteDifference(w io.Writer, a, b []trace.Event, full bool) error {
	same := CountCommon(a, b)
	var out bytes.Buffer
	switch {
	case same == len(a) && same == len(b):
		fmt.Fprintf(&out, "the two traces are the same: %s\n", text.Counted(same, "event"))
	case same == 0:
		out.WriteString("the two traces differ from the first event\n")
	default:
		fmt.Fprintf(&out, "the first %s of the two traces %s the same; they differ from step %d\n",
			text.Counted(same, "event"), text.Verb(same, "is", "are"), max(a[same-1].Step, firstStep(a[same:]),
				firstStep(b[same:])))
	}
	if same < max(len(a), len(b)) {
		for _, events := range [][]trace.Event{a, b} {
			if len(events) == 0 {
				continue
			}
			fmt.Fprintf(&out, "\n── trace %d from there\n", events[0].Trace)
			eventsInSteps(&out, events[same:], full, nil)
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// CountCommon returns the number of equal events at the start of two traces. Times and the ids of calls are
// ignored.
func CountCommon(a, b []trace.Event) int {
	same := 0
	for same < min(len(a), len(b)) && a[same].Step == b[same].Step && a[same].Path == b[same].Path &&
		comparableText(a[same]) == comparableText(b[same]) {
		same++
	}
	return same
}

// comparableText returns an event as text, without the parts that differ between equal traces.
func comparableText(e trace.Event) string {
	var b bytes.Buffer
	switch body := e.Body.(type) {
	case trace.Action:
		body.CallID = ""
		e.Body = body
	case trace.Observation:
		body.CallID, body.DurationMS = "", 0
		e.Body = body
	}
	writeEvent(&b, e.Body)
	return b.String()
}
