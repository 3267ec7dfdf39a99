package inject

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/memo"
)

// matcher looks for the patterns of many families. Only where all that a pattern needs
// stands in one part of a text is its expression run, and on that part alone.
type matcher struct {
	rules      [][]rule    // by family
	dictionary *dictionary // of the literals that the rules need
	found      memo.Memo[search, string]
}

// search is the run of a rule's expression on a text, which is known by its hash: the documents of a run are returned
// by many searches, in ever other company.
type search struct {
	rule *rule
	text uint64
}

var hashSeed = maphash.MakeSeed()

// rule is a pattern of a family.
type rule struct {
	pattern
	literals [][]int // its needs, as numbers of the dictionary
}

// matchers returns the matcher of each mode, built on the first scan.
var matchers = sync.OnceValue(func() (all [modes]*matcher) {
	for m := range all {
		all[m] = newMatcher(families(), mode(m))
	}
	return all
})

// newMatcher builds the matcher of a mode for families, numbered as they stand.
func newMatcher(all []family, as mode) *matcher {
	m := &matcher{dictionary: &dictionary{numbers: map[string]int{}, pairs: slices.Repeat([]int{-1}, 1<<16)}}
	for _, f := range all {
		var rules []rule
		for _, p := range f.patterns[as] {
			rules = append(rules, rule{p, m.dictionary.add(p.needs)})
		}
		m.rules = append(m.rules, rules)
	}
	return m
}

// find returns the first match of a family in a reading with its index, "" for none.
func (m *matcher) find(family int, r *reading, x *index) string {
	for i := range m.rules[family] {
		rule := &m.rules[family][i]
		for _, text := range rule.texts(r, x) {
			key := search{rule, maphash.String(hashSeed, text)}
			if match := m.found.Get(key, func() string { return strings.Clone(rule.find(text)) }); match != "" {
				return match
			}
		}
	}
	return ""
}

// texts returns the stretches of a reading on which the expression of a rule has to be run.
func (p *rule) texts(r *reading, x *index) []string {
	parts, whole := x.holding(p.literals)
	if whole && p.where != inSentence {
		return r.in(p.where)
	}
	return parts
}

// sentenceBorders are the bytes that stand in no phrase but at its ends: neither in a gap
// nor in a word. Patterns for which that is not so look elsewhere than in sentences.
const sentenceBorders = ".!?<>{}|=&%$~^\\"

// sentences parts a text at the characters that no phrase runs across. A part keeps the
// borders on both sides, for the expressions that look at them.
func sentences(text string) (parts []span) {
	for start := 0; ; {
		at := strings.IndexAny(text[min(start+1, len(text)):], sentenceBorders)
		if at < 0 {
			return append(parts, span{start, len(text)})
		}
		at += start + 1
		if at > start+2 { // shorter ones hold no phrase
			parts = append(parts, span{start, at + 1})
		}
		start = at
	}
}
