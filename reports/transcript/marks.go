package transcript

import (
	"bytes"

	"github.com/seed-5817661a/concur/reports/document"
)

// Marks are lines that are shown below events, by the events' indexes in their trace.
type Marks map[int]string

func (m Marks) write(b *bytes.Buffer, event int) {
	if m[event] != "" {
		b.WriteString(indent + document.Printable(m[event]) + "\n")
	}
}
