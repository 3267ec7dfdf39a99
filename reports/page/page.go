package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"html/template"
	"io"
	"unicode"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

//go:embed page.html.tmpl page.css page.js
var files embed.FS

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
	text, err := render("page.html.tmpl", v)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, string(text))
	return err
}

// render lays out one template of the page.
func render(name string, v any) (template.HTML, error) {
	t, err := template.ParseFS(files, "page.html.tmpl")
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, v); err != nil {
		return "", err
	}
	return template.HTML(Visible(b.Bytes())), nil
}

// Visible replaces characters that a reader cannot see but that change what he sees, and
// invalid UTF-8, by U+FFFD.
func Visible(page []byte) []byte { return bytes.Map(visible, page) }

func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), r == '\u061c', r == '\u200e', r == '\u200f',
		r >= '\u2028' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return unicode.ReplacementChar
	}
	return r
}

// shell is the part of a page that is the same for every run.
type shell struct {
	Policy string // Content-Security-Policy
	Style  template.CSS
	Script template.JS
}

func newShell() (shell, error) {
	style, err := files.ReadFile("page.css")
	script, scriptErr := files.ReadFile("page.js")
	return shell{
		Policy: "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(style),
		Script: template.JS(script),
	}, errors.Join(err, scriptErr)
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
