package table

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Commas detects whether the numbers of a column have decimal commas, as in most of Europe. The zero value is
// ready to use.
type Commas struct {
	comma, point int // numbers that can only be read with a decimal comma, or only with a decimal point
}

var (
	// figure is a number and the signs around it: € 1.234,50 or 12,5 %.
	figure = lazy.Compile(`^([^\d\n]{0,8}?[-+]?)(\d[\d.,' \x{00a0}\x{202f}]*\d|\d)([^\d\n]{0,20})$`)
	// byComma and byPoint match numbers with only one reading. A single comma or point before three digits has
	// two.
	byComma = lazy.Compile(`^\d+,(\d{1,2}|\d{4,})$|^\d{1,3}([.' \x{00a0}\x{202f}]\d{3})+,\d+$|` +
		`^0,\d+$|^\d{1,3}(\.\d{3}){2,}$`)
	byPoint = lazy.Compile(`^\d+\.(\d{1,2}|\d{4,})$|^\d{1,3}([,' \x{00a0}\x{202f}]\d{3})+\.\d+$|` +
		`^0\.\d+$|^\d{1,3}(,\d{3}){2,}$`)
	// commaNumber matches a number with a decimal comma, or without decimals.
	commaNumber = lazy.Compile(`^\d+(,\d+)?$|^\d{1,3}([.' \x{00a0}\x{202f}]\d{3})+(,\d+)?$`)
)

// See counts a cell of the column.
func (c *Commas) See(cell string) {
	if m := figure.FindStringSubmatch(strings.TrimSpace(cell)); m != nil {
		if byComma.MatchString(m[2]) {
			c.comma++
		} else if byPoint.MatchString(m[2]) {
			c.point++
		}
	}
}

// Decimal reports whether the column has decimal commas: some numbers have no other reading, and none needs a
// decimal point.
func (c *Commas) Decimal() bool { return c.comma > 0 && c.point == 0 }

// Pointed returns a cell of a column with decimal commas in the usual form: 1234.5 for 1.234,5. Cells that
// are not numbers are returned unchanged.
func Pointed(cell string) string {
	m := figure.FindStringSubmatch(strings.TrimSpace(cell))
	if m == nil || !commaNumber.MatchString(m[2]) {
		return cell
	}
	whole, fraction, has := strings.Cut(m[2], ",")
	whole = strings.NewReplacer(".", "", "'", "", " ", "", "\u00a0", "", "\u202f", "").Replace(whole)
	if has {
		whole += "." + fraction
	}
	return m[1] + whole + m[3]
}
