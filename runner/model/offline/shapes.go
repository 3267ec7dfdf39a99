package offline

import (
	"regexp"
	"strings"
	"sync"
)

// parser turns an asked sentence into a node. It fills the unit wish as it meets it.
type parser struct {
	format  *format
	grammar *grammar
	depth   int
}

// grammar holds the tables of shapes, each tried in order.
type grammar struct{ pipelines, stories, gaps, ratios, comparisons, sums, yesNo []shape }

var english = sync.OnceValue(func() *grammar {
	return &grammar{pipelines(), storyShapes(), gapShapes(), ratioShapes(), comparisonShapes(), sumShapes(), yesNoShapes()}
})

// maxNesting bounds operations within operations.
const maxNesting = 6

// shape is one frame of English: a pattern with the operands as groups, and what to make
// of them. A builder that returns nil lets the next shape try.
type shape struct {
	pattern *regexp.Regexp
	build   func(p *parser, m []string) *node
}

// question reads a whole asked sentence.
func (p *parser) question(q string) *node {
	if p.depth++; p.depth > maxNesting {
		return &node{op: opAsk, ask: newAsk(q, nil)}
	}
	defer func() { p.depth-- }()
	q = unitWish(p.format, q)
	if n := p.try(p.grammar.pipelines, q); n != nil {
		return n
	}
	q = afterthought().ReplaceAllString(unframe(q), "")
	if n := p.try(p.grammar.pipelines, q); n != nil {
		return n
	}
	q = fronted().ReplaceAllString(q, "$4 $2 $1 $3")
	if n := p.conjoined(q); n != nil {
		return n
	}
	if m := whether().FindStringSubmatch(q); m != nil && !whatIs().MatchString(q) {
		return restate(p, m)
	}
	if n := p.than(q); n != nil {
		return n
	}
	for _, table := range [][]shape{p.grammar.stories, p.grammar.ratios, p.grammar.gaps, p.grammar.comparisons} {
		if n := p.try(table, q); n != nil {
			return n
		}
	}
	np := whatIs().ReplaceAllString(q, "")
	if expr, ok := written(np); ok {
		return literal(expr)
	}
	if n := p.arithmetic(np); n != nil {
		return n
	}
	if g, ok := givenQuantity(np); ok && p.format.unit.name != "" {
		return given(g)
	}
	if n := p.try(p.grammar.yesNo, q); n != nil {
		return n
	}
	n := &node{op: opAsk, ask: newAsk(q, nil)}
	w := &n.ask.want
	if w.unit.name != "" && p.format.unit.name == "" {
		p.format.unit = w.unit
	}
	if g, ok := p.convertible(q); ok {
		return given(g)
	}
	if p.format.unit.name != "" && p.format.unit.dim == w.dim {
		w.unit = p.format.unit
	}
	return n
}

// convertible finds the one quantity of a question that names nothing else and asks for
// another unit of its dimension: however it is put, it asks for a conversion.
func (p *parser) convertible(q string) (quantity, bool) {
	w := tokens(q)
	for i := 0; i < len(w); i++ {
		for j := min(len(w), i+5); j > i; j-- {
			g, ok := givenQuantity(q[w[i].start:w[j-1].end])
			if ok && g.unit.name != "" && g.unit.dim == p.format.unit.dim && g.unit.name != p.format.unit.name && len(namesIn(q[w[j-1].end:])) == 0 {
				return g, true
			}
		}
	}
	return quantity{}, false
}

func (p *parser) try(table []shape, text string) *node {
	for _, s := range table {
		if m := s.pattern.FindStringSubmatch(text); m != nil {
			if n := s.build(p, m); n != nil {
				return n
			}
		}
	}
	return nil
}

// fronted sees the asked-for difference at the end: "A is longer than B by how many metres".
var fronted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(.+?) (is|was|are|were) (.+?),? (by how (?:many|much)\b.*)$`)
})

var whether = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:whether|if) (.+)$`) })

var whatIs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:what(?:'s| is| are| was| were| would be| will be| do you get (?:if|when|by)(?: you)?| does| results? (?:if|when|from)(?: you)?)?|how (?:much|many|large|big) (?:is|are|was|were)|(?:if|when) (?:you|i|we)|the (?:result|value|answer) (?:of|to|when you)) (?:the (?:result|value|answer) (?:of|to) )?`)
})

