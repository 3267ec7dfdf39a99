package offline

import (
	"strings"
	"sync"
)

// nameFit judges a name's type by its own document where one was returned, else by the
// words around it.
func nameFit(e *evidence, p *passage, from, to int, text string, r *reading) float64 {
	w := r.want
	if w.noun == "symbol" || w.noun == "abbreviation" {
		return symbolFit(text)
	}
	fit := 0.5
	if w.class == anything && w.noun == "" {
		fit = 0.6
	}
	if c := classOfName(text); c != anything && w.class != anything && c != w.class || w.class == person && !personal(text) {
		return 0.1 // "Lake X" is no person
	}
	if e.repeats(text, r) {
		return 0.1
	}
	d := e.titled(text)
	if d != nil {
		switch own := d.class(); {
		case w.noun != "" && d.is(w.noun):
			fit = 1
		case w.class == anything:
		case own == w.class && w.noun != "" && w.class == place && specific(d):
			fit = 0.35 // a place, but of another kind
		case own == w.class:
			fit = 0.7
		case own != anything:
			fit = 0.15
		}
	}
	if from < 0 {
		return fit
	}
	context := contextFit(p.words, from, to, r)
	if d == nil { // only the words around it say what it is
		fit = context + fit - 0.5
	}
	return min(1, max(fit, context)+articleFit(p.words, from, r)) - mismatch(p.words, from, to, r)
}

// classOfName is the class that a name itself tells: "Lake X", "X Bridge".
func classOfName(text string) class {
	out := anything
	for _, w := range tokens(text) {
		if c := classOf(w.low); c != anything {
			out = c
		}
	}
	return out
}

// specific says that a source calls its title a place of some kind.
func specific(d *source) bool {
	for n := range d.isA {
		if typeNouns()[n] == place && n != "plac" && n != "sit" && n != "location" {
			return true
		}
	}
	return false
}

// symbolFit accepts the forms that symbols have: one to three letters.
func symbolFit(text string) float64 {
	if len(text) > 3 || strings.ToUpper(text[:1]) != text[:1] {
		return 0
	}
	return 1
}

// senses groups type nouns of one sense: a capital is a city, a kingdom a country.
var senses = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for i, group := range []string{
		"city capital town port municipality metropolis birthplace hometown village seaport place",
		"country kingdom republic nation state homeland empire",
		"mountain peak volcano summit massif",
		"author writer novelist poet playwright dramatist",
		"painter artist",
		"scientist physicist chemist astronomer biologist mathematician naturalist physician botanist",
		"king queen monarch emperor ruler sovereign",
		"explorer navigator mountaineer sailor",
		"element metal gas",
		"moon satellite",
	} {
		for _, n := range strings.Fields(group) {
			m[stem(n)] = i + 1
		}
	}
	return m
})

// akin says whether two type nouns may name one thing.
func akin(a, b string) bool {
	a, b = stem(a), stem(b)
	return a == b || senses()[a] != 0 && senses()[a] == senses()[b]
}

// is says whether a source's text calls its title by a noun or one akin to it.
func (s *source) is(noun string) bool {
	for n := range s.isA {
		if akin(n, noun) {
			return true
		}
	}
	return false
}

// contextFit looks at the words beside a span: "the city of X", "composer X", "in X",
// "X, a river", "by X".
func contextFit(w []word, from, to int, r *reading) float64 {
	fit := 0.5
	for i := from - 1; i >= max(0, from-4) && w[i].text != ";"; i-- {
		if preposition(w[i].low) && (w[i].low != "of" || r.want.class == person) {
			break // "the deepest lake on X", "president of X": the noun is not X's
		}
		fit = max(fit, nounFit(w[i].low, r))
	}
	other := from > 1 && otherClass(w[from-1].low, r) && w[from-2].low != "this" && w[from-2].low != "that"
	if to < len(w) && (w[to].text == "," || w[to].low == "was" || w[to].low == "is" || w[to].low == "were") {
		for i := to + 1; i < min(to+6, len(w)); i++ {
			fit = max(fit, nounFit(w[i].low, r))
			other = other || w[to].text != "," && otherClass(w[i].low, r)
		}
	}
	if other && fit <= 0.5 {
		fit = 0.2
	}
	for i := from; i < to; i++ {
		fit = max(fit, nounFit(w[i].low, r)-0.05)
	}
	if from > 0 {
		at := from - 1
		for n := 0; n < 2 && at > 0 && (w[at].low == "the" || w[at].alpha() && !w[at].capital() && !functionWords()[w[at].low] && !clauseVerbs()[w[at].low]); n++ {
			at-- // "in the northern X"
		}
		before := w[at].low
		locative := before == "in" || before == "at" || before == "near" || before == "from" || before == "to" || before == "through" || before == "into"
		switch {
		case !locative && r.want.class == place && (akin(r.want.noun, "city") || akin(r.want.noun, "country")):
			fit = min(fit, 0.5) - 0.2
		case locative && r.want.class == place && !standsWithArticle(r.want.noun):
			fit = max(fit, 0.7)
		case locative && r.want.class == person && before != "to":
			fit = min(fit, 0.2)
		case before == "by" && r.want.class == person && (r.want.noun == "" || relations()[stem(r.want.noun)] != ""):
			fit = max(fit, 0.8)
		case before == "by" && r.want.class == person:
			fit = max(fit, 0.65)
		}
	}
	if r.opening != "" {
		for i := max(0, from-6); i < from; i++ {
			if w[i].low == r.opening {
				fit += 0.1 // asked with "on which …", said with "on …"
				break
			}
		}
	}
	if r.want.class == person && to-from >= 2 {
		fit += 0.1
	}
	return min(fit, 1)
}

