package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// column is a table column: its header, which may hold line breaks, and whether its
// cells are numbers.
type column struct {
	header string
	number bool
}

// renderTable writes a table with one line per row, without spaces at the ends of lines.
// Cells are cleaned of line breaks and control characters, since they may hold anything
// that a model wrote.
func renderTable(w io.Writer, columns []column, rows [][]string) error {
	align := make(tw.Alignment, len(columns))
	headers := make([]string, len(columns))
	for i, c := range columns {
		headers[i], align[i] = c.header, tw.AlignLeft
		if c.number {
			align[i] = tw.AlignRight
		}
	}
	var b bytes.Buffer // the renderer would pass over a write error
	t := tablewriter.NewTable(&b,
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
	t.Header(headers)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = Clean(cell)
		}
		if err := t.Append(cells); err != nil {
			return fmt.Errorf("render table: %w", err)
		}
	}
	if err := t.Render(); err != nil {
		return fmt.Errorf("render table: %w", err)
	}
	for line := range strings.Lines(b.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return fmt.Errorf("write table: %w", err)
		}
	}
	return nil
}

// Clean puts text on one line and takes out what could steer a terminal.
func Clean(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || steers(r) }), " ")
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
