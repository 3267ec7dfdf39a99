package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func TestQuantityKeys(t *testing.T) {
	for raw, want := range map[string]string{
		"3 km":                          "qty:3000:m",
		"3000 m":                        "qty:3000:m",
		"3,000 metres":                  "qty:3000:m",
		"3 Kilometers":                  "qty:3000:m",
		"3 KM":                          "qty:3000:m",
		"three kilometres":              "qty:3000:m",
		"5 million km":                  "qty:5000000000:m",
		"1 in":                          "qty:127/5000:m",
		"1 inch":                        "qty:127/5000:m",
		"1 mile":                        "qty:201168/125:m",
		"6 ft 2 in":                     "qty:4699/2500:m",
		"6 feet, 2 inches":              "qty:4699/2500:m",
		"-6 ft 2 in":                    "qty:-4699/2500:m",
		"26.2 miles long":               key("26.2 mi", answer.Quantity),
		"1 nautical mile":               "qty:1852:m",
		"1 light-year":                  "qty:9460730472580800:m",
		"5 ㎏":                           "qty:5:kg",
		"1 lb":                          "qty:45359237/100000000:kg",
		"1 tonne":                       "qty:1000:kg",
		"1 ton":                         "ambiguous:1 ton",
		"90 min":                        "qty:5400:s",
		"1 h 30 min":                    "qty:5400:s",
		"1 hour and 30 minutes":         "qty:5400:s",
		"2 years":                       "qty:24:month",
		"24 months":                     "qty:24:month",
		"5 ha":                          "qty:50000:m^2",
		"5㎡":                            "qty:5:m^2",
		"5 m²":                          "qty:5:m^2",
		"5 square metres":               "qty:5:m^2",
		"5 sq km":                       "qty:5000000:m^2",
		"1 L":                           "qty:1/1000:m^3",
		"250 ml":                        "qty:1/4000:m^3",
		"1 cubic centimetre":            "qty:1/1000000:m^3",
		"1 US gallon":                   "qty:473176473/125000000000:m^3",
		"36 km/h":                       "qty:10:m·s^-1",
		"36 kilometres per hour":        "qty:10:m·s^-1",
		"10 m s⁻¹":                      "qty:10:m·s^-1",
		"10 mph":                        "qty:2794/625:m·s^-1",
		"9.8 m/s²":                      "qty:49/5:m·s^-2",
		"9.8 metres per second squared": "qty:49/5:m·s^-2",
		"0 °C":                          "qty:5463/20:K",
		"32 °F":                         "qty:5463/20:K",
		"32 degrees Fahrenheit":         "qty:5463/20:K",
		"273.15 K":                      "qty:5463/20:K",
		"-40°C":                         key("-40 °F", answer.Quantity),
		"1 kWh":                         "qty:3600000:kg·m^2·s^-2",
		"3.6 MJ":                        "qty:3600000:kg·m^2·s^-2",
		"1 KWH":                         "qty:3600000:kg·m^2·s^-2",
		"1 kcal":                        "qty:4184:kg·m^2·s^-2",
		"5 N·m":                         "qty:5:kg·m^2·s^-2",
		"5 MW":                          "qty:5000000:kg·m^2·s^-3",
		"5 mW":                          "qty:1/200:kg·m^2·s^-3",
		"5 mw":                          "ambiguous:5 mw",
		"1 bar":                         "qty:100000:kg·m^-1·s^-2",
		"1 atm":                         "qty:101325:kg·m^-1·s^-2",
		"2.4 GHz":                       "qty:2400000000:s^-1",
		"2.4 ghz":                       "qty:2400000000:s^-1",
		"8 kB":                          "qty:64000:bit",
		"8 KiB":                         "qty:65536:bit",
		"8 kilobytes":                   "qty:64000:bit",
		"8 kb":                          "qty:8000:bit",
		"8 Mbit/s":                      "qty:8000000:bit·s^-1",
		"8 mb":                          "ambiguous:8 mb",
		"90°":                           "qty:90:deg",
		"30 arcmin":                     "qty:1/2:deg",
		"2 rad":                         "qty:2:rad",
		"5":                             "qty:5:1",
		"five":                          "qty:5:1",
		"about 3 km":                    "approx:~3000 m",
		"> 3 km":                        "gt:>3000 m",
		"5 to 7 km":                     "range:5000 m..7000 m",
		"900 m to 1.1 km":               "range:900 m..1100 m",
		"5 km ± 100 m":                  "range:4900 m..5100 m",
		"20 ± 2 °C":                     "range:5823/20 K..5903/20 K",
		"1,23 km":                       "qty:1230:m",

		"5 km or so on": "error",
		"5 apples":      "error",
		"5 km per":      "error",
		"50%":           "error",
		"5 km to 7 kg":  "error",
		"5 kg m":        "error",
		"5 mB":          "ambiguous:5 mB",
		"5 long":        "error",
		"km":            "error",
		"5 in 2020":     "error", "thirty-second": "error",
		"5 m^99": "error",
		"$5":     "error",
	} {
		if got := key(raw, answer.Quantity); got != want {
			t.Errorf("quantity %q: %s, want %s", raw, got, want)
		}
	}
}

func TestMatchQuantity(t *testing.T) {
	optional := answer.Options{UnitOptional: true}
	checkMatches(t, answer.Quantity, []matchCase{
		{"3 km", "3000 m", "", answer.Options{}, true, "equal quantities"},
		{"3 km", "3000 kg", "", answer.Options{}, false, "3 km and 3000 kg are different kinds of numbers"},
		{"3.1 km", "3000 m", "", answer.Options{}, false, "3.1 km is not 3000 m"},
		{"42195.3 m", "42.195 km", "", answer.Options{}, true, "42195.3 m rounds to 42.195 km"},
		{"26.2188 miles", "42.195 km", "", answer.Options{}, false, ""},
		{"26.2 miles", "42.195 km", "", answer.Options{}, false, "26.2 miles is not 42.195 km"},
		{"26.2 miles", "42.195 km", "0.1", answer.Options{}, true, "26.2 miles is within 42.195 km ± 0.1"},
		{"26.2 miles", "42.195 km", "1%", answer.Options{}, true, ""},
		{"212 °F", "100 °C", "", answer.Options{}, true, ""},
		{"211 °F", "100 °C", "1", answer.Options{}, true, ""},
		{"72", "72 °F", "", answer.Options{}, false, "72 and 72 °F are different kinds of numbers"},
		{"72", "72 °F", "", optional, true, "equal apart from the unit"},
		{"73", "72 °F", "", optional, false, ""},
		{"73", "72 °F", "1", optional, true, ""},
		{"about 72", "72 °F", "1", optional, true, ""},
		{"5 yd", "5 m", "", answer.Options{}, false, "5 yd is not 5 m"},
		{"8 kB", "8 KiB", "", answer.Options{}, false, ""},
		{"5 mw", "5 mW", "", answer.Options{}, false, ""},
	})
}

type matchCase struct {
	pred, gold, tol string
	o               answer.Options
	want            bool
	reason          string // not compared when empty
}

func checkMatches(t *testing.T, typ answer.Type, cases []matchCase) {
	t.Helper()
	for _, c := range cases {
		tol, err := answer.ParseTolerance(c.tol)
		if err != nil {
			t.Fatal(err)
		}
		ok, reason := answer.Match(c.pred, c.gold, typ, nil, tol, c.o)
		if ok != c.want || c.reason != "" && reason != c.reason || reason == "" {
			t.Errorf("%s %q against %q ± %s: %v %q, want %v %q", typ, c.pred, c.gold, c.tol, ok, reason, c.want, c.reason)
		}
	}
}
