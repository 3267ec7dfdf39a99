package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

var (
	//go:embed page.html.tmpl
	source  string
	layouts = template.Must(template.New("page").Parse(source))
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// Page is what a page shows.
type Page struct {
	Result *result.Result
	// Runs are the one that the result is of, or the two that it compares, the baseline first.
	Runs []*store.Run
	// Brief leaves out queries, traces and distributions, so that no file of the runs is read.
	Brief bool
	Frame *Frame        // nil for a file on its own
	Gate  *reports.Gate // the decision on the run; nil without one
}

// Write writes the page. It fails where a run cannot be read.
func (p Page) Write(w io.Writer) error {
	v, err := p.view()
	if err != nil {
		return err
	}
	text, err := Render(layouts, "page", v)
	if err == nil {
		_, err = io.WriteString(w, string(text))
	}
	return err
}

// Render lays out one template. Characters that a reader cannot see but that change what he sees become U+FFFD.
func Render(t *template.Template, name string, v any) (template.HTML, error) {
	var b bytes.Buffer
	err := t.ExecuteTemplate(&b, name, v)
	return template.HTML(reports.Visible(b.String())), err
}

// shell is the part of a page that is the same for every run.
type shell struct {
	Policy string // Content-Security-Policy
	Style  template.CSS
	Script template.JS
}

func newShell() shell {
	policy := "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'"
	return shell{policy, template.CSS(style), template.JS(script)}
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
