package inject

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file finds the CSS declarations that hide text. It reads them as a browser does: it resolves comments
// and escapes, and if a property is declared several times, the last declaration counts. Lengths are in px. If
// a length depends on the page (%, vw), it is computed for a page of usual size.

// look describes how an element shows its text. If gone is set, the element and all its children are hidden.
// The other fields can be changed by children.
type look struct {
	gone       bool // not displayed, cut off, without size, or outside the page
	invisible  bool // by the property visibility
	tiny       bool // by the property font-size
	ink, paper colour
}

const (
	fontSize   = 16.0 // px in one em
	leastFont  = 3.0  // smallest readable font, in px
	leastAlpha = 0.1  // for opacity and for colours
	offScreen  = -500 // an offset up to this, in px, is outside the page
	farRight   = 5000 // an offset from this, in px, is outside the page
	sameColour = 12.0 // difference in each channel, of 255
	wholeInset = 99   // a clip of two opposite sides from this sum, in %, hides all
)

func (l look) hides() bool {
	return l.gone || l.invisible || l.tiny ||
		l.ink.known && (l.ink.alpha < leastAlpha || l.paper.known && l.ink.near(l.paper))
}

// declarations maps properties to values, in lower case.
type declarations map[string]string

// size is the beginning of a pattern for a length, a percentage or a calculation.
const size = `^(?:calc|min|max|clamp)\(|^[-+]?[\d.]+(?:e[-+]?\d+)?` +
	`(?:%|p[xtc]|r?(?:em|ex|ch|lh|ic)|[sldc]?[vq][a-z]{1,3}|[cm]m|in|q)?`

var (
	cssComment  = compiled(`(?s)/\*.*?(?:\*/|$)`)
	cssEscape   = compiled(`\\(?:([0-9a-fA-F]{1,6})\s?|(.))`)
	cssPart     = compiled(`(?s)(?:"[^"]*"|'[^']*'|\([^()]*\)|[^;"'(]|["'(])+`)
	cssNumber   = compiled(`([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+\b)?)([a-z%]*)`)
	absolute    = compiled(`\d(?:px|pt|rem|cm|mm|in|pc|v[wh])`)
	flattened   = compiled(`scale[xy3d]*\(\s*[-+]?0*(?:\.0+)?\s*[,)]|rotate[xy]\(\s*90deg|matrix\(\s*0\s*,\s*0\s*,`)
	atRule      = compiled(`@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}`)
	cssRule     = compiled(`([^{}]+)\{([^{}]*)\}`)
	sheets      = compiled(`(?s)<style\b[^>]*>(.*?)</style`)
	selectorOne = compiled(`^[\w-]*(?:[.#][\w-]+)?$`)
	hexDigit    = compiled(`[0-9a-f]`)
	anyProperty = compiled(`^(?:inherit|initial|unset|revert(?:-layer)?)$|var\(`)
	// cssValues has a pattern of the valid values for each property.
	cssValues = map[string]func() *regexp.Regexp{
		"display": compiled(`^(?:none|contents|block|inline|flow|flow-root|list-item|run-in|math|` +
			`(?:inline-)?(?:block|flex|grid|table)|(?:table|ruby)(?:-[a-z-]+)?|` +
			`-(?:webkit|moz|ms)-[a-z-]+|(?:block|inline|run-in) [a-z -]+)$`),
		"visibility":         compiled(`^(?:visible|hidden|collapse)$`),
		"content-visibility": compiled(`^(?:visible|hidden|auto)$`),
		"opacity":            compiled(size + `$`),
		"text-indent":        compiled(size + `$`),
		"left":               compiled(size + `$|^auto$`),
		"top":                compiled(size + `$|^auto$`),
		"font-size":          compiled(size + `$|^(?:medium|smaller|larger|math|x{0,2}-?small|x{0,3}-?large)$`),
	}
)

// declare adds the declarations of a style attribute or of a rule.
func (d declarations) declare(style string) {
	style = cssComment().ReplaceAllString(style, " ")
	style = strings.ToLower(cssEscape().ReplaceAllStringFunc(style, func(escape string) string {
		groups := cssEscape().FindStringSubmatch(escape)
		if code, err := strconv.ParseUint(groups[1], 16, 32); err == nil {
			return string(rune(code))
		}
		return groups[2]
	}))
	for _, part := range cssPart().FindAllString(style, -1) {
		name, value, _ := strings.Cut(part, ":")
		name = strings.TrimSpace(name)
		value, important := strings.CutSuffix(strings.TrimSpace(value), "important")
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!"))
		known := cssValues[name]
		if _, held := d["!"+name]; held && !important ||
			known != nil && !known().MatchString(value) && !anyProperty().MatchString(value) {
			continue // browsers ignore an invalid value
		}
		d[name] = value
		if important {
			d["!"+name] = ""
		}
	}
}

