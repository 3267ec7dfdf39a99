package answer

import (
	"math/big"
	"strings"
)

// unit is what a number counts: base value = number × factor + offset.
type unit struct {
	name           string // as written, for reasons
	dim            dimension
	factor, offset *big.Rat // offset is nil but for °C and °F
}

// prefixes says which prefixes a unit takes.
type prefixes int

const (
	noPrefix    prefixes = iota
	anyPrefix            // nano to yotta: km, mW
	largePrefix          // kilo and above: MHz, kt
	dataPrefix           // kilo and above, and the binary ones: MB, MiB
)

// knownUnit is an entry of the tables.
type knownUnit struct {
	unit
	takes prefixes
}

// of builds an entry. The factor is exact: the definition of the unit.
func of(dim dimension, factor string, takes prefixes) (knownUnit, bool) {
	f, ok := new(big.Rat).SetString(factor)
	return knownUnit{unit{dim: dim, factor: f}, takes}, ok
}

// shifted builds an entry of a scale whose zero is not absolute zero.
func shifted(factor, offset string) (knownUnit, bool) {
	k, ok := of(dimension{kelvin: 1}, factor, noPrefix)
	k.offset, _ = new(big.Rat).SetString(offset)
	return k, ok
}

// unitSymbol knows the symbols of units, as written: m is metre, M is none.
func unitSymbol(s string) (knownUnit, bool) {
	for _, table := range []func(string) (knownUnit, bool){
		baseSymbol, spaceSymbol, massSymbol, timeSymbol, mechanicsSymbol, energySymbol, dataSymbol, electricSymbol,
	} {
		if k, ok := table(s); ok {
			return k, true
		}
	}
	return knownUnit{}, false
}

func baseSymbol(s string) (knownUnit, bool) {
	switch s {
	case "m":
		return of(dimension{metre: 1}, "1", anyPrefix)
	case "g":
		return of(dimension{kilogram: 1}, "1/1000", anyPrefix)
	case "s":
		return of(dimension{second: 1}, "1", anyPrefix)
	case "A":
		return of(dimension{ampere: 1}, "1", anyPrefix)
	case "K":
		return of(dimension{kelvin: 1}, "1", anyPrefix)
	case "mol":
		return of(dimension{mole: 1}, "1", anyPrefix)
	case "cd":
		return of(dimension{candela: 1}, "1", anyPrefix)
	case "month":
		return of(dimension{month: 1}, "1", noPrefix)
	case "rad":
		return of(dimension{radian: 1}, "1", anyPrefix)
	case "deg", "°":
		return of(dimension{degree: 1}, "1", noPrefix)
	case "arcmin":
		return of(dimension{degree: 1}, "1/60", noPrefix)
	case "arcsec":
		return of(dimension{degree: 1}, "1/3600", anyPrefix)
	case "°C", "degC", "C":
		return shifted("1", "273.15")
	case "°F", "degF", "F":
		return shifted("5/9", "45967/180")
	}
	return knownUnit{}, false
}

func spaceSymbol(s string) (knownUnit, bool) {
	length, area, volume := dimension{metre: 1}, dimension{metre: 2}, dimension{metre: 3}
	switch s {
	case "in":
		return of(length, "0.0254", noPrefix)
	case "ft":
		return of(length, "0.3048", noPrefix)
	case "yd":
		return of(length, "0.9144", noPrefix)
	case "mi":
		return of(length, "1609.344", noPrefix)
	case "nmi":
		return of(length, "1852", noPrefix)
	case "Å":
		return of(length, "1e-10", noPrefix)
	case "au", "AU":
		return of(length, "149597870700", noPrefix)
	case "ly":
		return of(length, "9460730472580800", largePrefix)
	case "ha":
		return of(area, "10000", noPrefix)
	case "ac":
		return of(area, "4046.8564224", noPrefix)
	case "L", "l":
		return of(volume, "1/1000", anyPrefix)
	case "cc":
		return of(volume, "1e-6", noPrefix)
	case "gal":
		return of(volume, "0.003785411784", noPrefix)
	case "bbl":
		return of(volume, "0.158987294928", noPrefix)
	}
	return knownUnit{}, false
}

func massSymbol(s string) (knownUnit, bool) {
	mass := dimension{kilogram: 1}
	switch s {
	case "t":
		return of(mass, "1000", largePrefix)
	case "lb", "lbs":
		return of(mass, "0.45359237", noPrefix)
	case "oz":
		return of(mass, "0.028349523125", noPrefix)
	case "ct":
		return of(mass, "0.0002", noPrefix)
	}
	return knownUnit{}, false
}

