package transcript

import (
	"bytes"
	"io"

	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/trace"
)

// Marks are lines that are shown below events, by the events' indexes in their trace.
type Marks map[int]string

// WriteMarked does the same as Write, and adds marks.
func WriteMarked(w io.Writer, id trace.ID, events []trace.Event, full bool, marks Marks) error {
	var b bytes.Buffer
	writeTrace(&b, id, events, full, marks)
	_, err := w.Write(b.Bytes())
	return err
}

func (m Marks) write(b *bytes.Buffer, event int) {
	if m[event] != "" {
		b.WriteString(indent + document.Printable(m[event]) + "\n")
	}
}
