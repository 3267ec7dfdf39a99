package offline

import (
	"regexp"
	"strings"
	"sync"
)

// storyShapes are small word problems: a given quantity in another unit, a number of equal
// things, the time that a distance takes.
func storyShapes() []shape {
	const spend = `(?:cover|travel|cross|traverse|go|fly|walk|cycle|drive|swim|sail|run|pass)(?: along| across| through| over)?(?: a distance of| the distance of)?`
	return []shape{
		shapeOf(`^how (?:long|many (seconds|minutes|hours|days|years)) (?:does|would|will|did|do|must|is) (?:it (?:take |needed )?)?.*?\bto `+spend+` (.+?) at (?:a )?(?:(?:constant|steady|average|uniform) )?(?:speed of )?(\d.*)$`, func(p *parser, m []string) *node {
			return p.duration(m[1], m[2], p.operand(m[3], measureWord{}, want{kind: wantNumber, dim: "speed"}))
		}),
		shapeOf(`^how (?:long|many (seconds|minutes|hours|days|years)) (?:does|would|will|did|do|must) (?:it take )?(?:for )?(.+?) (?:(?:take|need|require)s? )?to `+spend+` (.+?)(?: in (?:a )?(?:vacuum|empty space|space|air))?$`, func(p *parser, m []string) *node {
			return p.duration(m[1], m[3], lookup("the speed of "+m[2], want{kind: wantNumber, dim: "speed", noun: "speed"}))
		}),
		shapeOf(`^how many ([a-z][a-z ]*?) (?:do|does|would|will|are there (?:in|on)|have) (\d[\d,.]*|[a-z]+) ([a-z].*?)(?: (?:have|contain|hold|need|get|possess|make))?(?: in (?:all|total)| altogether| combined| together| between them)?$`, manyTimes),
	}
}

func (p *parser) duration(unitWord, distance string, speed *node) *node {
	if u, ok := unitNamed(unitWord); ok {
		p.format.unit = u
	}
	w := want{kind: wantNumber, dim: "length", noun: "length"}
	return twoOf(opDuration, p.operand(distance, measureWord{}, w), speed)
}

// manyTimes is "how many keys do 17 pianos have": a given number times what one has.
func manyTimes(p *parser, m []string) *node {
	q, ok := givenQuantity(m[2])
	if !ok || q.unit.name != "" || count(q.value) < 2 {
		return nil
	}
	if _, measured := givenQuantity(m[2] + " " + m[3]); measured {
		return nil
	}
	noun := strings.TrimSpace(m[1])
	return twoOf(opProduct, given(q), lookup("number of "+noun+" of "+m[3], countWant(noun)))
}

type storyPatterns struct{ that, such, they, clause *regexp.Regexp }

var stories = sync.OnceValue(func() storyPatterns {
	return storyPatterns{
		that:   regexp.MustCompile(`(?i)^(how (?:many|much|long|far|heavy|high|large)\b.*?\b(?:is|are|does|do|in)) (that|this|it|those|these)\b(.*)$`),
		such:   regexp.MustCompile(`(?i)^(?:express |convert |put |turn )?(?:that|this|it|these|those)(?: (?:distance|length|amount|figure|weight|height|depth|quantity))? ((?:in|to|into) .*)$`),
		they:   regexp.MustCompile(`(?i)^(how (?:many|much)\b.*?\b(?:do|does|are there on|are there in|have)) (they|these|those|it)(?: all)?\b(.*)$`),
		clause: regexp.MustCompile(`[.,;:!?]|\b(?:and|but|which|that|who|for|at|from|with|each)\b`),
	}
})

// retell puts the quantity of the sentence before into a question that points to it: "A
// race is run over 12 furlongs. How many metres is that?"
func retell(q, before string) (string, bool) {
	w := tokens(before)
	for i := range w {
		n, ok := quantityAt(w, i)
		if !ok || n.year {
			continue
		}
		if m := stories().that.FindStringSubmatch(q); m != nil && n.unit.name != "" {
			return m[1] + " " + before[w[n.from].start:w[n.to-1].end] + m[3], true
		}
		if m := stories().such.FindStringSubmatch(q); m != nil && n.unit.name != "" {
			return before[w[n.from].start:w[n.to-1].end] + m[1], true
		}
		if m := stories().they.FindStringSubmatch(q); m != nil && n.unit.name == "" && n.to < len(w) && w[n.to].alpha() {
			things := before[w[n.from].start:]
			if end := stories().clause.FindStringIndex(things); end != nil {
				things = strings.TrimSpace(things[:end[0]])
			}
			return m[1] + " " + things + m[3], true
		}
	}
	return q, false
}
