package offline

import (
	"regexp"
	"strings"
	"sync"
)

var year = want{kind: wantYear}

// gapShapes are questions for a difference: years between events, ages, and by how much
// one measure exceeds another.
func gapShapes() []shape {
	const (
		years = `(?:about |roughly |exactly |by |for |after )?how (?:many (?:full |whole |complete )?(?:years|decades|centuries|weeks|days)|long|much time)`
		aux   = `(?:did|was|were|is|had|has|have|does|do|would)`
	)
	return []shape{
		shapeOf(`^(?:`+aux+` )?(?:what is |what was )?(?:the )?(?:number of years|time|interval|time span) (?:between|that (?:passed|elapsed|lies) between) (.+)$`, yearsBetween(" and ")),
		shapeOf(`^`+years+`\b.*?\bbetween (.+)$`, yearsBetween(" and ")),
		shapeOf(`^between (.+?), `+years+` (?:[a-z ]+)$`, func(p *parser, m []string) *node { return yearsBetween(" and ")(p, m) }),
		shapeOf(`^`+years+` (?:separate|separates|separated|divide|divided|lie|lay) (.+)$`, separated),
		shapeOf(`^`+years+`\b(?: [a-z]+){0,3}? from (.+?) (?:to|until|till) (.+)$`, events(1, 2)),
		shapeOf(`^`+years+` (?:after|before|prior to|following|later than|earlier than|since) (.+?),? (?:`+aux+`) (.+)$`, events(1, 2)),
		shapeOf(`^`+years+` (?:passed |elapsed |went by )?(?:after|before|since) (.+?) (?:until|before|when|to) (.+)$`, events(1, 2)),
		shapeOf(`^`+years+` (?:earlier|later),? (?:than (.+?),? )?`+aux+` (.+?)(?: than (.+))?$`, func(p *parser, m []string) *node {
			if m[1] == "" && m[3] == "" {
				return nil
			}
			return events(1, 2)(p, []string{m[0], m[1] + m[3], m[2]})
		}),
		shapeOf(`^`+years+` `+aux+` (.+?) (?:before|after|earlier than|later than|prior to) (.+)$`, events(1, 2)),
		shapeOf(`^(.+?) (?:happened|took place|occurred|came|was|were) how many years (?:before|after) (.+)$`, events(1, 2)),
		shapeOf(`^how old (?:was|were|is|had|would) (.+?)(?: have been| be| become| turned| been)? (?:when|by the time(?: that)?|at the time of|at the time|in|on|at|by) (.+)$`, ageAt),
		shapeOf(`^(?:at )?(?:what|which) age (?:did|was|had) ((?-i:[A-Z]).*?) ((?-i:[a-z]+)\b.*)$`, ageAt),
		shapeOf(`^(?:at )?(?:what|which) age (?:did|was|had) (.+?) ((?:see|reach|finish|leave|arrive|set|die|died|dead|pass away|when|in|at the time of|become|win|write|publish|compose|complete|finish|discover|crowned|elected)\b.*)$`, ageAt),
		shapeOf(`^(?:what was |what is )?(.+?)'s age (?:when|at|in|on) (.+)$`, ageAt),
		shapeOf(`^(?:what was )?(?:the )?age of (.+?) (?:when|at the time of|at|in) (.+)$`, ageAt),
		shapeOf(`^(.+?) (?:reached|lived to|attained|died at|lived to be|reached the) (?:what|which|how (?:old|many years)) ?(?:age|old)?$`, func(p *parser, m []string) *node { return ageAt(p, []string{"", m[1], "died"}) }),
		shapeOf(`^(?:how many years|how long) did (.+?) live$`, func(p *parser, m []string) *node { return ageAt(p, []string{"", m[1], "died"}) }),
		shapeOf(`^(?:how many years|how long) did (?:it take to (?:build|complete|construct|finish)|the (?:building|construction) of) (.+?)(?: take| last)?$`, func(p *parser, m []string) *node {
			return twoOf(opGap, lookup("construction of "+m[1]+" began", year), lookup(m[1]+" was completed", year))
		}),
		shapeOf(`^`+years+` did (.+?) (last|go on|continue|endure|reign(?:ed)?|rule|serve)\b.*$`, func(p *parser, m []string) *node {
			return twoOf(opGap, lookup("the start of "+m[1]+" "+m[2], year), lookup("the end of "+m[1]+" "+m[2], year))
		}),
		shapeOf(`^by how (?:much|many ([a-z][a-z ]*?)) (?:does|do|did) (.+?) (?:exceed|surpass|outstrip|overtop|differ from) (.+)$`, func(p *parser, m []string) *node {
			w := wishedNumber(p, m[1])
			return twoOf(opGap, p.operand(m[2], measureWord{}, w), p.operand(inherit(m[2], m[3]), measureWord{}, w))
		}),
	}
}

