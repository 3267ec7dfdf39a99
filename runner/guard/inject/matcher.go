package inject

import (
	"slices"
	"strings"
	"sync"
)

// matcher looks for the patterns of many families at once. One pass over the text
// tells which literals stand in which part of it; only where all that a pattern
// needs stands in one part is the expression run, and on that part alone.
type matcher struct {
	words *automaton
	rules []rule
	parts func(m *matcher, text string) ([]part, signature)
}

// rule is a pattern of a family with the numbers of its needs.
type rule struct {
	family int
	pattern
	needs signature
}

// part is a stretch of a text and what was found in it.
type part struct {
	span
	found signature
}

const maxLiteral = 12 // bytes of a literal that are looked for; the rest seldom tells more

// matchers returns the matcher of each mode, built on the first scan.
var matchers = sync.OnceValue(func() map[mode]*matcher {
	all := families()
	return map[mode]*matcher{
		plain:     newMatcher(all, func(f *family) []pattern { return f.plain }, sentences),
		disguised: newMatcher(all, func(f *family) []pattern { return f.disguised }, sentences),
		squashed:  newMatcher(all, func(f *family) []pattern { return f.squashed }, blocks),
	}
})

// newMatcher builds a matcher of the patterns of families, numbered as they stand. A set
// of literals beyond the room of a signature is left out: the expression is then run a
// little more often.
func newMatcher(all []family, patterns func(*family) []pattern, parts func(*matcher, string) ([]part, signature)) *matcher {
	m := &matcher{parts: parts}
	literals, numbers := map[string]signature{}, map[string]int{}
	for i := range all {
		for _, p := range patterns(&all[i]) {
			r := rule{family: i, pattern: p}
			for _, need := range p.needs {
				need = beginnings(need)
				key := strings.Join(need, ",")
				number, known := numbers[key]
				if !known && len(numbers) == maxSignature {
					continue
				}
				if !known {
					number = len(numbers)
					numbers[key] = number
				}
				r.needs.add(number)
				for _, literal := range need {
					s := literals[literal]
					s.add(number)
					literals[literal] = s
				}
			}
			m.rules = append(m.rules, r)
		}
	}
	m.words = newAutomaton(literals)
	return m
}

// beginnings cuts the literals to maxLiteral and leaves out those that begin with
// another.
func beginnings(need []string) (out []string) {
	var short []string
	for _, literal := range need {
		short = append(short, literal[:min(len(literal), maxLiteral)])
	}
	slices.Sort(short)
	for _, literal := range short {
		if len(out) == 0 || !strings.HasPrefix(literal, out[len(out)-1]) {
			out = append(out, literal)
		}
	}
	return out
}

// find returns the first match of each family in a reading, by the index of the family,
// without the families to skip.
func (m *matcher) find(r reading, skip func(family int) bool) (matches map[int]string) {
	parts, seen := m.parts(m, r.words)
	for i := range m.rules {
		rule := &m.rules[i]
		if !seen.covers(&rule.needs) || matches[rule.family] != "" || skip(rule.family) {
			continue
		}
		for _, text := range rule.texts(&r, parts) {
			if match := rule.expression().FindString(text); match != "" {
				if matches == nil {
					matches = map[int]string{}
				}
				matches[rule.family] = match
				break
			}
		}
	}
	return matches
}

// texts returns the stretches of a reading on which the expression has to be run.
func (r *rule) texts(from *reading, parts []part) (texts []string) {
	if r.where != inSentence {
		return from.in(r.where)
	}
	for i := 0; i < len(parts); i++ {
		if !parts[i].found.covers(&r.needs) {
			continue
		}
		start := parts[i].start
		for i+1 < len(parts) && parts[i+1].start < parts[i].end-1 && parts[i+1].found.covers(&r.needs) {
			i++ // blocks that overlap are read once
		}
		texts = append(texts, from.words[start:parts[i].end])
	}
	return texts
}

// sentences parts a text at the characters that no phrase runs across. A part keeps
// the borders on both sides, for the expressions that look at them.
func sentences(m *matcher, text string) (parts []part, all signature) {
	borders := sentenceBorders()
	p, start := m.words.start(), 0
	parts = make([]part, 0, len(text)/128+1)
	cut := func(end int) {
		if p.seen != (signature{}) {
			all.merge(&p.seen)
			parts = append(parts, part{span{start, end}, p.seen})
			p.seen = signature{}
		}
	}
	unread := 0
	for i := 0; i < len(text); i++ {
		if borders[text[i]] {
			p.read(text[unread : i+1])
			cut(i + 1)
			start, unread = i, i+1
		}
	}
	p.read(text[unread:])
	p.read(" ") // the end of the text is a gap
	cut(len(text))
	return parts, all
}

// sentenceBorders marks the bytes that stand in no phrase but at its ends: neither
// in a gap nor in a word. Patterns for which that is not so look elsewhere than in sentences.
var sentenceBorders = sync.OnceValue(func() *[256]bool {
	var table [256]bool
	for _, b := range []byte(".!?<>{}|=&%$~^\\") {
		table[b] = true
	}
	return &table
})

// blockStep is more than the longest match in squashed text, so that each lies in
// one of the blocks of twice that length which overlap by half.
const blockStep = 256

// blocks parts a text without borders.
func blocks(m *matcher, text string) (parts []part, all signature) {
	p := m.words.start()
	var before signature
	for start := 0; start < len(text); start += blockStep {
		end := min(start+blockStep, len(text))
		p.seen = signature{}
		p.read(text[start:end])
		both := p.seen
		both.merge(&before)
		all.merge(&both)
		parts = append(parts, part{span{max(0, start-blockStep), end}, both})
		before = p.seen
	}
	return parts, all
}
