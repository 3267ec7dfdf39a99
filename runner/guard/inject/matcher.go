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
	hints [hintCount]signature // what a view needs to be worth reading
}

// rule is a pattern of a family with the numbers of its needs.
type rule struct {
	family int
	pattern
	needs signature
}

// part is a stretch of a text and what was found in it.
type part struct {
	start, end int
	found      signature
}

const maxLiteral = 12 // bytes of a literal that are looked for; the rest seldom tells more

// newMatcher builds a matcher of the patterns of families, numbered as they stand.
func newMatcher(families []family, patterns func(family) []pattern,
	parts func(*matcher, string) ([]part, signature), hints [hintCount][]string) *matcher {
	m := &matcher{parts: parts}
	index := needIndex{literals: map[string]signature{}, numbers: map[string]int{}}
	for i, f := range families {
		for _, p := range patterns(f) {
			r := rule{family: i, pattern: p}
			for _, need := range p.needs {
				index.add(need, &r.needs)
			}
			m.rules = append(m.rules, r)
		}
	}
	for hint, literals := range hints {
		if len(literals) > 0 {
			index.add(literals, &m.hints[hint])
		}
	}
	m.words = newAutomaton(index.literals)
	return m
}

// needIndex numbers the sets of literals; equal sets share a number.
type needIndex struct {
	literals map[string]signature
	numbers  map[string]int
}

// add enters a need into sign. A set beyond the room of a signature is left out:
// the expression is then run a little oftener.
func (x needIndex) add(need []string, sign *signature) {
	need = beginnings(need)
	key := strings.Join(need, ",")
	number, known := x.numbers[key]
	if !known {
		number = len(x.numbers)
		if number >= maxSignature {
			return
		}
		x.numbers[key] = number
	}
	sign.add(number)
	for _, literal := range need {
		s := x.literals[literal]
		s.add(number)
		x.literals[literal] = s
	}
}

// beginnings cuts the literals to maxLiteral and leaves out those that begin with
// another.
func beginnings(need []string) []string {
	var short []string
	for _, literal := range need {
		short = append(short, literal[:min(len(literal), maxLiteral)])
	}
	slices.Sort(short)
	var out []string
	for _, literal := range short {
		if len(out) == 0 || !strings.HasPrefix(literal, out[len(out)-1]) {
			out = append(out, literal)
		}
	}
	return out
}

// find returns the first match of each family in text, by the index of the family,
// without the families to skip, and all that was seen in the text.
func (m *matcher) find(text string, skip func(family int) bool) (matches map[int]string, seen signature) {
	parts, seen := m.parts(m, text)
	for i := range m.rules {
		r := &m.rules[i]
		if !seen.covers(&r.needs) || matches[r.family] != "" || skip(r.family) {
			continue
		}
		if match := r.find(text, parts); match != "" {
			if matches == nil {
				matches = map[int]string{}
			}
			matches[r.family] = match
		}
	}
	return matches, seen
}

// find returns the leftmost match in the parts that hold what the rule needs.
func (r *rule) find(text string, parts []part) string {
	if r.whole {
		return r.expression.FindString(text)
	}
	for i := range parts {
		if parts[i].found.covers(&r.needs) {
			if match := r.expression.FindString(text[parts[i].start:parts[i].end]); match != "" {
				return match
			}
		}
	}
	return ""
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
			parts = append(parts, part{start, end, p.seen})
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
	p.end()
	cut(len(text))
	return parts, all
}

// sentenceBorders marks the bytes that stand in no phrase but at its ends: neither
// in a gap nor in a word. Rules for which that is not so are whole.
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
		parts = append(parts, part{max(0, start-blockStep), end, both})
		before = p.seen
	}
	return parts, all
}