var afterthought = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i),? (?:what|how much) (?:do|would|will|does|is|are|comes) (?:you|i|we|one|the result|the answer|the outcome|that|it|out)(?: (?:get|have|obtain|give|make|left|arrive at))?$`)
})

type expressionPatterns struct{ formula, group *regexp.Regexp }

var expressions = sync.OnceValue(func() expressionPatterns {
	return expressionPatterns{
		formula: regexp.MustCompile(`^[(\d][\d\s.,+*/()^×÷−-]*[-+*/^×÷−][\d\s.,+*/()^×÷−-]*[\d)]$`),
		group:   regexp.MustCompile(`(\d),(\d{3})`),
	}
})

// written accepts an expression in digits and signs, and writes it as the calculator reads it.
func written(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if !expressions().formula.MatchString(text) {
		return "", false
	}
	text = expressions().group.ReplaceAllString(text, "$1$2")
	return strings.NewReplacer("×", "*", "÷", "/", "−", "-", "^", "**").Replace(text), !strings.Contains(text, ",")
}

// arithmetic reads a phrase that combines numbers; nil where it combines nothing.
func (p *parser) arithmetic(np string) *node {
	if p.depth++; p.depth > maxNesting {
		p.depth--
		return nil
	}
	defer func() { p.depth-- }()
	return p.try(p.grammar.sums, np)
}

// operand reads one operand: a number, an operation, or a lookup. A bare entity takes the
// measure of the comparison around it.
func (p *parser) operand(text string, m measureWord, w want) *node {
	text = strings.Trim(text, " ,")
	text = whatIs().ReplaceAllString(text, "")
	if q, ok := givenQuantity(text); ok {
		return given(q)
	}
	if n := p.arithmetic(text); n != nil {
		return n
	}
	own := wantOf(text)
	if own.kind == wantNumber || own.kind == wantYear || own.kind == wantDate {
		if own.kind == wantDate && w.kind == wantYear {
			own.kind = wantYear
		}
		if p.format.unit.name != "" && p.format.unit.dim == own.dim && own.unit.name == "" {
			own.unit = p.format.unit
		}
		return lookup(text, own)
	}
	if w.kind == wantYear || m.noun == "" {
		return lookup(text, w)
	}
	return lookup("the "+m.noun+" of "+text, w)
}

// givenNumber reads an operand that is nothing but a number.
func givenNumber(text string) (string, bool) {
	q, ok := givenQuantity(text)
	return q.value, ok && q.unit.name == ""
}

// givenQuantity reads an operand that is nothing but a number, or a number with its unit;
// "a mile" is one mile.
func givenQuantity(text string) (quantity, bool) {
	w := tokens(text)
	for len(w) > 1 && (w[0].low == "exactly" || w[0].low == "about" || w[0].low == "of") {
		w = w[1:]
	}
	if len(w) == 0 {
		return quantity{}, false
	}
	if q, ok := quantityAt(w, 0); ok && q.from == 0 && q.to == len(w) && q.unit.dim != "percent" {
		return q, true
	}
	if q, ok := quantityAt(w, 0); ok && q.unit.name == "" && q.to+1 < len(w) && w[q.to].alpha() { // "five imperial gallons"
		if u, n := unitAt(w, q.to+1); n > 0 && q.to+1+n == len(w) {
			u.sort = w[q.to].low
			q.unit, q.to = u, len(w)
			return q, true
		}
	}
	if w[0].low == "a" || w[0].low == "an" {
		if u, n := unitAt(w, 1); n > 0 && n+1 == len(w) {
			return quantity{value: "1", unit: u}, true
		}
	}
	if len(w) > 1 && (w[0].text == "-" || w[0].text == "−") {
		if q, ok := quantityAt(w, 1); ok && q.to == len(w) {
			q.value = strings.TrimPrefix("-"+strings.TrimPrefix(q.value, "-"), "--")
			return q, true
		}
	}
	return quantity{}, false
}

// pair splits "A and B" into its two sides, and hands the first side's head down to a
// second side that lacks one: "the lengths of A and B".
func pair(text, joint string) (string, string, bool) {
	best, at := -1, -1
	low := strings.ToLower(text)
	for i := strings.Index(low, joint); i >= 0; {
		left, right := text[:i], text[i+len(joint):]
		score := 0
		if lead := strings.ToLower(right); strings.HasPrefix(lead, "the ") || strings.HasPrefix(lead, "that of ") || strings.HasPrefix(lead, "those of ") {
			score += 2
		}
		if w := tokens(right); len(w) > 0 && (w[0].capital() || w[0].number()) {
			score++
		}
		if l, r := firstWords(left), firstWords(right); l == r {
			score += 3
		}
		if strings.Count(left, `"`)%2 == 1 || strings.Count(left, "(") > strings.Count(left, ")") {
			score = -1
		}
		if score > best {
			best, at = score, i
		}
		next := strings.Index(low[i+1:], joint)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if at < 0 {
		return "", "", false
	}
	a, b := strings.Trim(text[:at], " ,"), strings.Trim(text[at+len(joint):], " ,")
	return a, inherit(a, owned(a, b)), a != "" && b != ""
}

