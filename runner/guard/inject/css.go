package inject

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// What declarations of CSS hide text, read as a browser does: comments and escapes
// resolved, the last declaration of a property first. Lengths are in px; one that depends
// on a page that is not there (%, vw) is judged by a usual one.

// look is how an element shows its text. What children can take back is a property of
// its own.
type look struct {
	gone       bool // not displayed, clipped, of no size, beside the screen
	invisible  bool // visibility
	tiny       bool // font-size
	ink, paper colour
}

const (
	fontSize   = 16.0 // px of an em
	leastFont  = 3.0  // px that anybody can read
	leastAlpha = 0.1  // of opacity and of colours
	offScreen  = -500 // px before the edge of the page
	farRight   = 5000 // px behind it
	sameColour = 12.0 // of 255, in each channel
	wholeInset = 99   // % cut off at two opposite sides
)

func (l look) hides() bool {
	return l.gone || l.invisible || l.tiny || l.ink.known && (l.ink.alpha < leastAlpha || l.paper.known && l.ink.near(l.paper))
}

// declarations are properties with their values, in lower case.
type declarations map[string]string

type cssRules struct {
	comment, escape, part, number, absolute, scaled, atRule, rule, sheet, selector *regexp.Regexp
}

var css = sync.OnceValue(func() cssRules {
	return cssRules{
		comment:  regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)`),
		escape:   regexp.MustCompile(`\\(?:([0-9a-fA-F]{1,6})\s?|(.))`),
		part:     regexp.MustCompile(`(?s)(?:"[^"]*"|'[^']*'|\([^()]*\)|[^;"'(]|["'(])+`),
		number:   regexp.MustCompile(`([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+\b)?)([a-z%]*)`),
		absolute: regexp.MustCompile(`\d(?:px|pt|rem|cm|mm|in|pc|v[wh])`),
		scaled:   regexp.MustCompile(`scale[xy3d]*\(\s*[-+]?0*(?:\.0+)?\s*[,)]|rotate[xy]\(\s*90deg|matrix\(\s*0\s*,\s*0\s*,`),
		atRule:   regexp.MustCompile(`@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}`),
		rule:     regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`),
		sheet:    regexp.MustCompile(`(?s)<style\b[^>]*>(.*?)</style`),
		selector: regexp.MustCompile(`^[\w-]*(?:[.#][\w-]+)?$`),
	}
})

// declare adds the declarations of a style attribute or of a rule.
func (d declarations) declare(style string) {
	style = css().comment.ReplaceAllString(style, " ")
	style = strings.ToLower(css().escape.ReplaceAllStringFunc(style, func(escape string) string {
		groups := css().escape.FindStringSubmatch(escape)
		if code, err := strconv.ParseUint(groups[1], 16, 32); err == nil {
			return string(rune(code))
		}
		return groups[2]
	}))
	for _, part := range css().part.FindAllString(style, -1) {
		name, value, _ := strings.Cut(part, ":")
		name = strings.TrimSpace(name)
		value, important := strings.CutSuffix(strings.TrimSpace(value), "important")
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!"))
		if _, held := d["!"+name]; held && !important {
			continue
		}
		d[name] = value
		if important {
			d["!"+name] = ""
		}
	}
}

// styleSheet reads the rules of a page's own style sheets that name one element, class or
// id. Rules for a medium or a state, and longer selectors, are left out. The text is in
// lower case.
func styleSheet(text string) map[string]declarations {
	rules := map[string]declarations{}
	if !strings.Contains(text, "<style") {
		return rules
	}
	for _, sheet := range css().sheet.FindAllStringSubmatch(text, -1) {
		body := css().atRule.ReplaceAllString(css().comment.ReplaceAllString(sheet[1], ""), "")
		for _, rule := range css().rule.FindAllStringSubmatch(body, -1) {
			for selector := range strings.SplitSeq(rule[1], ",") {
				if selector = strings.TrimSpace(selector); selector == "" || !css().selector.MatchString(selector) {
					continue
				}
				if rules[selector] == nil {
					rules[selector] = declarations{}
				}
				rules[selector].declare(rule[2])
			}
		}
	}
	return rules
}