func timeSymbol(s string) (knownUnit, bool) {
	time := dimension{second: 1}
	switch s {
	case "sec", "secs":
		return of(time, "1", noPrefix)
	case "min", "mins":
		return of(time, "60", noPrefix)
	case "h", "hr", "hrs":
		return of(time, "3600", noPrefix)
	case "d":
		return of(time, "86400", noPrefix)
	case "wk", "wks":
		return of(time, "604800", noPrefix)
	case "mo":
		return of(dimension{month: 1}, "1", noPrefix)
	case "yr", "yrs":
		return of(dimension{month: 1}, "12", largePrefix)
	case "Hz":
		return of(dimension{second: -1}, "1", largePrefix)
	case "Bq":
		return of(dimension{second: -1}, "1", largePrefix)
	case "rpm":
		return of(dimension{second: -1}, "1/60", noPrefix)
	}
	return knownUnit{}, false
}

func mechanicsSymbol(s string) (knownUnit, bool) {
	speed := dimension{metre: 1, second: -1}
	force := dimension{kilogram: 1, metre: 1, second: -2}
	pressure := dimension{kilogram: 1, metre: -1, second: -2}
	switch s {
	case "mph":
		return of(speed, "0.44704", noPrefix)
	case "kph", "kmh":
		return of(speed, "5/18", noPrefix)
	case "kn":
		return of(speed, "463/900", noPrefix)
	case "N":
		return of(force, "1", anyPrefix)
	case "lbf":
		return of(force, "4.4482216152605", noPrefix)
	case "kgf":
		return of(force, "9.80665", noPrefix)
	case "dyn":
		return of(force, "1e-5", noPrefix)
	case "Pa":
		return of(pressure, "1", anyPrefix)
	case "bar":
		return of(pressure, "100000", anyPrefix)
	case "atm":
		return of(pressure, "101325", noPrefix)
	case "mmHg":
		return of(pressure, "133.322387415", noPrefix)
	case "Torr", "torr":
		return of(pressure, "20265/152", noPrefix)
	case "psi":
		return of(pressure, "8896443230521/1290320000", noPrefix)
	}
	return knownUnit{}, false
}

func energySymbol(s string) (knownUnit, bool) {
	energy := dimension{kilogram: 1, metre: 2, second: -2}
	power := dimension{kilogram: 1, metre: 2, second: -3}
	switch s {
	case "J":
		return of(energy, "1", anyPrefix)
	case "cal":
		return of(energy, "4.184", largePrefix)
	case "Cal":
		return of(energy, "4184", noPrefix)
	case "Wh":
		return of(energy, "3600", anyPrefix)
	case "eV":
		return of(energy, "1.602176634e-19", anyPrefix)
	case "BTU", "Btu":
		return of(energy, "1055.05585262", noPrefix)
	case "erg":
		return of(energy, "1e-7", noPrefix)
	case "W":
		return of(power, "1", anyPrefix)
	case "hp":
		return of(power, "745.69987158227022", noPrefix)
	}
	return knownUnit{}, false
}

// dataSymbol tells bytes from bits by case. KB is common for kB.
func dataSymbol(s string) (knownUnit, bool) {
	data := dimension{bit: 1}
	switch s {
	case "bit":
		return of(data, "1", dataPrefix)
	case "b":
		return of(data, "1", dataPrefix)
	case "B":
		return of(data, "8", dataPrefix)
	case "KB":
		return of(data, "8000", noPrefix)
	case "bps":
		return of(dimension{bit: 1, second: -1}, "1", dataPrefix)
	}
	return knownUnit{}, false
}

func electricSymbol(s string) (knownUnit, bool) {
	volt := dimension{kilogram: 1, metre: 2, second: -3, ampere: -1}
	switch s {
	case "V":
		return of(volt, "1", anyPrefix)
	case "Ω", "ω", "ohm":
		return of(dimension{kilogram: 1, metre: 2, second: -3, ampere: -2}, "1", anyPrefix)
	case "Ah":
		return of(dimension{second: 1, ampere: 1}, "3600", anyPrefix)
	}
	return knownUnit{}, false
}

// prefixSymbol cuts a prefix off a symbol and returns its factor.
func prefixSymbol(s string, binary bool) (factor *big.Rat, rest string, large, ok bool) {
	if binary && len(s) > 2 && s[1] == 'i' {
		if power := strings.IndexByte(" KMGTPEZY", s[0]); power > 0 {
			return pow(big.NewRat(1024, 1), power), s[2:], true, true
		}
	}
	for _, p := range []struct {
		text  string
		power int
	}{
		{"da", 1}, {"Q", 30}, {"R", 27}, {"Y", 24}, {"Z", 21}, {"E", 18}, {"P", 15}, {"T", 12}, {"G", 9}, {"M", 6},
		{"k", 3}, {"h", 2}, {"d", -1}, {"c", -2}, {"m", -3}, {"µ", -6}, {"μ", -6}, {"u", -6}, {"n", -9}, {"p", -12},
		{"f", -15}, {"a", -18}, {"z", -21}, {"y", -24},
	} {
		if rest, found := strings.CutPrefix(s, p.text); found && rest != "" {
			return pow(big.NewRat(10, 1), p.power), rest, p.power >= 3, true
		}
	}
	return nil, s, false, false
}
