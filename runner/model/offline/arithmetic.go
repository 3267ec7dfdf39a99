package offline

import (
	"regexp"
	"strings"
)

var number = want{kind: wantNumber}

func shapeOf(pattern string, build func(p *parser, m []string) *node) shape {
	return shape{regexp.MustCompile(`(?i)` + pattern), build}
}

func twoOf(o op, a, b *node) *node { return &node{op: o, args: []*node{a, b}} }

// ofTwo builds o over two groups of the pattern, in the given order.
func ofTwo(o op, first, second int) func(*parser, []string) *node {
	return func(p *parser, m []string) *node {
		a, b := m[first], inherit(m[first], m[second])
		return twoOf(o, p.operand(a, measureWord{}, number), p.operand(b, measureWord{}, number))
	}
}

// paired builds o over the "A and B" of the pattern's last group.
func paired(o op) func(*parser, []string) *node {
	return func(p *parser, m []string) *node {
		joint := " and "
		if o == opRatio && strings.Contains(m[len(m)-1], " to ") {
			joint = " to "
		}
		return p.two(o, m[len(m)-1], joint, measureWord{}, number)
	}
}

// measured builds o over "A and B" with a measure named before it: "the difference in
// height between A and B", "the combined length of A and B".
func measured(o op) func(*parser, []string) *node {
	return func(p *parser, m []string) *node {
		w := number
		mw, ok := measures()[strings.ToLower(strings.TrimSpace(m[1]))]
		switch {
		case ok && mw.noun == "age":
			a, b, _ := pair(m[2], " and ")
			return twoOf(opGap, lookup(a+" born", year), lookup(b+" born", year))
		case ok:
			w.dim, w.noun = mw.dim, mw.noun
		case strings.EqualFold(m[1], "years") || strings.EqualFold(m[1], "time") || strings.EqualFold(m[1], "year"):
			w = want{kind: wantYear}
		default:
			mw = measureWord{noun: m[1]}
		}
		if u, found := unitNamed(m[1]); found {
			p.format.unit, mw = u, measureWord{}
			w.dim, w.unit = u.dim, u
			if u.name == "year" {
				w = want{kind: wantYear}
			}
		} else if p.format.unit.dim == w.dim {
			w.unit = p.format.unit
		}
		return p.two(o, m[2], " and ", mw, w)
	}
}

// sumShapes are phrases that combine numbers, tried in order.
func sumShapes() []shape {
	return []shape{
		shapeOf(`^(?:the )?(?:absolute )?difference in (.+?) between (.+)$`, measured(opGap)),
		shapeOf(`^(?:the )?(?:absolute |numerical )?(?:difference|gap|interval|margin|distance) (?:(?:in \w+ )?between|of) (.+)$`, paired(opGap)),
		shapeOf(`^(?:the )?(age|height|length|time|year|size) (?:gap|difference) between (.+)$`, measured(opGap)),
		shapeOf(`^(?:the )?(?:combined|total|summed) (\w+(?: \w+)?) of (.+)$`, measured(opSum)),
		shapeOf(`^(?:the )?(?:average|mean|arithmetic mean) (\w+(?: \w+)?) of (.+)$`, measured(opMean)),
		shapeOf(`^(?:the )?(?:sum|total) (?:of|when adding) (.+)$`, paired(opSum)),
		shapeOf(`^(?:the )?(?:average|mean|arithmetic mean) of (.+)$`, paired(opMean)),
		shapeOf(`^(?:the )?(?:product|multiplication) of (.+)$`, paired(opProduct)),
		shapeOf(`^(?:the )?(?:ratio|quotient|proportion) (?:of|between) (.+)$`, paired(opRatio)),
		shapeOf(`^multiply(?:ing)? (.+?) (?:by|with|and|times) (.+)$`, ofTwo(opProduct, 1, 2)),
		shapeOf(`^divid(?:e|ing) (.+?) (?:by|through) (.+)$`, ofTwo(opRatio, 1, 2)),
		shapeOf(`^(?:subtract(?:ing)?|take|taking|deduct(?:ing)?) (.+?) (?:away )?from (.+)$`, ofTwo(opMinus, 2, 1)),
		shapeOf(`^add(?:ing)? (.+?) (?:to|and|with) (.+)$`, ofTwo(opSum, 1, 2)),
		shapeOf(`^(\d+) ?/ ?(\d+) of (.+)$`, func(p *parser, m []string) *node {
			return twoOf(opProduct, twoOf(opRatio, literal(m[1]), literal(m[2])), p.operand(m[3], measureWord{}, number))
		}),
		shapeOf(`^(.+?) multiplied (?:by|with) (.+)$`, ofTwo(opProduct, 1, 2)),
		shapeOf(`^(.+?) (?:divided by|over) (.+)$`, ofTwo(opRatio, 1, 2)),
		shapeOf(`^(.+?) (?:added to|plus) (.+)$`, ofTwo(opSum, 1, 2)),
		shapeOf(`^(.+?) (?:minus|less|reduced by) (.+)$`, ofTwo(opMinus, 1, 2)),
		shapeOf(`^([\d.,]+) ?(?:%|percent|per cent) of (.+)$`, ofTwo(opPercentOf, 1, 2)),
		shapeOf(`^(.+?) (?:times|x|×|\*) (.+)$`, ofTwo(opProduct, 1, 2)),
		shapeOf(`^([\d.,]+) ?([-+/−÷]) ?([\d.,]+)$`, symbols),
		shapeOf(`^(twice|double|half|a third|one third|a quarter|one quarter|a tenth|a fifth|three times|triple) (?:of |as much as )?(.+)$`, fraction),
		shapeOf(`^(?:the )?square of (.+)$`, power("2")),
		shapeOf(`^(?:the )?cube of (.+)$`, power("3")),
		shapeOf(`^(.+?) squared$`, power("2")),
		shapeOf(`^(.+?) cubed$`, power("3")),
		shapeOf(`^(.+?) (?:to the power of|raised to the power of|\*\*) (\d+)$`, ofTwo(opPower, 1, 2)),
	}
}

