package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

const leastColumn = 8 // columns of a terminal to which a column of words is cut

// layout renders cells, which are on one line each, in columns.
func layout(b *bytes.Buffer, form tw.Renderer, padding tw.Padding, columns []column, headers []string, rows [][]string) error {
	align := make(tw.Alignment, len(columns))
	for i, c := range columns {
		align[i] = tw.AlignLeft
		if c.number {
			align[i] = tw.AlignRight
		}
	}
	out := tablewriter.NewTable(b,
		tablewriter.WithRenderer(form),
		tablewriter.WithPadding(padding),
		tablewriter.WithEastAsian(tw.Off), // the same table under every locale
		tablewriter.WithTrimSpace(tw.Off), // which keeps the empty lines of a header
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)
	out.Header(headers)
	if err := out.Bulk(rows); err != nil {
		return fmt.Errorf("lay out table: %w", err)
	}
	if err := out.Render(); err != nil {
		return fmt.Errorf("lay out table: %w", err)
	}
	return nil
}

// table writes a table with one line per row. Columns leave in their order until it is narrow
// enough; then the widest columns of words are cut.
func (s Screen) table(b *bytes.Buffer, t table) error {
	if len(t.title) > 0 {
		s.paragraph(b, t.title, gap)
	}
	widths := t.widths()
	for s.Width > 0 && sum(widths) > s.Width {
		last := slices.MaxFunc(t.columns, func(a, b column) int { return cmp.Compare(a.leaves, b.leaves) }).leaves
		if last == 0 {
			break
		}
		t = t.without(last)
		widths = t.widths()
	}
	for s.Width > 0 && sum(widths) > s.Width {
		widest := -1
		for i, c := range t.columns {
			if !c.number && widths[i] > leastColumn && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	rows := make([][]string, len(t.rows))
	for i, row := range t.rows {
		for j, cell := range row {
			text := s.coloured(cleaned(cell))
			if width(text) > widths[j] {
				text = twwidth.Truncate(text, widths[j], "…")
			}
			rows[i] = append(rows[i], text)
		}
	}
	symbols := tw.NewSymbolCustom("rule").WithColumn(gap).WithRow("─").WithCenter("──")
	var made bytes.Buffer
	err := layout(&made, renderer.NewBlueprint(tw.Rendition{Symbols: symbols, Borders: tw.BorderNone}), tw.PaddingNone, t.columns, s.headers(t.columns), rows)
	for l := range strings.Lines(made.String()) {
		b.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	return err
}

// headers are a table's headers, which all end where the rule begins.
func (s Screen) headers(columns []column) []string {
	out := make([]string, len(columns))
	most := 0
	for i, c := range columns {
		out[i] = stacked(c.header)
		most = max(most, strings.Count(out[i], "\n"))
	}
	for i, header := range out {
		var lines []string
		for l := range strings.SplitSeq(header, "\n") {
			lines = append(lines, s.coloured(plain(l).in(strong)))
		}
		out[i] = strings.Repeat("\n", most-strings.Count(header, "\n")) + strings.Join(lines, "\n")
	}
	return out
}

// without is a table without the columns that leave in some place.
func (t table) without(place int) table {
	out := table{rows: make([][]line, len(t.rows))}
	for i, c := range t.columns {
		if c.leaves == place {
			continue
		}
		out.columns = append(out.columns, c)
		for j, row := range t.rows {
			out.rows[j] = append(out.rows[j], row[i])
		}
	}
	return out
}

// widths are what the columns of a table take where nothing has to be cut.
func (t table) widths() []int {
	out := make([]int, len(t.columns))
	for i, c := range t.columns {
		for _, row := range t.rows {
			out[i] = max(out[i], width(cleaned(row[i]).String()))
		}
		if c.most > 0 {
			out[i] = min(out[i], c.most)
		}
		for h := range strings.SplitSeq(stacked(c.header), "\n") {
			out[i] = max(out[i], width(h))
		}
	}
	return out
}

// sum is the width of columns with the gaps between them.
func sum(widths []int) int {
	n := len(gap) * (len(widths) - 1)
	for _, w := range widths {
		n += w
	}
	return n
}

// stacked breaks a header over lines: ours where it says so, and the name of a category at
// underscores, since such names are long and their counts are short.
func stacked(header line) string {
	if len(header) == 1 && header[0].kind != ours {
		return strings.ReplaceAll(Clean(header[0].text), "_", "\n")
	}
	return cleaned(header).String()
}

// width is how many columns of a terminal a text takes, without its colours.
func width(s string) int { return twwidth.WidthWithOptions(s, twwidth.Options{}) }