// styleSheet reads the rules in a page's own style sheets. It reads only rules that name one element, class or
// id. It ignores rules that are only for a medium or a state, and selectors with several parts. The text must
// be in lower case.
func styleSheet(text string) map[string]declarations {
	rules := map[string]declarations{}
	if !strings.Contains(text, "<style") {
		return rules
	}
	for _, sheet := range sheets().FindAllStringSubmatch(text, -1) {
		body := atRule().ReplaceAllString(cssComment().ReplaceAllString(sheet[1], ""), "")
		for _, rule := range cssRule().FindAllStringSubmatch(body, -1) {
			for selector := range strings.SplitSeq(rule[1], ",") {
				if selector = strings.TrimSpace(selector); selector == "" || !selectorOne().MatchString(selector) {
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

// of returns the look of an element. l is the look of its parent.
func (l look) of(name string, attributes map[string]string, rules map[string]declarations) look {
	if l.gone {
		return l
	}
	d := declarations{"background": strings.ToLower(attributes["bgcolor"])}
	for _, property := range [...]string{"color", "display", "visibility", "opacity"} {
		d[property] = strings.ToLower(attributes[property])
	}
	if len(rules) > 0 {
		names := []string{"", "#" + attributes["id"]}
		for _, class := range strings.Fields(attributes["class"]) {
			names = append(names, "."+class)
		}
		for _, selector := range names {
			maps.Copy(d, rules[strings.ToLower(name+selector)])
			maps.Copy(d, rules[strings.ToLower(selector)])
		}
	}
	d.declare(attributes["style"])
	_, hidden := attributes["hidden"]
	l.gone = hidden || name == "input" && strings.EqualFold(attributes["type"], "hidden") || d.hides()
	l.with(d)
	return l
}

// with applies the inherited properties.
func (l *look) with(d declarations) {
	if hidden, known := map[string]bool{"hidden": true, "collapse": true, "visible": false}[d["visibility"]]; known {
		l.invisible = hidden
	}
	font, _, _ := strings.Cut(d["font"], "/")
	size := d["font-size"] + " " + font
	if sizes := pixels(size, fontSize/100); len(sizes) > 0 {
		l.tiny = slices.Min(sizes) < leastFont || l.tiny && !absolute().MatchString(size)
	}
	for _, property := range [...]string{"background", "background-color"} {
		if paper := readColour(d[property]); d[property] != "" && (!paper.known || paper.alpha >= leastAlpha) {
			l.paper = paper
		}
	}
	for _, property := range [...]string{"color", "-webkit-text-fill-color"} {
		if value := d[property]; value != "" && value != "inherit" {
			l.ink = readColour(value)
		}
	}
}

// hides reports whether the element hides all its content in such a way that no declaration of a child can show
// it again.
func (d declarations) hides() bool {
	if d["display"] == "none" || d["content-visibility"] == "hidden" || flattened().MatchString(d["transform"]) {
		return true
	}
	_, filter, _ := strings.Cut(d["filter"], "opacity")
	for _, value := range [...]string{d["opacity"], d["zoom"], d["scale"], filter} {
		if n := pixels(value, 0.01); len(n) > 0 && n[0] < leastAlpha {
			return true
		}
	}
	_, moved, _ := strings.Cut(d["transform"], "translate")
	distances := pixels(d["translate"]+" "+moved, 2.5)
	for _, property := range [...]string{"left", "right", "top", "bottom", "inset", "text-indent", "margin-left",
		"margin-top", "letter-spacing"} {
		distances = append(distances, pixels(d[property], 5)...)
	}
	away := func(n float64) bool { return n <= offScreen || n >= farRight }
	return slices.ContainsFunc(distances, away) || d.hasNoSize() || d.isClipped()
}

// hasNoSize reports whether the element is at most 1 px wide or high and hides the content outside of its
// borders. It also returns true for an element of height 0 without the property overflow, unless the element
// has a position, as labels on a map have.
func (d declarations) hasNoSize() bool {
	overflow := d["overflow"] + d["overflow-x"] + d["overflow-y"]
	cut := overflow != "" && !strings.Contains(overflow, "visible")
	for _, property := range [...]string{"height", "max-height", "width", "max-width"} {
		n := pixels(d[property], 1)
		bare := strings.HasSuffix(property, "height") && overflow == "" && d["position"] == ""
		if len(n) > 0 && (n[0] <= 1 && cut || n[0] == 0 && bare) {
			return true
		}
	}
	return false
}

func (d declarations) isClipped() bool {
	for _, value := range [...]string{d["clip"], d["clip-path"]} {
		shape, inside, _ := strings.Cut(value, "(")
		n := pixels(inside, 1)
		for shape == "inset" && len(n) > 0 && len(n) < 4 {
			n = append(n, n[max(0, len(n)-2)]) // a missing side has the value of the opposite side
		}
		if len(n) == 4 && (shape == "inset" && (n[0]+n[2] >= wholeInset || n[1]+n[3] >= wholeInset) ||
			shape == "rect" && (n[2]-n[0] <= 1 || n[1]-n[3] <= 1)) ||
			len(n) > 0 && (shape == "polygon" && slices.Min(n) == slices.Max(n) ||
				(shape == "circle" || shape == "ellipse") && n[0] == 0) {
			return true
		}
	}
	return false
}

// lengths maps a unit to its length in px.
var lengths = map[string]float64{"": 1, "px": 1, "em": fontSize, "rem": fontSize, "ch": fontSize, "ex": fontSize,
	"vw": 10, "vh": 10, "cm": 38, "mm": 4, "in": 96, "pt": 1.3, "pc": 16}

// pixels reads the numbers of a value in px; percent is the length of 1 % in px.
func pixels(value string, percent float64) (all []float64) {
	if !strings.ContainsAny(value, "0123456789") {
		return nil
	}
	for _, groups := range cssNumber().FindAllStringSubmatch(value, -1) {
		unit := lengths[groups[2]]
		if groups[2] == "%" {
			unit = percent
		}
		if n, err := strconv.ParseFloat(groups[1], 64); err == nil {
			all = append(all, n*unit)
		}
	}
	return all
}
