package value

import (
	"slices"
	"strconv"
	"strings"
)

// baseUnits are the units in which quantities are expressed. Degrees and radians are two of them because no rational
// converts one to the other; calendar months are one because they have no fixed number of seconds.
var baseUnits = [...]string{"bit", "deg", "rad", "kg", "m", "month", "s", "A", "K", "mol", "cd"}

// The places of the base units with rules of their own.
const (
	degree, radian, month, second, kelvin = 1, 2, 5, 6, 8
)

// Dimension holds the exponent of each base unit: bits, degrees, radians, kilograms, metres,
// months, seconds, amperes, kelvins, moles, candelas. The zero value is that of plain numbers.
type Dimension [len(baseUnits)]int8

// maxPower limits the exponents of a unit and of a dimension, so that a key can be read back.
const maxPower = 9

// Plain reports whether it is the dimension of plain numbers.
func (d Dimension) Plain() bool { return d == Dimension{} }

// times adds e times the exponents of f. ok is false where they grow too large.
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

// String writes the dimension as a unit that is read back: kg·m^2·s^-2, 1 for a plain number.
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

// convertible reports whether two different dimensions might still measure the same
// thing: degrees and radians, months and seconds, or one of them without a unit.
func (d Dimension) convertible(e Dimension) bool {
	merged := func(d Dimension) Dimension {
		d[second] += d[month]
		d[month], d[degree], d[radian] = 0, 0, 0
		return d
	}
	return d.Plain() || e.Plain() || merged(d) == merged(e)
}
