package offline

import (
	"strings"
)

// factor is a retrieved conversion: one unit per is value of unit in.
type factor struct {
	state state
	per   unit
	in    unit
	value string
	proof proof
	score float64
}

// factor searches for how many of one unit make the other; metric relatives of either do.
func (d *desk) factor(from, to unit) factor {
	r := newReading(strings.Join(strings.Fields("one "+from.sort+" "+from.name), " ")+" in "+to.plural(), want{kind: wantNumber, dim: to.dim})
	if from.metric { // references define the customary unit by the metric one
		r = newReading("one "+to.name+" in "+from.plural(), want{kind: wantNumber, dim: to.dim})
	}
	var best factor
	f := d.retrieve(r, func(e *evidence) finding {
		var all []factor
		for _, s := range e.docs {
			for _, p := range s.passages {
				all = append(all, factors(p, from, to)...)
			}
		}
		scores := make([]float64, len(all))
		for i, f := range all {
			scores[i] = f.score
		}
		i := d.choose.pick(d.drawAt(e.at), "factor:"+r.text, scores)
		if i < 0 {
			return finding{}
		}
		best = all[i]
		return finding{state: found}
	})
	best.state = f.state
	return best
}

// factors finds statements of the form "one A is N B" in a passage, A and B of the two
// families. A is named singly, by the passage or by its document's title.
func factors(p *passage, from, to unit) []factor {
	var out []factor
	for _, q := range quantities(p.words) {
		if !kin(q.unit, from) && !kin(q.unit, to) || compareNumbers(q.value, "0") <= 0 || q.value == "1" {
			continue
		}
		other := from
		if kin(q.unit, from) {
			other = to
		}
		for i := range p.words {
			u, n := unitAt(p.words, i)
			if n == 0 || !kin(u, other) || i >= q.from && i < q.to {
				continue
			}
			single := i > 0 && (p.words[i-1].low == "a" || p.words[i-1].low == "an" || p.words[i-1].low == "one" || p.words[i-1].low == "the" || p.words[i-1].low == "1" || p.words[i-1].low == "international" || p.words[i-1].low == "statute")
			if !single || partOfLonger(p.words, i) {
				continue
			}
			f := factor{state: found, per: u, in: q.unit, value: q.value, proof: proof{p.doc, p.text}}
			f.score = sortBonus(p, q, from) + 0.5 + 0.2*closeness(p, span{from: q.from, to: q.to}, i) + titleBonus(p.doc, u)
			out = append(out, f)
		}
		if u, ok := unitNamed(p.doc.name); ok && kin(u, other) && len(out) == 0 {
			out = append(out, factor{state: found, per: u, in: q.unit, value: q.value, proof: proof{p.doc, p.text}, score: 0.6 - 0.1*float64(p.at)})
		}
	}
	return out
}

// sortBonus favours the numbers behind the word that tells the unit's sort.
func sortBonus(p *passage, q quantity, u unit) float64 {
	for _, w := range p.words[:q.from] {
		if u.sort != "" && w.low == u.sort {
			return 0.4
		}
	}
	return 0
}

// partOfLonger sees the "mile" of "nautical mile".
func partOfLonger(w []word, i int) bool {
	if i == 0 {
		return false
	}
	_, n := unitAt(w, i-1)
	return n > 1
}

func titleBonus(s *source, u unit) float64 {
	for _, w := range tokens(s.name) {
		if v, n := unitAt([]word{w}, 0); n > 0 && v.name == u.name {
			return 0.2
		}
	}
	return 0
}

// kin says whether two units are the same or differ by metric prefixes only.
func kin(a, b unit) bool {
	return a.name != "" && (a.name == b.name || a.metric && b.metric && a.dim == b.dim)
}

// apply writes the conversion of an expression.
func (f factor) apply(expr string, from, to unit) string {
	expr = wrap(expr)
	if kin(f.per, from) { // one per = value in, and in is the target's kin
		return strings.TrimSpace(expr + tenPower(from.scale-f.per.scale) + " * " + f.value + tenPower(f.in.scale-to.scale))
	}
	return strings.TrimSpace(expr + tenPower(from.scale-f.in.scale) + " / " + f.value + tenPower(f.per.scale-to.scale))
}
