package offline

import (
	"regexp"
	"strings"
	"sync"
)

// criterion is what a comparison goes by.
type criterion struct {
	measure measureWord
	want    want
	clause  string // for dates: the event's words, "born", "was completed"
	smaller bool
}

const comparative = `(?:[a-z]+er|[a-z]+est|more|most|less|fewer|fewest|least|first|last|further|bigger|earliest|latest)`

// comparisonShapes are questions that pick one of two.
func comparisonShapes() []shape {
	pick := func(head, a, b int, tail ...int) func(*parser, []string) *node {
		return func(p *parser, m []string) *node {
			text := m[head]
			for _, t := range tail {
				text += " " + m[t]
			}
			return p.pick(text, m[a], m[b])
		}
	}
	return []shape{
		shapeOf(`^((?:in |on )?(?:which|who|what|whose)\b[^,:;]+?)(?: out)?[,:;–—-]+ ?(?:between |of )?(?:was it |is it |did )?(.+?),? or (.+)$`, pick(1, 2, 3)),
		shapeOf(`^(?:(?:of|between|out of|comparing|given|considering|take|consider|compare|among) )?(?:(?:the|these|those) two(?: [a-z]+)?[,:]? )?(?:(?:the|both) )?(.+?) (?:and|or) (.+?)[,:;]? (?:and )?((?:which|who|what)\b.+)$`, pick(3, 1, 2)),
		shapeOf(`^(?:which|who|what)(?: one)? of (?:the two(?: [a-z]+)?[,:]? )?(.+?) (?:and|or) (.+?),? ((?:is|was|are|were|has|had|have|did|does|came|lies|lay|died|lived|won|stands|reaches|rises|contains|covers|holds|weighs|wrote|became|began|ended|opened|took|happened)\b.*)$`, pick(3, 1, 2)),
		shapeOf(`^((?:which|who|what|whose)\b.*?\b`+comparative+`(?: (?:population|area|mass|height|length|diameter|elevation|volume|density))?) (.+?),? or (.+)$`, pick(1, 2, 3)),
		shapeOf(`^(?:is|was|are|were|did|does|has) (?:it )?(.+?) or (.+?) (?:the |that |who |which )?((?:[a-z]+ ){0,3}`+comparative+`\b.*)$`, pick(3, 1, 2)),
		shapeOf(`^(?:is|was|are|were|did|does|has) (?:it )?(.+?) or (.+?) ((?:that|who|which) .*`+comparative+`\b.*)$`, pick(3, 1, 2)),
	}
}

// yesNoShapes are questions whose answer is yes or no.
func yesNoShapes() []shape {
	return []shape{
		shapeOf(`^(?:is it (?:true|correct|right|the case|a fact)|true or false[,:]?|yes or no[,:]?|is it|would it be (?:true|correct|right) to say)(?: that)?,? (.+)$`, restate),
		shapeOf(`^(?:is|was|are|were|do|does|did|had|have|has) (?:both )?(.+?) and ((?-i:[A-Z])\S*(?: (?-i:[A-Z])\S*)*|.+?) (.*?)\b(?:in |on |from |at |of |have |has |share |)the same (.+)$`, same),
		shapeOf(`^(?:is|was|are|were|do|does|did|had|have|has) both (.+?) and (.+?) ([a-z]+ .+|[a-z]+)$`, both),
		shapeOf(`^(?:had|was|were|did) (.+?) (?:already|yet)(?: been)? (.+?) (?:when|by the time|before|at the time(?: that)?) (.+)$`, func(p *parser, m []string) *node {
			return order(p, []string{"", m[1] + " " + m[2], "before", m[3]})
		}),
		shapeOf(`^(?:did|was|were|is|does|had) (.+?) (?:well |long |shortly )?(before|after|earlier than|later than|sooner than|prior to) (.+)$`, order),
		shapeOf(`^(?:is|was|are|were|did|does|do|has|have|had|can|could)(?:n't)? (.+)$`, func(_ *parser, m []string) *node {
			return &node{op: opVerify, ask: newAsk(m[1], &want{})}
		}),
	}
}

// criterionOf reads what a comparison goes by from the words around the two names.
func criterionOf(text string) (criterion, bool) {
	w := tokens(text)
	for i, t := range w {
		switch t.low {
		case "first", "earlier", "earliest", "before", "sooner":
			return dated(text, true), true
		case "last", "later", "latest", "after", "recent", "recently", "newer", "newest":
			return dated(text, false), true
		case "older", "oldest":
			return criterion{want: year, clause: "born founded built", smaller: true}, true
		case "younger", "youngest":
			return criterion{want: year, clause: "born founded built"}, true
		}
		if t.low != "more" && t.low != "most" && t.low != "fewer" && t.low != "less" && t.low != "greater" && t.low != "greatest" && t.low != "fewest" &&
			t.low != "higher" && t.low != "highest" && t.low != "lower" && t.low != "lowest" && t.low != "larger" && t.low != "largest" &&
			t.low != "smaller" && t.low != "smallest" && t.low != "bigger" && t.low != "longer" && t.low != "shorter" {
			if mw, ok := measures()[t.low]; ok && (strings.HasSuffix(t.low, "r") || strings.HasSuffix(t.low, "st") || t.low == "populous" || t.low == "dense") {
				return criterion{measure: mw, want: want{kind: wantNumber, dim: mw.dim, noun: mw.noun}, smaller: smaller()[t.low]}, true
			}
			continue
		}
		if c, ok := nounCriterion(w[i+1:]); ok {
			c.smaller = smaller()[t.low]
			if c.want.dim == "" && !c.want.count { // "the longer span" is a length
				c.want.dim = measures()[t.low].dim
			}
			return c, true
		}
		if mw, ok := measures()[t.low]; ok {
			return criterion{measure: mw, want: want{kind: wantNumber, dim: mw.dim, noun: mw.noun}, smaller: smaller()[t.low]}, true
		}
		if t.low == "greater" || t.low == "more" || t.low == "less" {
			return criterion{want: number, smaller: t.low == "less"}, true
		}
	}
	return criterion{}, false
}

