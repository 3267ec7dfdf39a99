package inject

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// matcher looks for the patterns of many families. Only where all that a pattern needs
// stands in one part of a text is its expression run, and on that part alone.
type matcher struct {
	rules []rule
	parts func(text string) []string
}

// rule is a pattern of a family.
type rule struct {
	family int
	pattern
}

// matchers returns the matcher of each mode, built on the first scan.
var matchers = sync.OnceValue(func() map[mode]*matcher {
	all := families()
	return map[mode]*matcher{
		plain:     newMatcher(all, func(f *family) []pattern { return f.plain }, sentences),
		disguised: newMatcher(all, func(f *family) []pattern { return f.disguised }, sentences),
		squashed:  newMatcher(all, func(f *family) []pattern { return f.squashed }, blocks),
	}
})

// newMatcher builds a matcher of the patterns of families, numbered as they stand.
func newMatcher(all []family, patterns func(*family) []pattern, parts func(string) []string) *matcher {
	m := &matcher{parts: parts}
	for i := range all {
		for _, p := range patterns(&all[i]) {
			m.rules = append(m.rules, rule{i, p})
		}
	}
	return m
}

// stretch is a part of a text with the hashes of its trigrams, which alone show that most
// literals are not in it.
type stretch struct {
	text     string
	literals []string // literals that were found in it
	parts    []string // when first asked for
	grams    [1 << 10]uint64
}

func newStretch(text string) *stretch {
	s := &stretch{text: text}
	for i := range len(text) - 2 {
		h := hash(text[i:])
		s.grams[h/64] |= 1 << (h % 64)
	}
	return s
}

// hash numbers the first three bytes of a text.
func hash(s string) uint32 {
	return (uint32(s[0])<<16 | uint32(s[1])<<8 | uint32(s[2])) * 0x9E3779B1 >> 16
}

func (s *stretch) holds(literal string) bool {
	for i := range len(literal) - 2 {
		if h := hash(literal[i:]); s.grams[h/64]&(1<<(h%64)) == 0 {
			return false
		}
	}
	return strings.Contains(s.text, literal)
}

// find returns the first match of each family in a reading, by the index of the family,
// without the families to skip.
func (m *matcher) find(r reading, skip func(family int) bool) map[int]string {
	matches, whole := map[int]string{}, newStretch(r.words)
	for i := range m.rules {
		rule := &m.rules[i]
		if matches[rule.family] != "" || skip(rule.family) {
			continue
		}
		for text := range m.texts(rule, &r, whole) {
			if match := rule.expression().FindString(text); match != "" {
				matches[rule.family] = match
				break
			}
		}
	}
	return matches
}

// texts gives the stretches of a reading on which the expression of a rule has to be run.
func (m *matcher) texts(rule *rule, r *reading, whole *stretch) iter.Seq[string] {
	return func(yield func(string) bool) {
		needs := make([][]string, 0, maxNeeds) // of each set those that the reading holds
		for _, need := range rule.needs {
			start := len(whole.literals)
			for _, literal := range need {
				if whole.holds(literal) {
					whole.literals = append(whole.literals, literal)
				}
			}
			if len(whole.literals) == start {
				return
			}
			needs = append(needs, whole.literals[start:])
		}
		parts := whole.parts
		if rule.where != inSentence {
			parts, needs = r.in(rule.where), nil
		} else if parts == nil {
			parts = m.parts(r.words)
			whole.parts = parts
		}
		for _, part := range parts {
			holds := func(literal string) bool { return strings.Contains(part, literal) }
			missing := slices.ContainsFunc(needs, func(need []string) bool { return !slices.ContainsFunc(need, holds) })
			if !missing && !yield(part) {
				return
			}
		}
	}
}

// sentenceBorders are the bytes that stand in no phrase but at its ends: neither in a gap
// nor in a word. Patterns for which that is not so look elsewhere than in sentences.
const sentenceBorders = ".!?<>{}|=&%$~^\\"

// sentences parts a text at the characters that no phrase runs across. A part keeps the
// borders on both sides, for the expressions that look at them.
func sentences(text string) (parts []string) {
	for start := 0; ; {
		at := strings.IndexAny(text[min(start+1, len(text)):], sentenceBorders)
		if at < 0 {
			return append(parts, text[start:])
		}
		at += start + 1
		parts = append(parts, text[start:at+1])
		start = at
	}
}

// blockStep is more than the longest match in squashed text, so that each lies in one of the
// blocks of twice that length which overlap by half.
const blockStep = 128

// blocks parts a text without borders.
func blocks(text string) (parts []string) {
	for start := 0; start == 0 || start+blockStep < len(text); start += blockStep {
		parts = append(parts, text[start:min(start+2*blockStep, len(text))])
	}
	return parts
}
