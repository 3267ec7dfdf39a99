package inject

import (
	"math"
	"strconv"
	"strings"
)

// colour has red, green and blue (0 to 255) and opacity (0 to 1), or only a name.
type colour struct {
	known bool
	name  string
	rgb   [3]float64
	alpha float64
}

// readColour reads the colour in the value of a declaration. If the value has no colour, or if it has a
// picture, the colour is unknown.
func readColour(value string) colour {
	c := colour{known: true, alpha: 1}
	name, inside, function := strings.Cut(value, "(")
	switch digits, hex := strings.CutPrefix(name, "#"); {
	case strings.Contains(value, "url(") || strings.Contains(value, "gradient") || value == "" || value == "none":
		return colour{}
	case hex:
		digits, _, _ = strings.Cut(digits, " ")
		if len(digits) < 6 {
			digits = hexDigit().ReplaceAllString(digits, "$0$0")
		}
		code, err := strconv.ParseUint((digits + "ff")[:min(8, len(digits)+2)], 16, 32)
		if err != nil || len(digits) < 6 {
			return colour{}
		}
		c.rgb = [3]float64{float64(code >> 24 & 255), float64(code >> 16 & 255), float64(code >> 8 & 255)}
		c.alpha = float64(code&255) / 255
	case function:
		n := pixels(inside, 2.55)
		if len(n) > 3 {
			c.alpha = n[3]
		}
		if copy(c.rgb[:], n); !strings.HasPrefix(name, "rgb") {
			c.name = name
		}
	default:
		c.name = strings.Fields(name)[0]
		rgb, named := map[string][3]float64{"white": {255, 255, 255}, "black": {}, "transparent": {}}[c.name]
		if named {
			if c.name == "transparent" {
				c.alpha = 0
			}
			c.name, c.rgb = "", rgb
		}
	}
	return c
}

// near reports whether a reader cannot distinguish the two colours.
func (c colour) near(d colour) bool {
	for i := range c.rgb {
		if math.Abs(c.rgb[i]-d.rgb[i]) > sameColour {
			return false
		}
	}
	return c.name == d.name
}
