package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"sync"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

var (
	//go:embed page.html.tmpl
	source string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// layouts returns the templates, which are parsed at the first page.
var layouts = sync.OnceValue(func() *template.Template {
	functions := template.FuncMap{"counted": text.Counted, "heading": newHeading}
	return template.Must(template.New("page").Funcs(functions).Parse(source))
})

// Page is the content of a page.
type Page struct {
	Result *result.Result
	// Runs are the run of the result, or the two runs that it compares, the baseline first.
	Runs []*store.Run
	// Brief omits queries, traces and distributions, so that no files of the runs are read.
	Brief bool
	Frame *Frame             // nil for a page in a file
	Gate  *gatereport.Report // the decision on the run; nil if it was not gated
}

// Write writes the page. It returns an error if a run cannot be read.
func (p Page) Write(w io.Writer) error {
	v, err := p.view()
	if err != nil {
		return err
	}
	text, err := Render(layouts(), "page", v)
	if err == nil {
		_, err = io.WriteString(w, string(text))
	}
	return err
}

// Render executes one template. Invisible characters that change the display of a text become U+FFFD.
func Render(t *template.Template, name string, v any) (template.HTML, error) {
	var b bytes.Buffer
	err := t.ExecuteTemplate(&b, name, v)
	return template.HTML(document.Visible(b.String())), err
}

// heading is the heading of a part of the page, with a link to the part.
type heading struct{ At, Text string }

func newHeading(at, text string) heading { return heading{at, text} }

// policyHash returns the name of a text in a content security policy.
func policyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Frame holds the parts that a server adds around a page. The server's policy must allow the addresses Style
// and Script.
type Frame struct {
	Style, Script string        // addresses
	Top           template.HTML // HTML before everything else
	// Trace returns the address of the page of one trace.
	Trace func(*store.Run, trace.ID) string
}

// Style returns the style sheet of pages.
func Style() string  { return style }
func Script() string { return script }

// link gives the traces of a run the addresses of their pages.
func (p Page) link(traces []traceView, run *store.Run) {
	if p.Frame == nil {
		return
	}
	for i := range traces {
		traces[i].At = p.Frame.Trace(run, traces[i].events[0].ID)
	}
}

// Trace renders the events of one trace and the documents in them, with the gains of its calls. There must be at least
// one event. gains may be nil.
func Trace(events []trace.Event, gains *usefulness.Scored) (template.HTML, error) {
	docs := library{places: map[string]string{}}
	t := transcripts(map[int][]trace.Event{events[0].Trace: events}, nil, &docs, marked{gains})[0]
	return Render(layouts(), "traces", struct {
		Trace     traceView
		Documents []evidence
	}{t, docs.all})
}

// WriteGate writes the page of a gated run: the decision first, then the run.
func WriteGate(w io.Writer, run *store.Run, g gatereport.Report) error {
	r, err := ablations.Summarize(run.Manifest, run.Records(), "", ablations.Options{})
	if err != nil {
		return err
	}
	return Page{Result: r, Runs: []*store.Run{run}, Gate: &g}.Write(w)
}
