package offline

import (
	"strings"
	"sync"
)

// unit is a unit word of the language. scale is the power of ten to the metric base unit
// of its dimension; units without one ("mile") need a factor that a search must bring.
type unit struct {
	name   string // singular, as queries and answers write it
	dim    string
	scale  int
	metric bool
	sort   string // the word that tells units of one name apart, as the text has it: "imperial"
}

// unitTable: dimension, then the units. A group is "name=other forms"; "^n" gives the power
// of ten to the dimension's metric base unit.
const unitTable = `
length: metre^0=meter,metres,meters,m kilometre^3=kilometer,kilometres,kilometers,km centimetre^-2=centimeter,centimetres,centimeters,cm millimetre^-3=millimeter,millimetres,millimeters,mm mile=miles,mi foot=feet,ft yard=yards,yd inch=inches fathom=fathoms furlong=furlongs league=leagues nautical_mile=nautical_miles light-year=light-years astronomical_unit=astronomical_units parsec=parsecs
area: square_kilometre^6=square_kilometres,square_kilometer,square_kilometers,km2,sq_km,km² square_metre^0=square_metres,square_meters,square_meter,m2 square_mile=square_miles,sq_mi hectare^4=hectares acre=acres square_foot=square_feet
volume: cubic_metre^3=cubic_metres,cubic_meters cubic_kilometre^12=cubic_kilometres,cubic_kilometers litre^0=litres,liter,liters gallon=gallons pint=pints
mass: kilogram^3=kilograms,kg gram^0=grams,gramme,grammes tonne^6=tonnes pound=pounds,lb,lbs ounce=ounces,oz ton=tons stone=stones carat=carats
time: second^0=seconds minute=minutes hour=hours day=days week=weeks month=months year=years decade=decades century=centuries
temperature: degree_Celsius=degrees_Celsius,°C,degrees_centigrade,C degree_Fahrenheit=degrees_Fahrenheit,°F,F kelvin=kelvins,K
speed: kilometre_per_second=kilometres_per_second,kilometers_per_second,km/s metre_per_second=metres_per_second,meters_per_second,m/s kilometre_per_hour=kilometres_per_hour,kilometers_per_hour,km/h mile_per_hour=miles_per_hour,mph knot=knots
percent: percent=%,per_cent
power: watt=watts kilowatt=kilowatts horsepower=horsepower
energy: joule=joules calorie=calories
pressure: pascal=pascals bar=bars atmosphere=atmospheres
angle: degree=degrees,°
`

type unitIndex struct {
	forms map[string]unit // by lower-case form, words joined by a space
	most  int             // longest form in words
}

var units = sync.OnceValue(func() unitIndex {
	ix := unitIndex{forms: map[string]unit{}, most: 1}
	for line := range strings.Lines(unitTable) {
		dim, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		for _, group := range strings.Fields(rest) {
			head, others, _ := strings.Cut(group, "=")
			name, scale, metric := strings.Cut(head, "^")
			u := unit{name: strings.ReplaceAll(name, "_", " "), dim: dim, metric: metric, scale: smallInt(scale)}
			for _, f := range append(strings.Split(others, ","), name) {
				f = strings.ToLower(strings.ReplaceAll(f, "_", " "))
				if f == "" {
					continue
				}
				ix.forms[f] = u
				ix.most = max(ix.most, len(strings.Fields(f)))
			}
		}
	}
	return ix
})

// smallInt reads the short integers of the table above; anything else is 0.
func smallInt(s string) int {
	n, sign := 0, 1
	for i, c := range s {
		switch {
		case i == 0 && c == '-':
			sign = -1
		case c >= '0' && c <= '9':
			n = n*10 + int(c-'0')
		default:
			return 0
		}
	}
	return sign * n
}

// unitAt reads the longest unit form that starts at w[i] and says how many tokens it takes.
func unitAt(w []word, i int) (unit, int) {
	ix := units()
	form, best, size := "", unit{}, 0
	for n := 0; n < ix.most+2 && i+n < len(w); n++ {
		if n > 0 && w[i+n].start > w[i+n-1].end {
			form += " "
		}
		form += w[i+n].low
		if u, ok := ix.forms[form]; ok && !(size == 0 && ambiguousUnit(w[i+n].text)) {
			best, size = u, n+1
		}
	}
	return best, size
}

// ambiguousUnit keeps single letters that are units only in their usual case.
func ambiguousUnit(text string) bool {
	switch text {
	case "M", "f", "c", "k":
		return true
	default:
		return false
	}
}

// unitNamed finds the unit that a phrase names, "kilometres" or "square miles".
func unitNamed(phrase string) (unit, bool) {
	w := tokens(phrase)
	if len(w) == 0 {
		return unit{}, false
	}
	u, n := unitAt(w, 0)
	return u, n == len(w) && n > 0
}

// plural gives the form that queries use.
func (u unit) plural() string {
	switch u.name {
	case "foot":
		return "feet"
	case "inch":
		return "inches"
	case "century":
		return "centuries"
	case "square foot":
		return "square feet"
	case "percent", "horsepower", "":
		return u.name
	}
	if head, tail, ok := strings.Cut(u.name, " per "); ok {
		return head + "s per " + tail
	}
	if strings.HasPrefix(u.name, "degree ") {
		return "degrees" + u.name[len("degree"):]
	}
	return u.name + "s"
}
