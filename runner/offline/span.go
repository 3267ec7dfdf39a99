package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// span is a candidate answer, with its lead.
type span struct {
	lead
	text  string
	at    wordRange // position among the words of the lead's last passage
	value value.Value
	fit   float64 // how well its type fits, 0 to 1
	score float64
}

// Weights of a span's score: how much of the question it covers, how far it is from the question's words, and
// whether it has the wanted type. They were tuned on gold29 and dev80. A span with a score below minScore is
// not used.
const (
	byCoverage = 0.55
	byNearness = 0.25
	byFit      = 0.25
	minScore   = 0.30
)

// Factors and terms that change the fit of a name.
const (
	titular  = 1.0 // the title of an article, if the question contains no title
	defined  = 0.3 // the wanted noun describes the name or belongs to it
	mismatch = 0.6 // the article is about a person and the question is not, or the reverse
	inKind   = 1.3 // the article contains the wanted noun
)

// rank scores the spans of all leads, and returns each answer once, best first.
func (e *evidence) rank(a *question) []span {
	var out []span
	for _, l := range e.leads(a) {
		for _, s := range e.spans(l, a) {
			s.score = byCoverage*l.cover + l.penalty*(byNearness*e.nearness(s, a)+byFit*s.fit)
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(x, y span) int { return cmp.Compare(y.score, x.score) })
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(s span) bool {
		key := keyOf(s.text)
		again := seen[key]
		seen[key] = true
		return again
	})
}

// spans lists the values of the wanted type in a lead's last passage. It leaves out values that the question
// contains.
func (e *evidence) spans(l lead, a *question) []span {
	if a.want.names() {
		return e.nameSpans(l, a)
	}
	var out []span
	p := l.last
	for _, v := range p.values() {
		at, ok := placeOf(p.words, v.Start, v.End)
		inName := slices.ContainsFunc(e.names[p], func(n wordRange) bool { return n.from < at.from && at.to <= n.to })
		if !ok || v.Doubt || inName || slices.ContainsFunc(a.values,
			func(given value.Value) bool { return value.Same(v, given) }) {
			continue
		}
		s := span{lead: l, text: v.Of(p.text), at: at, value: v}
		if a.want.kind == number {
			s.fit = numberFit(v, a.want, p.article)
		} else {
			s.value, s.fit = dateFit(v, a.want)
		}
		if a.want.kind == year && !s.value.Date.NoYear {
			s.text = value.Calendar{Year: s.value.Date.Year}.String()
		}
		if s.fit > 0 {
			out = append(out, s)
		}
	}
	return out
}

// placeOf returns the words at a range of bytes of their text.
func placeOf(ws []word, start, end int) (wordRange, bool) {
	from := slices.IndexFunc(ws, func(w word) bool { return w.End > start })
	if from < 0 || ws[from].Start >= end {
		return wordRange{}, false
	}
	to := from + 1
	for to < len(ws) && ws[to].Start < end {
		to++
	}
	return wordRange{from, to}, true
}

// numberFit says how well a number fits, by its dimension or by the noun that it counts. Any other number gets
// a low fit.
func numberFit(v value.Value, w wantedType, own *article) float64 {
	_, mayBeYear := v.Year()
	switch {
	case !v.Numeric() || v.Ordinal || v.Relation == value.Between:
		return 0
	case w.share && v.Kind != value.Percent, w.money != (v.Kind == value.Money):
		return 0
	case w.share, w.money, w.unit != nil && v.Kind == value.Quantity && v.Low.Dim() == w.unit.Dim:
		return 1
	case w.unit != nil:
		return 0
	case v.Kind == value.Quantity && w.noun != "":
		return 0.2
	case v.Noun != "" && conceptOf(strings.ToLower(v.Noun)) == w.noun:
		return 1
	case w.noun != "" && (mayBeYear || !own.all[w.noun]):
		return 0 // no number with the wanted noun is here
	case mayBeYear:
		return 0.1
	}
	return 0.5
}

// dateFit says how well a date or a year fits. For "on which day", a day fits better than a year.
func dateFit(v value.Value, w wantedType) (value.Value, float64) {
	y, isYear := v.Year()
	switch {
	case isYear:
		v.Kind, v.Date = value.Date, value.Calendar{Year: y}
		if w.kind == date {
			return v, 0.75 // the question is "when" or "on which day"
		}
	case v.Kind != value.Date, v.Date.Years > 1, v.Other != nil, v.Date.NoYear:
		return v, 0
	}
	return v, 1
}

// places are words that come before the name of a place.
const places = " in at near from on through into to of along beside past across outside "

