package offline

import (
	"slices"
	"strings"
)

// The thresholds of the evidence: below them a lookup finds nothing, and the reader
// searches in other words or abstains.
const (
	minName    = 0.6  // part of a name's words that some document must hold
	minScore   = 0.45 // score of the best span
	minSubject = 0.4  // how surely a passage must be about what is named, for a number or date
	minCover   = 0.35 // weighted part of the question that the span's passage must hold
)

// Weights of a span's features; they sum to 1.
const (
	weightCover   = 0.24
	weightSubject = 0.24
	weightFit     = 0.22
	weightNear    = 0.24
	weightRank    = 0.06
)

// repeats says whether a text holds a name of the question whole: it names what is asked
// about, not the answer. People may share a name with what is asked about ("X's father").
func (e *evidence) repeats(text string, r *reading) bool {
	have := set(content(text))
	for _, n := range r.names {
		all := len(n.concepts) > 0 && !n.soft
		for _, c := range n.concepts {
			all = all && have[c]
		}
		if d := e.titled(n.text); all && len(n.concepts) == 1 && r.want.class == person && (d == nil || d.class() == person) {
			continue
		}
		if all && (len(n.concepts) > 1 || r.want.class == person || r.want.class == place && !personal(n.text)) {
			return true
		}
	}
	return false
}

// pronoun gives the first word that stands for the document's subject, or -1.
func (p *passage) pronoun() int {
	for i, w := range p.words {
		demonstrative := w.low == "that" || w.low == "this" || i == 0 && w.low == "the"
		if demonstrative && i+1 < len(p.words) && classOf(p.words[i+1].low) != anything { // "The element …", "that summit"
			return i + 1
		}
		switch w.low {
		case "it", "its", "he", "she", "his", "her", "they", "their":
			if i < 12 {
				return i
			}
		case "here", "there":
			return i
		}
	}
	return -1
}