// generic says whether a noun for people names no calling.
func generic(noun string) bool {
	switch noun {
	case "person", "man", "woman", "people", "leader", "head", "winner", "champion", "discoverer", "inventor", "founder", "designer":
		return true
	default:
		return false
	}
}

// otherClass says that a word beside a name calls it something else than is asked for.
func otherClass(low string, r *reading) bool {
	c := classOf(low)
	return c != anything && r.want.class != anything && c != r.want.class
}

func nounFit(low string, r *reading) float64 {
	switch {
	case r.want.noun != "" && stem(low) == stem(r.want.noun):
		return 0.95
	case r.want.noun != "" && akin(low, r.want.noun) && classOf(low) != anything:
		return 0.85
	case r.want.class == person && classOf(low) == person && (r.want.noun == "" || generic(r.want.noun)):
		return 0.75
	case r.want.class == person && classOf(low) == person:
		return 0.55 // a captain is not for that a writer
	case r.want.noun == "" && r.want.class != anything && classOf(low) == r.want.class:
		return 0.75
	default:
		return 0
	}
}

// standsWithArticle says whether names of a kind take "the" in English.
func standsWithArticle(noun string) bool {
	switch stem(noun) {
	case "river", "sea", "ocean", "canal", "desert", "strait", "gulf", "museum", "bridg", "tower":
		return true
	default:
		return false
	}
}

// articleFit uses that names of rivers, seas and the like take "the" in English, those of
// towns and countries mostly not.
func articleFit(w []word, from int, r *reading) float64 {
	the := from > 0 && w[from-1].low == "the"
	if standsWithArticle(r.want.noun) {
		switch {
		case the && from > 1 && (w[from-2].low == "on" || w[from-2].low == "along"): // towns stand on rivers
			return 0.3
		case the:
			return 0.2
		}
		return -0.1
	}
	switch stem(r.want.noun) {
	case "city", "town", "country", "lak", "continent", "villag", "capital", "mountain", "planet", "element", "birthplac", "stat":
		if the {
			return -0.2
		}
	}
	return 0
}

// mismatch takes points from names that are plainly of another kind: months, adjectives of
// origin where a person or place is wanted.
func mismatch(w []word, from, to int, r *reading) float64 {
	switch {
	case months()[w[from].low] > 0 && to == from+1:
		return 1
	case to == from+1 && r.want.class != thing && commonUse(w, from):
		return 0.4
	case to == from+1 && demonym(w[from].low) && to < len(w) && w[to].alpha() && !w[to].capital() && !functionWords()[w[to].low]:
		return 0.5
	case from == 0 && to == 1 && (clauseVerbs()[w[0].low] || strings.HasSuffix(w[0].low, "ing") || strings.HasSuffix(w[0].low, "ly") || participle(w[0].low)):
		return 0.4
	default:
		return 0
	}
}

// commonUse sees "a Dane", "a little-known Dane": a kind, not a name.
func commonUse(w []word, from int) bool {
	for i := from - 1; i >= max(0, from-2); i-- {
		if w[i].low == "a" || w[i].low == "an" {
			return true
		}
		if functionWords()[w[i].low] || !w[i].alpha() {
			return false
		}
	}
	return false
}
