package reports

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

const leastColumn = 8 // minimum width to which a column of text is cut

// layout renders cells in columns, with numbers to the right.
func layout(b *bytes.Buffer, form tw.Renderer, padding tw.Padding, headers []string, rows [][]string,
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

// laidColumn is a column as printed on a terminal.
type laidColumn struct {
	column
	header string
	cells  []line
	width  int // its width if nothing has to be cut
}

// columnsOf measures a table's columns.
func columnsOf(t table) []laidColumn {
	out := make([]laidColumn, len(t.columns))
	for i, c := range t.columns {
		out[i] = laidColumn{column: c, header: stacked(c.header)}
		for _, row := range t.rows {
			cell := cleaned(row[i])
			out[i].cells = append(out[i].cells, cell)
			out[i].width = max(out[i].width, width(cell.String()))
		}
		if c.most > 0 {
			out[i].width = min(out[i].width, c.most)
		}
		for h := range strings.SplitSeq(out[i].header, "\n") {
			out[i].width = max(out[i].width, width(h))
		}
	}
	return out
}

// fitted removes columns in their order until the others fit on the screen; then it cuts the widest columns of
// text.
func (s Screen) fitted(columns []laidColumn) []laidColumn {
	tooWide := func() bool {
		sum := len(gap) * (len(columns) - 1)
		for _, c := range columns {
			sum += c.width
		}
		return s.Width > 0 && sum > s.Width
	}
	for tooWide() {
		last := slices.MaxFunc(columns, func(a, b laidColumn) int { return cmp.Compare(a.leaves, b.leaves) }).leaves
		if last == 0 {
			break
		}
		columns = slices.DeleteFunc(columns, func(c laidColumn) bool { return c.leaves == last })
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

// table writes a table with one line per row, and without spaces at the ends of lines.
func (s Screen) table(b *bytes.Buffer, t table) error {
	if len(t.title) > 0 {
		s.paragraph(b, t.title, gap)
	}
	all := columnsOf(t)
	columns := s.fitted(slices.Clone(all))
	tall := 0
	for _, c := range columns {
		tall = max(tall, strings.Count(c.header, "\n"))
	}
	headers, rows := make([]string, len(columns)), make([][]string, len(t.rows))
	for i, c := range columns {
		lines := strings.Split(c.header, "\n")
		for j, l := range lines {
			lines[j] = s.coloured(plain(l).in(strong))
		}
		headers[i] = strings.Repeat("\n", tall+1-len(lines)) + strings.Join(lines, "\n") // all end at the rule
		for j, cell := range c.cells {
			text := s.coloured(cell)
			rows[j] = append(rows[j], Screen{Width: c.width}.Cut(text))
		}
	}
	form := renderer.NewBlueprint(tw.Rendition{
		Symbols: tw.NewSymbolCustom("rule").WithColumn(gap).WithRow("─").WithCenter("──"), Borders: tw.BorderNone,
	})
	var made bytes.Buffer
	err := layout(&made, form, tw.PaddingNone, headers, rows, func(i int) bool { return columns[i].number })
	for l := range strings.Lines(made.String()) {
		b.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	if absent := absentCategories(all, columns); len(absent) > 0 {
		s.paragraph(b, say(plain("not shown at this width: "), list(absent),
			plain("; --wide shows "+text.Verb(len(absent), "it", "them"))), gap)
	}
	return err
}

// absentCategories names the categories whose columns do not fit on a narrow terminal.
func absentCategories(all, shown []laidColumn) (names []line) {
	for _, c := range all {
		there := slices.ContainsFunc(shown, func(s laidColumn) bool { return s.leaves == c.leaves })
		if c.leaves >= categoryLeaves && !there {
			names = append(names, c.column.header)
		}
	}
	return names
}

// stacked breaks a header over lines: this program's headers at their line breaks, and the name of a category
// at underscores, since such names are long and their counts are short.
func stacked(header line) string {
	if len(header) == 1 && header[0].kind != ours {
		return strings.ReplaceAll(Clean(header[0].text), "_", "\n")
	}
	return cleaned(header).String()
}

// width returns the number of terminal columns of a text, without its colours.
func width(s string) int { return twwidth.WidthWithOptions(s, twwidth.Options{}) }

// Cut shortens a line to the screen's width.
func (s Screen) Cut(line string) string {
	if s.Width == 0 || width(line) <= s.Width {
		return line
	}
	return twwidth.Truncate(line, s.Width, "…")
}

// writeCSV writes the columns for programs, one row for each r: numbers in full precision, empty if undefined.
func writeCSV[R any](w io.Writer, columns []Column[R], rows iter.Seq2[R, error]) error {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c Column[R]) bool { return c.Name == "" })
	out := csv.NewWriter(w)
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = Sheet(c.Name)
	}
	_ = out.Write(cells) // an error is kept until the end
	for r, err := range rows {
		if err != nil {
			return err
		}
		for i, c := range columns {
			text, words := exact(c.Value(r))
			if words {
				text = Sheet(text)
			}
			cells[i] = text
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// sequence gives the values of a list.
func sequence[R any](rows []R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// object encodes the values for programs as a JSON object, with the names in their order.
func object[R any](columns []Column[R], r R) (json.RawMessage, error) {
	var b bytes.Buffer
	for _, c := range columns {
		if c.Name == "" {
			continue
		}
		value, err := json.Marshal(c.Value(r))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, ",%q:%s", c.Name, value)
	}
	return append(append([]byte("{"), bytes.TrimPrefix(b.Bytes(), []byte(","))...), '}'), nil
}

// exact formats a value in full precision, and reports whether it is text; "" for a nil pointer.
func exact(v any) (text string, words bool) {
	x := reflect.ValueOf(v)
	if x.Kind() == reflect.Pointer {
		x = x.Elem()
	}
	switch x.Kind() {
	case reflect.Int:
		return strconv.FormatInt(x.Int(), 10), false
	case reflect.Float64:
		return strconv.FormatFloat(x.Float(), 'g', -1, 64), false
	case reflect.String:
		return x.String(), true
	}
	return "", false
}

// low returns the lower end of an interval; nil without one.
func low(ci *result.Interval) any {
	if ci == nil {
		return nil
	}
	return ci.Low
}

// high returns the upper end of an interval; nil without one.
func high(ci *result.Interval) any {
	if ci == nil {
		return nil
	}
	return ci.High
}

var plainNumber = lazy.Compile(`^[-+]?\d+(\.\d+)?$`)

// Sheet makes text from other sources safe for a terminal and for a spreadsheet, which could run it as a
// formula. Numbers are unchanged.
func Sheet(text string) string {
	if plainNumber.MatchString(text) {
		return text
	}
	if start, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \n")); strings.ContainsRune("=+-@\t\r＝＋－＠", start) {
		text = "'" + text
	}
	return Printable(text)
}