// nameSpans lists the capitalised names of a passage. If the passage does not contain the title of its article,
// the title is added. A name after a preposition is more likely a place than a person.
func (e *evidence) nameSpans(l lead, a *question) []span {
	var out []span
	p, title := l.last, false
	for _, n := range e.names[p] {
		cs := concepts(p.words[n.from:n.to])
		inside := func(v value.Value) bool { return v.Start <= p.words[n.from].Start && p.words[n.to-1].End <= v.End }
		if a.says(cs) || slices.ContainsFunc(p.values(), inside) {
			continue
		}
		s := span{lead: l, text: n.of(p.text, p.words), at: n, fit: 0.7}
		before := n.from - 1
		the := before >= 0 && p.words[before].low == "the"
		if the {
			before--
		}
		located := before >= 0 && strings.Contains(places, " "+p.words[before].low+" ")
		own := e.titled(s.text)
		if located && a.want.kind == place || !located && a.want.kind == person &&
			(n.to-n.from > 1 || len(own) == 1 && own[0].person) {
			s.fit = 1
		}
		if a.want.the != the && a.want.kind == place && a.want.noun != "" {
			s.fit -= defined
		}
		if slices.Contains(cs, a.want.noun) {
			s.fit += defined // for example the Black Sea, if the question asks for a sea
		}
		if a.want.kind == person && (located || the || n.to-n.from == 1 && len(own) == 0) {
			s.fit -= defined // for example Asia, in "in Asia, the Rhine"
		}
		if len(own) == 1 {
			s.text = own[0].name
			s.fit *= own[0].suits(a.want)
		}
		title = title || slices.Contains(own, p.article)
		out = append(out, s)
	}
	if cs := concepts(wordsOf(p.article.name)); !title && len(cs) > 0 && !a.says(cs) {
		s := span{lead: l, text: p.article.name, at: wordRange{0, 1}, fit: 0.7}
		if named := slices.ContainsFunc(cs, func(c string) bool { return a.inQuestion[c] }); !named && l.first == nil &&
			(!e.owned || a.want.noun != "" && p.article.is(a.want.noun)) {
			s.fit = titular
		}
		s.fit *= p.article.suits(a.want)
		out = append(out, s)
	}
	return out
}

// suits rates how well the kind of the article's subject fits the wanted kind.
func (a *article) suits(w wantedType) float64 {
	switch {
	case a.person != (w.kind == person) && (w.kind != anyName || a.person && w.noun != ""):
		return mismatch
	case w.noun != "" && a.is(w.noun):
		return inKind
	}
	return 1
}

// is reports whether the first sentence of the article has a noun, and this noun is not part of a name. The
// noun may then describe the subject of the article.
func (a *article) is(noun string) bool {
	return len(a.passages) > 0 && slices.ContainsFunc(a.passages[0].at[noun],
		func(i int) bool { return !a.passages[0].words[i].capital })
}

// nearness says how close a span is to the question's words, from 0 to 1. It ignores words that are in the
// article's title, and words that only the previous sentence contains.
func (e *evidence) nearness(s span, a *question) float64 {
	before := map[kind]int{person: 1, anyName: 2, place: 4, number: 4, date: 4, year: 4}[a.want.kind]
	sum, total := 0.0, 0.0
	for _, c := range a.concepts {
		here := len(s.last.at[c]) > 0
		if s.last.article.title[c] || !here && s.last.refers != nil && len(s.last.refers.at[c]) > 0 {
			continue
		}
		near := 0.0
		for _, at := range s.last.at[c] {
			near = max(near, s.closeness(at, before))
		}
		w := e.weight(c)
		if !slices.Contains(a.cues, c) {
			w /= 2
		}
		sum += w * near
		total += w
	}
	return sum / max(total, 1e-9)
}

// closeness is 1 for words next to each other, and one half for a distance of six words. A comma or "and"
// between them makes the distance larger. A span before the word counts as farther away than a span after it,
// because time and place usually follow the verb.
func (s span) closeness(at, before int) float64 {
	if at >= s.at.from && at < s.at.to {
		return 1
	}
	from, to, gap := at+1, s.at.from, 0
	if at >= s.at.to {
		from, to, gap = s.at.to, at, before
	}
	ws := s.last.words
	gap += to - from
	for i := from; i <= to && i < len(ws); i++ {
		gap += strings.Count(s.last.text[ws[i-1].End:ws[i].Start], ",")
		if ws[i].low == "and" && i < to {
			gap += 2
		}
	}
	return 1 / (1 + float64(gap)/6)
}