// rank scores every candidate of the evidence, merges equal answers, best first. Equal
// scores keep the order of search results, so that ties are stable.
func rank(e *evidence, r *reading) []span {
	r.names = e.joined(r)
	if !e.known(r.names) {
		return nil
	}
	var all []span
	for _, d := range e.docs {
		for _, p := range d.passages {
			cover := e.cover(p, r)
			if cover < minCover {
				continue
			}
			subject := e.subject(p, r)
			if subject < minSubject && r.want.kind != wantName && len(r.names) > 0 {
				continue
			}
			for _, s := range candidates(e, p, r) {
				s.cover, s.subject = cover, subject
				s.near = max(s.near, e.nearness(p, s, r))
				if r.want.class == person && p.possesses(s, r) {
					s.near = max(s.near, 0.8)
				}
				if (r.want.kind == wantYear || r.want.kind == wantDate) && s.near == 0 && len(r.cues) > 0 {
					s.fit -= 0.4
					if r.toldBy(p.doc) {
						s.fit -= 0.4 // a date of something else
					}
				}
				if r.want.dim != "" && r.want.noun != "" { // the unit says what is measured
					s.near = max(s.near, 0.5)
				}
				s.score = weightCover*s.cover + weightSubject*s.subject + weightFit*s.fit + weightNear*s.near + weightRank*min(1, max(0, d.Score))
				s.score += weightWhole * d.part(r.asked)
				if r.ranked && p.ranksLower(r) {
					s.score *= 0.7
				}
				if subject < minMention && r.hard() {
					s.score *= 0.6
				}
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b span) int { return cmpFloat(b.score, a.score) })
	return merge(all)
}

// toldBy says whether a document speaks of what is asked at all.
func (r *reading) toldBy(s *source) bool {
	return slices.ContainsFunc(r.cues, func(c string) bool { return s.all[c] })
}

// weightWhole is what a document gains that speaks of the rest of the question too.
const weightWhole = 0.08

// part is the part of some concepts that a document holds.
func (s *source) part(asked map[string]bool) float64 {
	hit := 0
	for c := range asked {
		if s.all[c] {
			hit++
		}
	}
	return float64(hit) / float64(max(1, len(asked)))
}

// ranksLower sees "the second highest", where the question asks for the highest.
func (p *passage) ranksLower(r *reading) bool {
	for _, low := range []string{"second", "third", "fourth"} {
		if len(p.concepts[low]) > 0 && !r.concepts[low] {
			return true
		}
	}
	return false
}

// minMention is how surely a passage must mention what is named, for a name's full score.
const minMention = 0.25

// hard says whether the question names something that the evidence must mention.
func (r *reading) hard() bool {
	return slices.ContainsFunc(r.names, func(n name) bool { return !n.soft })
}

// possesses says whether a span stands as the possessor of a name of the question: "X's
// Requiem" tells who made it.
func (p *passage) possesses(s span, r *reading) bool {
	if s.from < 0 || s.to+2 >= len(p.words) || p.words[s.to].text != "'" || p.words[s.to+1].low != "s" {
		return false
	}
	if p.at == 0 && r.covers(p.doc.name) && classOf(p.words[s.to+2].low) == thing { // "X's novel" in the entry of the novel
		return true
	}
	for _, n := range r.names {
		if from, _ := p.mention(n.text); from >= s.to+2 && from < runEnd(p.words, s.to+2) {
			return true
		}
	}
	return false
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

// merge keeps the best of equal answers; each further document that gives it adds a little.
func merge(all []span) []span {
	var out []span
	at := map[string]int{}
	for _, s := range all {
		key := fold(strings.ToLower(s.text))
		if i, ok := at[key]; ok {
			if out[i].passage.doc != s.passage.doc {
				out[i].score += 0.01
			}
			continue
		}
		at[key] = len(out)
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b span) int { return cmpFloat(b.score, a.score) })
	return out
}

// cover is the weighted part of the question's concepts that stand in the passage or its
// title; a neighbouring passage counts half, the rest of the document less.
func (e *evidence) cover(p *passage, r *reading) float64 {
	hit, total := 0.0, 0.0
	for _, c := range r.order {
		w := e.weigh(c, r)
		total += w
		switch {
		case len(p.concepts[c]) > 0, p.doc.title[c]:
			hit += w
		case p.standsIn(c):
			hit += standIn * w
		case p.neighbour(c):
			hit += 0.5 * w
		case p.doc.all[c]:
			hit += 0.3 * w
		}
	}
	if total == 0 {
		return 0
	}
	return hit / total
}

// standsIn says whether a word of the passage can stand for a concept.
func (p *passage) standsIn(c string) bool {
	for _, other := range alternates()[c] {
		if len(p.concepts[other]) > 0 {
			return true
		}
	}
	return false
}

// unheard is the part of its weight that a plain word keeps which the evidence never uses:
// the question puts it in words of its own.
const unheard = 0.25

// weigh is the weight of a question's concept.
func (e *evidence) weigh(c string, r *reading) float64 {
	w := e.weight(c)
	if e.df[c] == 0 && !r.named[c] {
		for _, other := range alternates()[c] {
			if e.df[other] > 0 {
				return w / 2
			}
		}
		w *= unheard
	}
	return w
}

func (p *passage) neighbour(c string) bool {
	for _, i := range []int{p.at - 1, p.at + 1} {
		if i >= 0 && i < len(p.doc.passages) && len(p.doc.passages[i].concepts[c]) > 0 {
			return true
		}
	}
	return false
}

// subject says how surely the passage is about what the question names. Where what is
// named has an entry of its own, a mention elsewhere counts less.
func (e *evidence) subject(p *passage, r *reading) float64 {
	titled := len(p.doc.title) > 0
	for c := range p.doc.title {
		titled = titled && r.concepts[c]
	}
	if len(r.names) == 0 {
		if titled {
			return 1
		}
		return 0.55
	}
	said, elsewhere := 0.85, 0.55
	switch {
	case r.want.kind == wantNumber: // a number mostly belongs to the title, whatever else is mentioned
		said, elsewhere = 0.6, 0.35
	case r.want.kind != wantName || r.want.class == person:
		elsewhere = 0.35
	}
	sum := 0.0
	for _, n := range r.names {
		title, here := 0, 0
		for _, c := range n.concepts {
			if p.doc.title[c] {
				title++
			}
			if len(p.concepts[c]) > 0 || p.doc.title[c] {
				here++
			}
		}
		if n.otherNumber(p.doc) {
			return 0
		}
		size := float64(max(1, len(n.concepts)))
		whole := float64(title) / size
		if whole < minName {
			whole = 0
		}
		mentioned := float64(here) / size
		if from, _ := p.mention(n.text); from < 0 && len(n.concepts) > 1 { // the words of a name, scattered
			mentioned *= 0.7
		}
		about := max(said*mentioned, 0.5*p.doc.share(n))
		if own := e.titled(n.text); own != nil && own != p.doc {
			about = min(about, elsewhere)
		}
		sum += max(whole, about)
	}
	score := sum / float64(len(r.names))
	if titled {
		score = min(1, score+0.1)
	}
	return score
}

// nearness is how close a span stands to the question's cues, weighed by their rarity;
// words behind a semicolon or another sentence part count as further off.
func (e *evidence) nearness(p *passage, s span, r *reading) float64 {
	cues := r.cues
	if len(cues) == 0 {
		cues = r.order
	}
	sum, total := 0.0, 0.0
	for _, c := range cues {
		w := e.weigh(c, r)
		total += w
		sum += w * e.cueNear(p, s, c)
	}
	if sum == 0 && len(r.cues) > 0 { // nothing of what is asked is said; go by what is named
		for _, c := range r.order {
			if r.named[c] {
				sum += 0.5 * e.weigh(c, r) * e.cueNear(p, s, c)
				total += e.weigh(c, r)
			}
		}
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

// cueNear is how close a span stands to one cue, or to a word that can stand for it; a cue
// in the neighbouring passage still says a little.
func (e *evidence) cueNear(p *passage, s span, c string) float64 {
	best := 0.0
	for _, at := range p.concepts[c] {
		best = max(best, closeness(p, s, at))
	}
	for _, other := range alternates()[c] {
		for _, at := range p.concepts[other] {
			best = max(best, standIn*closeness(p, s, at))
		}
	}
	if best == 0 && p.neighbour(c) {
		best = 0.15
	}
	return best
}

// standIn is what a word counts that can stand for a cue.
const standIn = 0.7

func closeness(p *passage, s span, at int) float64 {
	from, to := s.from, s.to
	if from < 0 { // the title stands where a pronoun does, else before the passage
		from = max(0, p.pronoun())
		to = from + 1
	}
	gap, lo, hi := 0, 0, 0
	switch {
	case at < from:
		gap, lo, hi = from-at-1, at, from
	case at >= to:
		gap, lo, hi = at-to, to, at
	}
	if s.date.year != 0 && at >= to { // a date mostly follows its verb
		gap += 2
	}
	for _, w := range p.words[lo:hi] {
		if w.text == ";" || w.text == ":" {
			gap += 4
		}
		if w.text == "," || w.low == "and" {
			gap++
		}
		if clauseVerbs()[w.low] && at < from && w.start != p.words[lo].start {
			gap += 3 // another verb stands between
		}
	}
	return 1 / (1 + float64(gap)/6)
}
