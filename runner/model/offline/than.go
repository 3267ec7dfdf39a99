package offline

import (
	"regexp"
	"strings"
	"sync"
)

type thanPatterns struct{ times, percent, gap, counted *regexp.Regexp }

var thans = sync.OnceValue(func() thanPatterns {
	re := regexp.MustCompile
	return thanPatterns{
		times:   re(`(?i)\b(?:how many times|(?:what|which) (?:multiple|factor)|how many fold)\b`),
		percent: re(`(?i)\b(?:what|which|how many|how large a|how big a) (?:percentage|percent|per cent)\b`),
		gap:     re(`(?i)\b(?:how (?:much|many|far|long)|(?:what|which) (?:margin|amount|distance|difference|height|length|number))\b`),
		counted: re(`(?i)\bhow many (?:more |full |whole |complete )?([a-z-]+(?: [a-z]+)?)`),
	}
})

// than reads every question that holds two things against each other with a comparative
// and "than", in whatever order: by how much, how many times, by what percentage, whether.
func (p *parser) than(q string) *node {
	w := tokens(q)
	at, c := -1, -1
	for i, t := range w {
		switch {
		case t.low == "than" && c >= 0 && at < 0:
			at = i
		case at < 0 && comparativeWord(t.low):
			c = i
		}
	}
	if at < 0 || at+1 >= len(w) {
		return nil
	}
	head := q[w[c].start:w[at].start]
	a, b := sides(q, w, c, at)
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	crit, ok := criterionOf(head)
	if !ok || a == "" || b == "" {
		return nil
	}
	o, known := opOfThan(q, w)
	if !known {
		return nil
	}
	if crit.want.kind == wantYear {
		a, b = trimLabel(a), trimLabel(b)
		a, b = shareVerb(a, b), shareVerb(b, a)
		if o == opGap {
			crit.want = p.moment(q)
		}
	} else {
		a, b = bareLabel(trimLabel(a)), bareLabel(trimLabel(b))
		b = inherit(a, b)
		p.unitOf(&crit, q, o)
	}
	n := &node{op: o, args: []*node{crit.operand(p, a), crit.operand(p, b)}, labels: []string{a, b}, smaller: crit.smaller}
	if o == opRatio && crit.smaller {
		n.args[0], n.args[1] = n.args[1], n.args[0]
	}
	return n
}

func comparativeWord(low string) bool {
	switch low {
	case "more", "less", "fewer", "further", "farther":
		return true
	case "number", "under", "after", "over", "other", "another", "together", "whether", "either", "river", "water", "order", "ever", "tower", "summer", "winter":
		return false
	}
	_, measured := measures()[low]
	return measured && strings.HasSuffix(low, "er") || low == "earlier" || low == "later" || low == "sooner" || low == "greater"
}

// sides gives what stands on the two sides of a comparison: before the comparative and
// behind "than", or both behind it: "how much longer than B is A".
func sides(q string, w []word, c, at int) (a, b string) {
	b = q[w[at].end:]
	for i := c - 1; i >= 0; i-- {
		if auxiliaries()[w[i].low] && (i == 0 || !relativeBefore(w, i)) {
			return q[w[i].end:w[c].start], b
		}
	}
	for i := at + 2; i+1 < len(w); i++ {
		if auxiliaries()[w[i].low] {
			return q[w[i].end:], q[w[at].end:w[i].start]
		}
	}
	for i := c + 1; i < at; i++ { // "how many more moons does A have than B"
		if auxiliaries()[w[i].low] {
			return q[w[i].end:w[at].start], b
		}
	}
	return "", ""
}

func relativeBefore(w []word, i int) bool {
	return w[i-1].low == "who" || w[i-1].low == "that" || w[i-1].low == "which" && i > 1
}

func opOfThan(q string, w []word) (op, bool) {
	t := thans()
	switch {
	case t.times.MatchString(q):
		return opRatio, true
	case t.percent.MatchString(q):
		return opChange, true
	case t.gap.MatchString(q):
		return opGap, true
	case auxiliaries()[w[0].low]:
		return opTruth, true
	default:
		return 0, false
	}
}

// unitOf takes the unit of a difference from "how many metres", and from the wish.
func (p *parser) unitOf(c *criterion, q string, o op) {
	if m := thans().counted.FindStringSubmatch(q); m != nil && o == opGap {
		if u, ok := leadingUnit(m[1]); ok {
			p.format.unit = u
			if strings.HasPrefix(c.measure.noun, "number of ") || c.want.dim == "" {
				c.want = want{kind: wantNumber, dim: u.dim, unit: u}
				c.measure = measureWord{}
			}
		}
	}
	if p.format.unit.name != "" && p.format.unit.dim == c.want.dim {
		c.want.unit = p.format.unit
	}
}
