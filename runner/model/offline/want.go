package offline

import (
	"regexp"
	"strings"
	"sync"
)

// kind is the type of span that answers a lookup.
type kind int

const (
	wantName kind = iota // an entity or thing, by its noun or class
	wantYear
	wantDate
	wantNumber
)

// want says what an answer must look like.
type want struct {
	kind  kind
	class class
	noun  string // the type noun asked for ("river"), or the counted noun ("moons")
	dim   string // dimension of the unit that a number must have, "" for any or none
	unit  unit   // the unit asked for, if any
	count bool   // a number of things: the noun follows it
}

type measureWord struct{ noun, dim string }

// measures maps adjectives and nouns of measure to the noun that a reference work uses
// and the dimension of its unit.
var measures = sync.OnceValue(func() map[string]measureWord {
	m := map[string]measureWord{}
	for line := range strings.Lines(`length length: long longer longest length lengths course short shorter shortest
height length: high higher highest tall taller tallest height heights elevation elevations altitude low lower lowest
depth length: deep deeper deepest depth depths shallow shallower shallowest
width length: wide wider widest width breadth broad broader narrow narrower narrowest
distance length: far farther further farthest furthest distance distances distant near nearer nearest close closer closest
diameter length: diameter diameters
radius length: radius radii
circumference length: circumference
area area: area areas
volume volume: volume volumes capacity
mass mass: heavy heavier heaviest mass masses weight weights weigh light lighter lightest
speed speed: fast faster fastest speed speeds velocity slow slower slowest quick quicker quickest
temperature temperature: hot hotter hottest temperature temperatures cold colder coldest warm warmer
size : large larger largest big bigger biggest size small smaller smallest
population : population populations populous inhabitants
age : old older oldest age young younger youngest
density : dense denser densest density
duration time: duration period lasted last
`) {
		head, words, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		noun, dim, _ := strings.Cut(head, " ")
		for _, w := range strings.Fields(words) {
			m[w] = measureWord{noun, strings.TrimSpace(dim)}
		}
	}
	return m
})

// smaller are the adjectives whose winner has the smaller number.
var smaller = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`short shorter shortest low lower lowest shallow shallower shallowest narrow narrower narrowest near nearer
		nearest close closer closest light lighter lightest slow slower slowest cold colder coldest small smaller smallest
		less fewer fewest least old older oldest early earlier earliest first before`))
})

type wantPatterns struct{ when, date, year, where, who, howMany, howMeasure, howMuch, which, boiling, phrase, lasting, share *regexp.Regexp }

var wants = sync.OnceValue(func() wantPatterns {
	re := regexp.MustCompile
	return wantPatterns{
		date:       re(`(?i)\b(?:what|which|the) (?:exact |full |calendar |precise )?(?:date|day)\b(?: (?:and|,) (?:month|year))?`),
		year:       re(`(?i)\b(?:(?:what|which|the) (?:\w+ )?year|year (?:of|in which|when|that)|year did|year was)\b`),
		when:       re(`(?i)(?:^|\b(?:find|tell me|,) )when\b|^since when`),
		where:      re(`(?i)(?:^|\b(?:from|to) )where\b`),
		who:        re(`(?i)(?:^|\b(?:by|of|for|after|to|from|with) )(?:who|whom|whose)\b`),
		howMany:    re(`(?i)\b(?:how many|(?:the )?(?:total )?number of|count of)\s+(?:different |full |whole |earth |known |natural |individual )?((?:[a-z-]+ ?){1,3})`),
		howMeasure: re(`(?i)\bhow ([a-z]+)\b`),
		howMuch:    re(`(?i)\bhow much\b`),
		which:      re(`(?i)\b(?:what|which) ((?:[a-z-]+ ){0,3}?)([a-z-]+)\b`),
		lasting:    re(`(?i)\bhow long (?:did|does it take|does .* (?:take|need|require|last)\b|will|would|was the (?:flight|reign|war|journey|siege|battle))\b`),
		share:      re(`(?i)\b(?:what|which) (?:proportion|percentage|per ?cent|share|fraction)\b`),
		phrase:     re(`^(?:the|a|an) `),
		boiling:    re(`(?i)\b(?:boiling|melting|freezing) points?\b`),
	}
})