func symbols(p *parser, m []string) *node {
	o := map[string]op{"-": opMinus, "−": opMinus, "+": opSum, "/": opRatio, "÷": opRatio}[m[2]]
	return ofTwo(o, 1, 3)(p, m)
}

func power(exponent string) func(*parser, []string) *node {
	return func(p *parser, m []string) *node {
		return twoOf(opPower, p.operand(m[1], measureWord{}, number), literal(exponent))
	}
}

func fraction(p *parser, m []string) *node {
	of := p.operand(m[2], measureWord{}, number)
	switch strings.ToLower(m[1]) {
	case "twice", "double":
		return twoOf(opProduct, literal("2"), of)
	case "three times", "triple":
		return twoOf(opProduct, literal("3"), of)
	case "half":
		return twoOf(opRatio, of, literal("2"))
	case "a third", "one third":
		return twoOf(opRatio, of, literal("3"))
	case "a quarter", "one quarter":
		return twoOf(opRatio, of, literal("4"))
	case "a fifth":
		return twoOf(opRatio, of, literal("5"))
	default:
		return twoOf(opRatio, of, literal("10"))
	}
}

// pipelines are instructions in two steps: "take A and multiply it by B".
func pipelines() []shape {
	const (
		first = `^(?:take|start with|start from|get|find|look up)? ?(.+?),? (?:and |then |and then )(?:then )?`
		it    = ` (?:it|that|this|that number|the number|the result|the figure|this number|that figure|the value|that value)`
	)
	return []shape{
		shapeOf(first+`multiply`+it+` (?:by|with) (.+)$`, ofTwo(opProduct, 1, 2)),
		shapeOf(first+`divide`+it+` by (.+)$`, ofTwo(opRatio, 1, 2)),
		shapeOf(first+`(?:subtract|take away|deduct) (.+?)(?: from`+it+`)?$`, ofTwo(opMinus, 1, 2)),
		shapeOf(first+`subtract`+it+` from (.+)$`, ofTwo(opMinus, 2, 1)),
		shapeOf(first+`add (.+?)(?: to`+it+`)?$`, ofTwo(opSum, 1, 2)),
		shapeOf(first+`square`+it+`$`, power("2")),
		shapeOf(first+`(double|halve)`+it+`$`, func(p *parser, m []string) *node {
			return fraction(p, []string{"", strings.NewReplacer("halve", "half").Replace(strings.ToLower(m[2])), m[1]})
		}),
		shapeOf(`^convert (.+?)(?: from .+?)? (?:to|into) ([a-z° ]+)$`, convert),
		shapeOf(`^express (.+?) as (?:a |an )?(?:percentage|percent|per cent) of (.+)$`, ofTwo(opPercent, 1, 2)),
		shapeOf(`^express (.+?) (?:in|as) ([a-z° ]+)$`, convert),
	}
}

func convert(p *parser, m []string) *node {
	u, ok := unitNamed(m[2])
	if !ok {
		return nil
	}
	p.format.unit = u
	return p.operand(m[1], measureWord{}, want{kind: wantNumber, dim: u.dim, unit: u})
}

// asMuch is "how many times as long as B is A".
func asMuch(a, b int) func(*parser, []string) *node {
	return func(p *parser, m []string) *node {
		mw := measures()[strings.ToLower(m[1])]
		w := want{kind: wantNumber, dim: mw.dim, noun: mw.noun}
		return twoOf(opRatio, p.operand(m[a], mw, w), p.operand(inherit(m[a], m[b]), mw, w))
	}
}

// ratioShapes are questions whose answer is a ratio or a percentage.
func ratioShapes() []shape {
	const pct = `(?:percentage|percent|per cent)`
	return []shape{
		shapeOf(`^(?:what|which) (?:multiple|factor) of (.+?) (?:is|are|was|were) (.+)$`, ofTwo(opRatio, 2, 1)),
		shapeOf(`^how many times as ([a-z]+) as (.+?) (?:is|are|was|were) (.+)$`, asMuch(3, 2)),
		shapeOf(`^how many times as ([a-z]+) (?:is|are|was|were) (.+?) as (.+)$`, asMuch(2, 3)),
		shapeOf(`^how many times (?:does|would|do|could|can) (.+?) (?:fit|go) (?:in|into|inside) (.+)$`, ofTwo(opRatio, 2, 1)),
		shapeOf(`^(?:what|which|how large a|how big a) (?:`+pct+`|share|fraction|proportion) of (.+?) (?:is|are|was|were|does|do|did) (?:that of )?(.+?)(?: (?:make up|represent|account for|cover|come to|amount to|correspond to))?$`, ofTwo(opPercent, 2, 1)),
		shapeOf(`^(?:what is |what was )?(.+?)(?:,)? (?:is |are |was )?(?:as|is|expressed as|in) (?:what|a|the) `+pct+` of (.+)$`, ofTwo(opPercent, 1, 2)),
		shapeOf(`^(.+?) (?:is|are|was|makes? up|represents?|constitutes?|forms?|amounts? to) what `+pct+` of (.+)$`, ofTwo(opPercent, 1, 2)),
		shapeOf(`^(?:by what |what is the |what was the )?(?:`+pct+` )(?:change|increase|decrease|difference|growth) (?:from|between) (.+?) (?:to|and) (.+)$`, ofTwo(opChange, 2, 1)),
	}
}
