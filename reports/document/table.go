package document

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

	"github.com/seed-5817661a/concur/internal/text"
)

const leastColumn = 8 // minimum width to which a column of text is cut

// renderColumns renders cells in columns. Numbers are aligned to the right.
func renderColumns(b *bytes.Buffer, form tw.Renderer, padding tw.Padding, headers []string, rows [][]string,
	number func(int) bool) error {
	align := make(tw.Alignment, len(headers))
	for i := range headers {
		align[i] = tw.AlignLeft
		if number(i) {
			align[i] = tw.AlignRight
		}
	}
	out := tablewriter.NewTable(b,
		tablewriter.WithRenderer(form),
		tablewriter.WithPadding(padding),
		tablewriter.WithEastAsian(tw.Off), // gives the same table under every locale
		tablewriter.WithTrimSpace(tw.Off), // keeps the empty lines of a header
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)
	out.Header(headers)
	err := out.Bulk(rows)
	if err == nil {
		err = out.Render()
	}
	if err != nil {
		return fmt.Errorf("lay out table: %w", err)
	}
	return nil
}

// measuredColumn is a column as printed on a terminal.
type measuredColumn struct {
	ColumnHead
	header string
	cells  []RichText
	width  int // the width if nothing has to be cut
}

// measureColumns measures a table's columns.
func measureColumns(t Table) []measuredColumn {
	out := make([]measuredColumn, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = measuredColumn{ColumnHead: c, header: stackHeader(c.Header)}
		for _, row := range t.Rows {
			cell := cleanText(row[i])
			out[i].cells = append(out[i].cells, cell)
			out[i].width = max(out[i].width, Width(cell.String()))
		}
		if c.most > 0 {
			out[i].width = min(out[i].width, c.most)
		}
		for h := range strings.SplitSeq(out[i].header, "\n") {
			out[i].width = max(out[i].width, Width(h))
		}
	}
	return out
}

// fit removes columns until the rest fits on the screen, the highest value of Leaves first; then it cuts the
// widest columns of text.
func (s Screen) fit(columns []measuredColumn) []measuredColumn {
	tooWide := func() bool {
		sum := len(columnGap) * (len(columns) - 1)
		for _, c := range columns {
			sum += c.width
		}
		return s.Width > 0 && sum > s.Width
	}
	for tooWide() {
		last := slices.MaxFunc(columns, func(a, b measuredColumn) int { return cmp.Compare(a.leaves, b.leaves) }).leaves
		if last == 0 {
			break
		}
		columns = slices.DeleteFunc(columns, func(c measuredColumn) bool { return c.leaves == last })
	}
	for tooWide() {
		widest := -1
		for i, c := range columns {
			if !c.number && c.width > leastColumn && (widest < 0 || c.width > columns[widest].width) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		columns[widest].width--
	}
	return columns
}

// WriteTable writes a table with one line per row, and without spaces at the ends of lines.
func (s Screen) WriteTable(b *bytes.Buffer, t Table) error {
	if len(t.title) > 0 {
		s.writeParagraph(b, t.title, columnGap)
	}
	all := measureColumns(t)
	columns := s.fit(slices.Clone(all))
	tall := 0
	for _, c := range columns {
		tall = max(tall, strings.Count(c.header, "\n"))
	}
	headers, rows := make([]string, len(columns)), make([][]string, len(t.Rows))
	for i, c := range columns {
		lines := strings.Split(c.header, "\n")
		for j, l := range lines {
			lines[j] = s.colour(Plain(l).Toned(strong))
		}
		headers[i] = strings.Repeat("\n", tall+1-len(lines)) + strings.Join(lines, "\n") // all end at the rule below them
		for j, cell := range c.cells {
			text := s.colour(cell)
			rows[j] = append(rows[j], Screen{Width: c.width}.Cut(text))
		}
	}
	form := renderer.NewBlueprint(tw.Rendition{
		Symbols: tw.NewSymbolCustom("rule").WithColumn(columnGap).WithRow("─").WithCenter("──"), Borders: tw.BorderNone,
	})
	var made bytes.Buffer
	err := renderColumns(&made, form, tw.PaddingNone, headers, rows, func(i int) bool { return columns[i].number })
	for l := range strings.Lines(made.String()) {
		b.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	if absent := absentCategories(all, columns); len(absent) > 0 {
		s.writeParagraph(b, Concat(Plain("not shown at this width: "), Enumerate(absent),
			Plain("; --wide shows "+text.Verb(len(absent), "it", "them"))), columnGap)
	}
	return err
}

// absentCategories names the categories whose columns do not fit on a narrow terminal.
func absentCategories(all, shown []measuredColumn) (names []RichText) {
	for _, c := range all {
		there := slices.ContainsFunc(shown, func(s measuredColumn) bool { return s.leaves == c.leaves })
		if c.leaves >= CategoryLeaves && !there {
			names = append(names, c.ColumnHead.Header)
		}
	}
	return names
}

// stackHeader breaks a header into lines: headers of this program at their line breaks, names of categories at
// underscores, because such names are longer than the counts below them.
func stackHeader(header RichText) string {
	if len(header) == 1 && header[0].kind != ours {
		return strings.ReplaceAll(Clean(header[0].text), "_", "\n")
	}
	return cleanText(header).String()
}

// Width returns the width of a text in terminal columns. Colour codes have no width.
func Width(s string) int { return twwidth.WidthWithOptions(s, twwidth.Options{}) }

// Cut shortens a line to the screen's width.
func (s Screen) Cut(line string) string {
	if s.Width == 0 || Width(line) <= s.Width {
		return line
	}
	return twwidth.Truncate(line, s.Width, "…")
}