// nounCriterion reads the noun behind "more", "higher", "larger": a measure, a numbered
// property ("atomic number") or a thing to count ("moons").
func nounCriterion(w []word) (criterion, bool) {
	var run []string
	for _, t := range w {
		if !t.alpha() || functionWords()[t.low] || auxiliaries()[t.low] {
			break
		}
		run = append(run, t.low)
	}
	if len(run) == 0 {
		return criterion{}, false
	}
	noun := strings.Join(run, " ")
	last := run[len(run)-1]
	mw, measured := measures()[last]
	switch {
	case measured:
		return criterion{measure: measureWord{noun, mw.dim}, want: want{kind: wantNumber, dim: mw.dim, noun: mw.noun}}, true
	case last == "number" || last == "point" || last == "temperature":
		return criterion{measure: measureWord{noun, ""}, want: wantOf("what is the " + noun + " of it")}, true
	case classOf(last) != anything && !strings.HasSuffix(last, "s"): // "the higher peak" is the higher one
		return criterion{}, false
	case strings.HasSuffix(last, "s") || last == "people":
		return criterion{measure: measureWord{"number of " + noun, ""}, want: countWant(noun)}, true
	default:
		return criterion{measure: measureWord{noun, ""}, want: number}, true
	}
}

// dated keeps the event words of a comparison by date.
func dated(text string, smaller bool) criterion {
	var keep []string
	for _, t := range tokens(text) {
		switch t.low {
		case "first", "earlier", "earliest", "before", "sooner", "last", "later", "latest", "after", "recent", "recently", "than", "happened", "came", "occurred", "newer", "newest":
			continue
		}
		if t.alpha() && !functionWords()[t.low] {
			keep = append(keep, t.text)
		}
	}
	return criterion{want: year, clause: strings.Join(keep, " "), smaller: smaller}
}

func (c criterion) operand(p *parser, label string) *node {
	if c.want.kind == wantYear {
		return lookup(strings.TrimSpace(label+" "+c.clause), year)
	}
	return p.operand(label, c.measure, c.want)
}

func (p *parser) pick(head, a, b string) *node {
	c, ok := criterionOf(head)
	a, b = full(trimLabel(a), head), full(trimLabel(b), head)
	if !ok || a == "" || b == "" {
		return nil
	}
	return &node{op: opPick, args: []*node{c.operand(p, a), c.operand(p, b)}, labels: []string{a, b}, smaller: c.smaller}
}

var elliptic = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(the [a-z]+est) ((?:in|of|on) .+)$`) })

// full gives "the highest in A" the type noun of "which mountain is higher".
func full(label, head string) string {
	m := elliptic().FindStringSubmatch(label)
	w := nounWant(head)
	if m == nil || w.noun == "" || w.class == anything {
		return label
	}
	return m[1] + " " + w.noun + " " + m[2]
}

func trimLabel(s string) string {
	s = strings.Trim(s, " ,.?:")
	for _, w := range []string{"either ", "both ", "the one of ", "was it ", "is it ", "is ", "was ", "that of "} {
		if len(s) > len(w) && strings.EqualFold(s[:len(w)], w) {
			s = s[len(w):]
		}
	}
	return strings.TrimSuffix(s, "'s")
}

// bareLabel takes off the verb that stays behind the name of a compared thing.
func bareLabel(s string) string {
	w := tokens(s)
	for n := len(w) - 1; n > 0 && !w[n].capital() && (functionWords()[w[n].low] || clauseVerbs()[w[n].low]); n-- { // "the Rhine run for a"
		s = s[:w[n-1].end]
	}
	return s
}

// order is "did A happen before B".
func order(p *parser, m []string) *node {
	smaller := strings.HasPrefix(m[2], "before") || strings.HasPrefix(m[2], "earlier") || strings.HasPrefix(m[2], "sooner") || strings.HasPrefix(m[2], "prior")
	b := shareVerb(m[3], m[1]) // "was A born before B"
	return &node{op: opTruth, args: []*node{p.operand(m[1], measureWord{}, year), p.operand(b, measureWord{}, year)}, labels: []string{m[1], m[3]}, smaller: smaller}
}

func same(p *parser, m []string) *node {
	clause := strings.TrimSpace(m[3])
	w := wantOf("what " + m[4] + " " + clause)
	one := func(s string) *node { return lookup(strings.TrimSpace("what "+m[4]+" was "+s+" "+clause), w) }
	return &node{op: opSame, args: []*node{one(m[1]), one(m[2])}, labels: []string{m[1], m[2]}}
}

func both(p *parser, m []string) *node {
	one := func(s string) *node { return &node{op: opVerify, ask: newAsk(s+" "+m[3], &want{})} }
	return &node{op: opBoth, args: []*node{one(m[1]), one(m[2])}}
}

var statement = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(.+?) (is|was|are|were|did|does|has|have|had) (.+)$`)
})

// restate turns "is it true that A is B" into "is A B" and reads that.
func restate(p *parser, m []string) *node {
	if p.depth++; p.depth > maxNesting {
		return nil
	}
	defer func() { p.depth-- }()
	s := statement().FindStringSubmatch(m[1])
	if s == nil {
		return &node{op: opVerify, ask: newAsk(m[1], &want{})}
	}
	inverted := s[2] + " " + s[1] + " " + s[3]
	if n := p.than(inverted); n != nil {
		return n
	}
	return p.try(p.grammar.yesNo, inverted)
}
