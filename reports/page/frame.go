package page

import (
	"html/template"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Frame is what a server puts around a page that it shows. Its policy must let the page's style
// and script through, which have addresses of their own.
type Frame struct {
	Style, Script string        // addresses
	Top           template.HTML // before everything else
	// Trace is the address of a page of one trace.
	Trace func(*store.Run, trace.ID) string
}

// Style is the style sheet of pages, Script their script.
func Style() string  { return style }
func Script() string { return script }

// link gives traces of a run the addresses of their own pages.
func (p Page) link(traces []transcript, run *store.Run) {
	if p.Frame == nil {
		return
	}
	for i := range traces {
		traces[i].At = p.Frame.Trace(run, traces[i].events[0].ID)
	}
}

// Trace is a part of a page: what happened in one trace, and the documents that it was given.
func Trace(events []trace.Event) (template.HTML, error) {
	if len(events) == 0 {
		return "", nil
	}
	var docs library
	t := transcripts(map[int][]trace.Event{events[0].Trace: events}, nil, &docs)[0]
	return Render(layouts, "traces", struct {
		Trace     transcript
		Documents []document
	}{t, docs.all})
}