// of returns the look of an element within one that looks like l.
func (l look) of(name string, attributes map[string]string, rules map[string]declarations) look {
	d := declarations{}
	for attribute, property := range map[string]string{
		"color": "color", "bgcolor": "background", "display": "display", "visibility": "visibility", "opacity": "opacity",
	} {
		if value, ok := attributes[attribute]; ok {
			d[property] = strings.ToLower(value)
		}
	}
	if len(rules) > 0 {
		names := []string{"#" + attributes["id"]}
		for _, class := range strings.Fields(attributes["class"]) {
			names = append(names, "."+class)
		}
		for _, selector := range append([]string{""}, names...) {
			for _, prefix := range [...]string{"", name} {
				for property, value := range rules[strings.ToLower(prefix+selector)] {
					d[property] = value
				}
			}
		}
	}
	d.declare(attributes["style"])
	if _, hidden := attributes["hidden"]; hidden || name == "input" && strings.EqualFold(attributes["type"], "hidden") {
		l.gone = true
	}
	l.gone = l.gone || d.hides()
	l.with(d)
	return l
}

// with takes over what children inherit.
func (l *look) with(d declarations) {
	switch d["visibility"] {
	case "hidden", "collapse":
		l.invisible = true
	case "visible":
		l.invisible = false
	}
	font, _, _ := strings.Cut(d["font"], "/")
	size := d["font-size"] + " " + font
	if sizes := px(size, fontSize/100); len(sizes) > 0 {
		l.tiny = slices.Min(sizes) < leastFont || l.tiny && !css().absolute.MatchString(size)
	}
	for _, property := range [...]string{"background", "background-color"} {
		if value, ok := d[property]; ok {
			l.paper = readColour(value)
		}
	}
	for _, property := range [...]string{"color", "-webkit-text-fill-color"} {
		if value, ok := d[property]; ok && value != "inherit" {
			l.ink = readColour(value)
		}
	}
}

// hides reports whether nothing inside an element is shown, whatever its children declare.
func (d declarations) hides() bool {
	if d["display"] == "none" || d["content-visibility"] == "hidden" {
		return true
	}
	for _, property := range [...]string{"opacity", "filter", "zoom", "scale"} {
		value := d[property]
		if property == "filter" {
			_, value, _ = strings.Cut(value, "opacity")
		}
		if n := px(value, 0.01); len(n) > 0 && n[0] < leastAlpha {
			return true
		}
	}
	return d.hasNoSize() || d.isClipped() || d.isOffScreen()
}

// hasNoSize: what is cut at the borders of an element of 0 or 1 px is not to be seen. An
// element of no height and no other word of its overflow is taken for one that hides,
// unless it is placed by itself, as labels on a map are.
func (d declarations) hasNoSize() bool {
	overflow := d["overflow"] + d["overflow-x"] + d["overflow-y"]
	cut := overflow != "" && !strings.Contains(overflow, "visible")
	for _, property := range [...]string{"height", "max-height", "width", "max-width", "block-size", "inline-size"} {
		n := px(d[property], 1)
		vertical := property == "height" || property == "max-height"
		if len(n) > 0 && (n[0] <= 1 && cut || n[0] == 0 && vertical && overflow == "" && d["position"] == "") {
			return true
		}
	}
	return false
}