// wishedNumber is a number in the unit that the question names, if it names one.
func wishedNumber(p *parser, name string) want {
	w := number
	if u, ok := unitNamed(name); ok {
		p.format.unit = u
		w.dim, w.unit = u.dim, u
	}
	return w
}

// events builds the years between two events that the pattern has as groups.
func events(first, second int) func(*parser, []string) *node {
	return func(p *parser, m []string) *node {
		m[second] = inherit(m[first], owned(m[first], m[second]))
		m[first], m[second] = shareVerb(m[first], m[second]), shareVerb(m[second], m[first])
		w := p.moment(m[0])
		return twoOf(opGap, p.operand(m[first], measureWord{}, w), p.operand(m[second], measureWord{}, w))
	}
}

// moment is what an event of a time gap is asked for: its date where days are counted, its
// year otherwise. It notes the unit of time that the question names.
func (p *parser) moment(q string) want {
	if m := counted().FindStringSubmatch(q); m != nil {
		if u, ok := unitNamed(m[1]); ok && u.name != "year" {
			p.format.unit = u
		}
	}
	if p.format.unit.name == "day" || p.format.unit.name == "week" {
		return want{kind: wantDate}
	}
	return year
}

var counted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bhow many (?:full |whole |complete )?(years|decades|centuries|weeks|days)\b`)
})

// shareVerb gives an event that is only a name the verb of the other event: "how many
// years after A was B opened".
func shareVerb(event, other string) string {
	w := tokens(event)
	for i, t := range w {
		if clauseVerbs()[t.low] || t.alpha() && !t.capital() && !functionWords()[t.low] && !connects(w, i) {
			return event
		}
	}
	if _, given := givenNumber(event); given {
		return event
	}
	for i, t := range tokens(other) {
		if i > 0 && clauseVerbs()[t.low] {
			return strings.TrimSpace(event + " " + other[t.start:])
		}
	}
	return event
}

func yearsBetween(joint string) func(*parser, []string) *node {
	return func(p *parser, m []string) *node { return p.two(opGap, m[1], joint, measureWord{}, p.moment(m[0])) }
}

func separated(p *parser, m []string) *node {
	if n := p.two(opGap, m[1], " from ", measureWord{}, year); n != nil {
		return n
	}
	return p.two(opGap, m[1], " and ", measureWord{}, year)
}

var personPronoun = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:he|she|they|him|her|his)\b`) })

// ageAt is the age of a person at an event: birth and event, both dates.
func ageAt(p *parser, m []string) *node {
	who, event := m[1], m[2]
	birth := lookup("when was "+who+" born", want{kind: wantDate})
	var at *node
	if value, ok := givenNumber(event); ok {
		at = literal(value)
	} else {
		low := " " + strings.ToLower(event) + " "
		switch {
		case strings.Contains(low, " die"), strings.Contains(low, " death "), strings.Contains(low, " passed away "):
			event = who + " died"
		case personPronoun().MatchString(event):
			event = personPronoun().ReplaceAllLiteralString(event, who)
		case clauseVerbs()[strings.Fields(event + " x")[0]] || len(event) > 0 && event[0] >= 'a' && event[0] <= 'z' && !preposition(strings.Fields(event)[0]) && strings.Fields(event)[0] != "the":
			event = who + " " + event
		}
		at = lookup(event, want{kind: wantDate})
	}
	return twoOf(opAge, birth, at)
}
