package offline

import (
	"math/big"
	"slices"
	"strings"
	"sync"
)

// measure is a number with its unit, if any.
type measure struct {
	value *big.Rat
	unit  unit
}

func yearMeasure(year int) measure { return measure{value: new(big.Rat).SetInt64(int64(year))} }

// unitSymbols are the short signs of units that only stand in short answers.
var unitSymbols = sync.OnceValue(func() map[string]string {
	return map[string]string{"g": "gram", "l": "litre", "L": "litre", "s": "second", "h": "hour", "min": "minute", "W": "watt", "kW": "kilowatt", "J": "joule", "Pa": "pascal"}
})

// definedUnits gives the exact size of units in the base unit of their dimension, as
// agreements define them: metre, gram, second.
var definedUnits = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(`inch 0.0254
foot 0.3048
yard 0.9144
mile 1609.344
nautical mile 1852
pound 453.59237
ounce 28.349523125
minute 60
hour 3600
day 86400
week 604800
kilowatt 1000
watt 1
`) {
		i := strings.LastIndexByte(line, ' ')
		m[line[:i]] = strings.TrimSpace(line[i+1:])
	}
	return m
})

// inBase gives a measure in the base unit of its dimension, where that is defined.
func (m measure) inBase() (*big.Rat, bool) {
	v := new(big.Rat).Set(m.value)
	if m.unit.metric {
		return tenfold(v, m.unit.scale), true
	}
	switch m.unit.name {
	case "degree Celsius":
		return v, true
	case "degree Fahrenheit":
		return v.Mul(v.Sub(v, big.NewRat(32, 1)), big.NewRat(5, 9)), true
	case "kelvin":
		return v.Sub(v, big.NewRat(27315, 100)), true
	}
	size, ok := new(big.Rat).SetString(definedUnits()[m.unit.name])
	if !ok {
		return v, false
	}
	return v.Mul(v, size), true
}

// sameMeasure says whether two numbers are one value. A number without a unit has that of
// the other, or the one that the question wants; per cent only where the question asks
// for a share.
func sameMeasure(a, b measure, wanted unit, share bool) bool {
	if a.unit.name == "" && b.unit.name != "" {
		a, b = b, a
	}
	x, y := new(big.Rat).Set(a.value), new(big.Rat).Set(b.value)
	if b.unit.name == "" {
		b.unit = wanted
	}
	switch {
	case a.unit.name == "":
		return x.Cmp(y) == 0
	case b.unit.name == "":
		return x.Cmp(y) == 0 && (a.unit.name != "percent" || share) || share && a.unit.name == "percent" && x.Cmp(y.Mul(y, big.NewRat(100, 1))) == 0
	case a.unit.name == b.unit.name:
		return x.Cmp(y) == 0
	case a.unit.name == "degree" && b.unit.dim == "temperature", b.unit.name == "degree" && a.unit.dim == "temperature":
		return x.Cmp(y) == 0
	case a.unit.dim != b.unit.dim:
		return false
	}
	p, okA := a.inBase()
	q, okB := b.inBase()
	return okA && okB && p.Cmp(q) == 0
}

func tenfold(r *big.Rat, power int) *big.Rat {
	ten := new(big.Rat).SetInt64(power10(max(power, -power)))
	if power < 0 {
		ten.Inv(ten)
	}
	return r.Mul(r, ten)
}

// sameMeasures compares two rows of numbers, in any order where both are lists.
func sameMeasures(a, b []measure, anyOrder bool, wanted unit, share bool) bool {
	if len(a) != len(b) {
		return false
	}
	left := slices.Clone(b)
	for _, x := range a {
		at := slices.IndexFunc(left, func(y measure) bool { return sameMeasure(x, y, wanted, share) })
		if at < 0 || at > 0 && !anyOrder {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}