func (d declarations) isClipped() bool {
	shape, inside, _ := strings.Cut(d["clip-path"], "(")
	switch n := px(inside, 1); shape {
	case "inset":
		for i := len(n); i > 0 && i < 4; i++ {
			n = append(n, n[max(0, i-2)]) // what is not given is as on the opposite side
		}
		return len(n) >= 4 && (n[0]+n[2] >= wholeInset || n[1]+n[3] >= wholeInset)
	case "circle", "ellipse":
		return len(n) > 0 && n[0] == 0
	case "polygon":
		return len(n) > 0 && slices.Min(n) == slices.Max(n)
	}
	if box := px(d["clip"], 1); strings.HasPrefix(d["clip"], "rect") && len(box) == 4 {
		return box[2]-box[0] <= 1 || box[1]-box[3] <= 1
	}
	return false
}

func (d declarations) isOffScreen() bool {
	for _, property := range [...]string{"left", "right", "top", "bottom", "inset", "text-indent", "margin-left", "margin-top", "letter-spacing"} {
		for _, n := range px(d[property], 5) {
			if n <= offScreen || n >= farRight {
				return true
			}
		}
	}
	for _, value := range [...]string{d["transform"], "translate(" + d["translate"]} {
		if css().scaled.MatchString(value) {
			return true
		}
		_, moved, _ := strings.Cut(value, "translate")
		for _, n := range px(moved, 2.5) {
			if n <= offScreen || n >= farRight {
				return true
			}
		}
	}
	return false
}

// px reads the numbers of a value as px; percent is what 1 % is.
func px(value string, percent float64) (all []float64) {
	if value == "" {
		return nil
	}
	for _, groups := range css().number.FindAllStringSubmatch(value, -1) {
		n, err := strconv.ParseFloat(groups[1], 64)
		if err != nil {
			continue
		}
		switch groups[2] {
		case "em", "rem", "ch", "ex":
			n *= fontSize
		case "vw", "vh", "vmin", "vmax":
			n *= 10
		case "cm", "in", "pc":
			n *= 37.8
		case "%":
			n *= percent
		}
		all = append(all, n)
	}
	return all
}

// colour is red, green, blue of 255 and opacity, or only a name.
type colour struct {
	known bool
	name  string
	rgb   [3]float64
	alpha float64
}

// readColour reads the colour of a declaration; of a value that holds no colour, or a
// picture too, nothing is known.
func readColour(value string) colour {
	c := colour{known: true, alpha: 1}
	switch name, inside, function := strings.Cut(value, "("); {
	case strings.Contains(value, "url(") || strings.Contains(value, "gradient") || value == "" || value == "none":
		return colour{}
	case name == "transparent":
		c.alpha = 0
	case name == "white":
		c.rgb = [3]float64{255, 255, 255}
	case name == "black":
	case strings.HasPrefix(name, "#"):
		digits, _, _ := strings.Cut(name[1:], " ")
		if len(digits) < 6 {
			digits = string(double([]byte(digits)))
		}
		code, err := strconv.ParseUint(digits+"ff"[:max(0, min(2, 8-len(digits)))], 16, 32)
		if err != nil || len(digits) < 6 {
			return colour{}
		}
		c.rgb = [3]float64{float64(code >> 24 & 255), float64(code >> 16 & 255), float64(code >> 8 & 255)}
		c.alpha = float64(code&255) / 255
	case function && (name == "rgb" || name == "rgba"):
		n := px(inside, 2.55)
		if len(n) < 3 {
			return colour{}
		}
		copy(c.rgb[:], n)
		if len(n) > 3 {
			c.alpha = n[3]
		}
	case function:
		c.name = value
		if n := px(inside, 0.01); len(n) > 3 {
			c.alpha = n[3]
		}
	default:
		c.name = strings.Fields(name)[0]
	}
	return c
}

func double(digits []byte) (out []byte) {
	for _, b := range digits {
		out = append(out, b, b)
	}
	return out
}

// near reports whether nobody can tell the two apart.
func (c colour) near(d colour) bool {
	for i := range c.rgb {
		if math.Abs(c.rgb[i]-d.rgb[i]) > sameColour {
			return false
		}
	}
	return c.name == d.name
}
