package value

import (
	"slices"
	"strconv"
	"strings"
)

// baseUnits are the units in which quantities are expressed. Degrees and radians are both base units, because
// no rational number converts between them. Calendar months are a base unit, because they have no fixed number
// of seconds.
var baseUnits = [...]string{"bit", "deg", "rad", "kg", "m", "month", "s", "A", "K", "mol", "cd"}

// The indexes of base units with special rules.
const (
	degree, radian, month, second, kelvin = 1, 2, 5, 6, 8
)

// Dimension has the exponent of each base unit: bits, degrees, radians, kilograms, metres, months, seconds,
// amperes, kelvins, moles, candelas. The zero value is the dimension of plain numbers.
type Dimension [len(baseUnits)]int8

// maxPower is the maximum exponent of a unit and of a dimension. The limit makes sure that a key that was
// written can be read again.
const maxPower = 9

// Plain reports whether d is the dimension of plain numbers.
func (d Dimension) Plain() bool { return d == Dimension{} }

// times adds e times the exponents of f. ok is false if an exponent becomes too large.
func (d Dimension) times(f Dimension, e int) (product Dimension, ok bool) {
	for i := range d {
		power := int(d[i]) + int(f[i])*e
		if power > maxPower || power < -maxPower {
			return d, false
		}
		d[i] = int8(power)
	}
	return d, true
}

// String returns the dimension as a unit that can be read again: kg·m^2·s^-2; 1 for a plain number.
func (d Dimension) String() string {
	var factors []string
	for i, power := range d {
		switch power {
		case 0:
		case 1:
			factors = append(factors, baseUnits[i])
		default:
			factors = append(factors, baseUnits[i]+"^"+strconv.Itoa(int(power)))
		}
	}
	if len(factors) == 0 {
		return "1"
	}
	return strings.Join(factors, "·")
}

// dimension reads a cell such as kg·m^2·s^-2.
func dimension(cell string) (d Dimension) {
	for factor := range strings.SplitSeq(cell, "·") {
		name, power, raised := strings.Cut(factor, "^")
		e := 1
		if raised {
			e, _ = strconv.Atoi(power)
		}
		d[slices.Index(baseUnits[:], name)] = int8(e)
	}
	return d
}

// convertible reports whether quantities of two different dimensions may be equal. These are degrees and
// radians, months and seconds, and a quantity and a number without a unit.
func (d Dimension) convertible(e Dimension) bool {
	merged := func(d Dimension) Dimension {
		d[second] += d[month]
		d[month], d[degree], d[radian] = 0, 0, 0
		return d
	}
	return d.Plain() || e.Plain() || merged(d) == merged(e)
}
