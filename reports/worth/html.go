package worth

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"slices"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/reports/document"
)

// FormatHTML is one page with the tables and lists, without scripts and without requests to a network.
const FormatHTML document.Format = "html"

//go:embed worth.html.tmpl
var pageText string

//go:embed worth.css
var style string

// htmlPart is a section of the page.
type htmlPart struct {
	Header []string
	Rows   [][]string
	Lines  []string
}

func writeHTML(w io.Writer, r *usefulness.Report) error {
	t := template.Must(template.New("worth").Parse(pageText))
	d := compose(r)
	var parts []htmlPart
	for _, s := range slices.Concat(d.Headline, d.Details) {
		var p htmlPart
		if s.Table != nil {
			for _, c := range s.Table.Columns {
				p.Header = append(p.Header, document.Clean(c.Header.String()))
			}
			for _, row := range s.Table.Rows {
				p.Rows = append(p.Rows, cleaned(row))
			}
		}
		p.Lines = cleaned(s.Lines)
		parts = append(parts, p)
	}
	sum := sha256.Sum256([]byte(style))
	return t.Execute(w, struct {
		Policy, Run, Closing string
		Style                template.CSS
		Parts                []htmlPart
	}{
		"default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" +
			base64.StdEncoding.EncodeToString(sum[:]) + "'",
		document.Clean(r.Run), d.Closing.String(), template.CSS(style), parts,
	})
}

func cleaned(lines []document.RichText) (out []string) {
	for _, l := range lines {
		out = append(out, document.Clean(l.String()))
	}
	return out
}