func firstWords(s string) string {
	f := strings.Fields(strings.ToLower(s))
	return strings.Join(f[:min(2, len(f))], " ")
}

type headPatterns struct{ head, own, that *regexp.Regexp }

var heads = sync.OnceValue(func() headPatterns {
	return headPatterns{
		head: regexp.MustCompile(`^((?i:the )?(?:[a-z-]+ ){1,3}?(?:of|in|on|for|when|that|in which) )(.+)$`),
		own:  regexp.MustCompile(`^(?i:the |a |an )?(?:[a-z-]+ ){1,3}?(?:of|in|when|that|in which|who|where|for|by) `),
		that: regexp.MustCompile(`^(?i:that|those|the one|the same) (?:of|in|for) (.+)$`),
	}
})

func inherit(a, b string) string {
	h := heads()
	m := h.head.FindStringSubmatch(a)
	if t := h.that.FindStringSubmatch(b); t != nil && m != nil {
		return m[1] + t[1]
	}
	if _, number := givenNumber(b); m == nil || number || h.own.MatchString(b) {
		return b
	}
	if w := wantOf(m[1] + "x"); w.kind == wantName && !eventHead(m[1]) || strings.Contains(b, "'s ") {
		return b
	}
	return m[1] + strings.TrimPrefix(b, "of ")
}

// eventHead sees "the birth of", "the opening of": a noun of a relation that is no entity.
func eventHead(head string) bool {
	for _, t := range tokens(head) {
		if relations()[stem(t.low)] != "" && classOf(t.low) == anything && !relationNouns()[t.low] && !functionWords()[t.low] {
			return true
		}
	}
	return false
}

// owned puts the name that one side speaks of for the "its" of the other.
func owned(a, b string) string {
	first, rest, _ := strings.Cut(b, " ")
	names := namesIn(a)
	switch strings.ToLower(first) {
	case "its", "his", "her", "their":
		if len(names) > 0 {
			return names[len(names)-1].text + "'s " + rest
		}
	}
	return b
}

// two builds an operation over a pair.
func (p *parser) two(o op, text, joint string, m measureWord, w want) *node {
	a, b, ok := pair(text, joint)
	if !ok {
		return nil
	}
	return &node{op: o, args: []*node{p.operand(a, m, w), p.operand(b, m, w)}, labels: []string{a, b}}
}

// conjoined reads "who wrote X, and when was he born?": the second part asks, and its
// pronoun stands for what the first part finds.
func (p *parser) conjoined(q string) *node {
	m := conjunction().FindStringSubmatch(q)
	if m == nil {
		return nil
	}
	second := strip(m[2])
	if w := tokens(second); len(w) == 0 || !pointers().pronoun.MatchString(second) {
		return nil
	}
	told, inner := refer(second, m[1])
	if told == second {
		return nil
	}
	n := p.question(told)
	n.attach(inner)
	return n
}

var conjunction = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(.+?)[,;]? (?:and|then|and then) ((?:in |on |by |at |from )?(?:what|which|when|where|who|how)\b.+|(?:find|give|tell me|state|name|report|look up) .+)$`)
})
