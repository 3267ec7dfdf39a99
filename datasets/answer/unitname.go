package answer

import "strings"

// unitName knows the names of units, in lower case and in the singular or plural.
func unitName(s string) (knownUnit, bool) {
	s = strings.Replace(s, "degrees ", "degree ", 1)
	for _, singular := range []string{s, strings.TrimSuffix(s, "s"), strings.TrimSuffix(s, "es")} {
		if k, ok := namedUnit(singular); ok {
			return k, true
		}
		if symbol := symbolOf(singular); symbol != "" {
			return unitSymbol(symbol)
		}
	}
	return knownUnit{}, false
}

// symbolOf returns the symbol of a unit with a name in the singular.
func symbolOf(name string) string {
	switch name {
	case "metre", "meter":
		return "m"
	case "gram", "gramme":
		return "g"
	case "second":
		return "s"
	case "ampere", "amp":
		return "A"
	case "kelvin":
		return "K"
	case "mole":
		return "mol"
	case "candela":
		return "cd"
	case "bit", "bar", "erg":
		return name
	case "degree", "degree of arc":
		return "deg"
	case "radian":
		return "rad"
	case "arcminute", "minute of arc", "arc minute":
		return "arcmin"
	case "arcsecond", "second of arc", "arc second":
		return "arcsec"
	case "celsius", "centigrade", "degree celsius", "degree centigrade", "degree c", "° c", "deg c", "deg celsius", "°celsius":
		return "°C"
	case "fahrenheit", "degree fahrenheit", "degree f", "° f", "deg f", "deg fahrenheit", "°fahrenheit":
		return "°F"
	case "inch", "inche":
		return "in"
	case "foot", "feet":
		return "ft"
	case "yard":
		return "yd"
	case "mile", "statute mile":
		return "mi"
	case "nautical mile":
		return "nmi"
	case "angstrom", "ångström", "ångstrom":
		return "Å"
	case "astronomical unit":
		return "au"
	case "light year", "lightyear":
		return "ly"
	case "hectare":
		return "ha"
	case "acre":
		return "ac"
	case "litre", "liter":
		return "L"
	case "gallon", "us gallon":
		return "gal"
	case "barrel":
		return "bbl"
	case "tonne", "metric ton", "metric tonne":
		return "t"
	case "pound", "pound mass":
		return "lb"
	case "ounce":
		return "oz"
	case "carat":
		return "ct"
	}
	return symbolOfRate(name)
}

func symbolOfRate(name string) string {
	switch name {
	case "minute":
		return "min"
	case "hour":
		return "h"
	case "day":
		return "d"
	case "week":
		return "wk"
	case "month":
		return "month"
	case "year", "calendar year":
		return "yr"
	case "hertz":
		return "Hz"
	case "becquerel":
		return "Bq"
	case "revolution per minute":
		return "rpm"
	case "knot", "kt":
		return "kn"
	case "newton":
		return "N"
	case "pound force":
		return "lbf"
	case "dyne":
		return "dyn"
	case "pascal":
		return "Pa"
	case "atmosphere", "standard atmosphere":
		return "atm"
	case "torr":
		return "Torr"
	case "joule":
		return "J"
	case "calorie":
		return "cal"
	case "watt hour", "watthour":
		return "Wh"
	case "electronvolt", "electron volt":
		return "eV"
	case "btu", "british thermal unit":
		return "BTU"
	case "watt":
		return "W"
	case "horsepower":
		return "hp"
	case "byte":
		return "B"
	case "volt":
		return "V"
	case "ohm":
		return "ohm"
	}
	return ""
}

// namedUnit knows the units that have a name and no symbol of their own.
func namedUnit(name string) (knownUnit, bool) {
	volume, mass := dimension{metre: 3}, dimension{kilogram: 1}
	switch name {
	case "micron":
		return of(dimension{metre: 1}, "1e-6", noPrefix)
	case "fathom":
		return of(dimension{metre: 1}, "1.8288", noPrefix)
	case "furlong":
		return of(dimension{metre: 1}, "201.168", noPrefix)
	case "imperial gallon", "uk gallon":
		return of(volume, "0.00454609", noPrefix)
	case "quart", "us quart":
		return of(volume, "0.000946352946", noPrefix)
	case "pint", "us pint":
		return of(volume, "0.000473176473", noPrefix)
	case "cup", "us cup":
		return of(volume, "0.0002365882365", noPrefix)
	case "fluid ounce", "fl oz", "us fluid ounce":
		return of(volume, "0.0000295735295625", noPrefix)
	case "tablespoon":
		return of(volume, "0.00001478676478125", noPrefix)
	case "teaspoon":
		return of(volume, "0.00000492892159375", noPrefix)
	case "stone":
		return of(mass, "6.35029318", noPrefix)
	case "short ton", "us ton":
		return of(mass, "907.18474", noPrefix)
	case "long ton", "imperial ton":
		return of(mass, "1016.0469088", noPrefix)
	case "fortnight":
		return of(dimension{second: 1}, "1209600", noPrefix)
	case "decade":
		return of(dimension{month: 1}, "120", noPrefix)
	case "century", "centurie":
		return of(dimension{month: 1}, "1200", noPrefix)
	case "millennium", "millennia":
		return of(dimension{month: 1}, "12000", noPrefix)
	case "turn", "full turn":
		return of(dimension{degree: 1}, "360", noPrefix)
	case "foot pound":
		return of(dimension{kilogram: 1, metre: 2, second: -2}, "1.3558179483314004", noPrefix)
	}
	return knownUnit{}, false
}

// prefixName cuts a prefix in words off a name and returns its symbol.
func prefixName(s string) (symbol, rest string, ok bool) {
	for _, p := range [][2]string{
		{"quetta", "Q"}, {"ronna", "R"}, {"yotta", "Y"}, {"zetta", "Z"}, {"exa", "E"}, {"peta", "P"}, {"tera", "T"},
		{"giga", "G"}, {"mega", "M"}, {"kilo", "k"}, {"hecto", "h"}, {"deca", "da"}, {"deci", "d"}, {"centi", "c"},
		{"milli", "m"}, {"micro", "µ"}, {"nano", "n"}, {"pico", "p"}, {"femto", "f"}, {"atto", "a"},
		{"kibi", "Ki"}, {"mebi", "Mi"}, {"gibi", "Gi"}, {"tebi", "Ti"}, {"pebi", "Pi"}, {"exbi", "Ei"},
	} {
		if rest, found := strings.CutPrefix(s, p[0]); found {
			return p[1], rest, true
		}
	}
	return "", s, false
}
