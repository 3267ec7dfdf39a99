package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// writeText writes a document for a terminal, what matters most at its end, where a
// reader's eye rests.
func writeText(w io.Writer, d document) error {
	parts := slices.Concat(d.details, d.headline)
	for i, p := range parts {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if p.table != nil {
			if err := renderTable(w, *p.table); err != nil {
				return err
			}
		}
		for _, l := range p.lines {
			if _, err := fmt.Fprintln(w, Clean(l.String())); err != nil {
				return err
			}
		}
	}
	return nil
}

// renderTable writes a table with one line per row, without spaces at the ends of lines.
// Cells are cleaned of line breaks and control characters, since they may hold anything
// that a model wrote.
func renderTable(w io.Writer, t table) error {
	align := make(tw.Alignment, len(t.columns))
	headers := make([]string, len(t.columns))
	for i, c := range t.columns {
		headers[i], align[i] = stacked(c.header), tw.AlignLeft
		if c.number {
			align[i] = tw.AlignRight
		}
	}
	var b bytes.Buffer // the renderer would pass over a write error
	if title := Clean(t.title.String()); title != "" {
		b.WriteString(title + "\n")
	}
	out := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Symbols:  tw.NewSymbols(tw.StyleLight),
			Borders:  tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off}},
		})),
		tablewriter.WithEastAsian(tw.Off), // the same table under every locale
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)
	out.Header(headers)
	for _, row := range t.rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			if cells[i] = Clean(cell.String()); t.columns[i].most > 0 {
				cells[i] = clip(cells[i], t.columns[i].most)
			}
		}
		if err := out.Append(cells); err != nil {
			return fmt.Errorf("render table: %w", err)
		}
	}
	if err := out.Render(); err != nil {
		return fmt.Errorf("render table: %w", err)
	}
	for line := range strings.Lines(b.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return fmt.Errorf("write table: %w", err)
		}
	}
	return nil
}

// stacked breaks a header over lines: ours where it says so, others at underscores, since
// names of categories are long and their counts are short.
func stacked(header line) string {
	var b strings.Builder
	for _, s := range header {
		if s.kind == ours {
			b.WriteString(s.text)
		} else {
			b.WriteString(strings.ReplaceAll(Clean(s.text), "_", "\n"))
		}
	}
	return b.String()
}

// Clean puts text on one line and takes out what could steer a terminal.
func Clean(s string) string {
	return uncommanding(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || steers(r) }), " "))
}

// steers reports whether a character could move a terminal's cursor, or turn around the
// direction of what follows.
func steers(r rune) bool {
	return unicode.IsControl(r) || r == '\u200e' || r == '\u200f' || r == '\u061c' || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// clip shortens text to n characters, with an ellipsis where something is missing.
func clip(s string, n int) string {
	r := []rune(Clean(s))
	if len(r) <= n {
		return string(r)
	}
	return string(r[:n-1]) + "…"
}