// wantOf reads off a question or noun phrase what kind of span answers it.
func wantOf(text string) want {
	p := wants()
	switch {
	case p.howMany.MatchString(text):
		return countWant(p.howMany.FindStringSubmatch(text)[1])
	case p.year.MatchString(text):
		return want{kind: wantYear}
	case p.when.MatchString(text), p.date.MatchString(text):
		return want{kind: wantDate}
	case p.phrase.MatchString(text): // a description's head says what it is, whatever its clauses ask
	case p.where.MatchString(text):
		return want{class: place}
	case p.who.MatchString(text):
		return want{class: person}
	case p.share.MatchString(text):
		return want{kind: wantNumber, dim: "percent"}
	case p.boiling.MatchString(text):
		return want{kind: wantNumber, dim: "temperature"}
	}
	if p.lasting.MatchString(text) {
		return want{kind: wantNumber, dim: "time", noun: "duration"}
	}
	if m := p.howMeasure.FindStringSubmatch(text); m != nil {
		if mw, ok := measures()[strings.ToLower(m[1])]; ok {
			return want{kind: wantNumber, dim: mw.dim, noun: mw.noun}
		}
	}
	if p.howMuch.MatchString(text) {
		w := want{kind: wantNumber}
		for _, t := range tokens(text) {
			if t.low == "weigh" {
				w.dim, w.noun = "mass", "mass"
			}
		}
		return w
	}
	return nounWant(text)
}

func countWant(phrase string) want {
	if u, ok := leadingUnit(phrase); ok {
		return want{kind: wantNumber, dim: u.dim, unit: u}
	}
	w := tokens(phrase)
	for len(w) > 1 && (functionWords()[w[0].low] || auxiliaries()[w[0].low]) { // "how many are white"
		w = w[1:]
	}
	for _, w := range w {
		if functionWords()[w.low] || auxiliaries()[w.low] || clauseVerbs()[w.low] {
			break
		}
		phrase = w.low // the head is the last noun of the run
	}
	head, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(phrase)), " ")
	if c := concept(head); c == "population" || head == "people" {
		return want{kind: wantNumber, noun: "population"}
	}
	return want{kind: wantNumber, noun: head, count: true}
}

func leadingUnit(phrase string) (unit, bool) {
	w := tokens(phrase)
	if len(w) == 0 {
		return unit{}, false
	}
	u, n := unitAt(w, 0)
	return u, n > 0
}

// nounWant goes by the noun asked for: after "what" or "which", else the phrase's head.
func nounWant(text string) want {
	if m := wants().which.FindStringSubmatch(text); m != nil && !wants().phrase.MatchString(text) {
		phrase := strings.Fields(strings.ToLower(m[1] + m[2]))
		for i := len(phrase) - 1; i >= 0; i-- {
			if c := classOf(phrase[i]); c != anything {
				return want{class: c, noun: phrase[i]}
			}
		}
		for _, n := range phrase {
			if !functionWords()[n] && !adjectival(n) {
				if _, measured := measures()[n]; !measured && n != "atomic" && n != "date" && n != "number" {
					return want{noun: n}
				}
				break
			}
		}
	}
	head := headNoun(text)
	if len(head) == 0 {
		return want{}
	}
	last := head[len(head)-1]
	if last == "numbers" || last == "dates" || last == "years" || last == "percentages" {
		last = strings.TrimSuffix(last, "s")
	}
	mw, measured := measures()[last]
	switch {
	case measured:
		return want{kind: wantNumber, dim: mw.dim, noun: mw.noun}
	case last == "number" || last == "percentage":
		return want{kind: wantNumber}
	case last == "date" || last == "birthday":
		return want{kind: wantDate}
	case last == "year":
		return want{kind: wantYear}
	}
	return want{class: classOf(last), noun: last}
}

// adjectival guesses adjectives by their endings.
func adjectival(low string) bool {
	for _, suffix := range []string{"ous", "ish", "ian", "ese", "al", "ic", "ern", "ful", "ed", "est", "er", "first", "famous", "big"} {
		if strings.HasSuffix(low, suffix) {
			return true
		}
	}
	return false
}

// headNoun gives the lower-case nouns before the first preposition or clause of a noun
// phrase: of "what is the atomic number of X", "atomic number".
func headNoun(text string) []string {
	var run []string
	w := tokens(text)
	for i, t := range w {
		stop := preposition(t.low) || relative(w, i) > 0 && t.low != "which" || clauseVerbs()[t.low] || participle(t.low) && len(run) > 0 || !t.alpha()
		if len(run) > 0 && (stop || t.capital() || functionWords()[t.low] || t.text == "'") {
			if i+2 < len(w) && t.text == "'" {
				run = nil
				continue
			}
			return run
		}
		noun := !functionWords()[t.low] || t.low == "place" || t.low == "name"
		if noun && !stop && !t.capital() && t.low != "s" {
			run = append(run, t.low)
		}
	}
	return run
}
