package inject

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/memo"
)

// matcher searches for the patterns of many families. It runs the expression of a pattern only on the parts
// of a text that have all literals that the pattern needs.
type matcher struct {
	rules      [][]rule    // by family
	dictionary *dictionary // of the literals that the rules need
	found      memo.Memo[search, string]
}

// search identifies the run of a rule's expression on a text, by the hash of the text. Results are kept by
// search, because the searches of a run often return the same documents in different combinations.
type search struct {
	rule *rule
	text uint64
}

var hashSeed = maphash.MakeSeed()

// rule is a pattern of a family.
type rule struct {
	pattern
	literals [][]int // the literals that it needs, as numbers of the dictionary
}

// matchers returns the matcher of each mode, built on the first scan.
var matchers = sync.OnceValue(func() (all [modes]*matcher) {
	for m := range all {
		all[m] = newMatcher(families(), mode(m))
	}
	return all
})

// newMatcher builds the matcher of a mode for families, numbered in their order.
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

// find returns the first match of a family in a reading with its index; "" without a match.
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

// texts returns the parts of a reading on which a rule's expression must run.
func (p *rule) texts(r *reading, x *index) []string {
	parts, whole := x.holding(p.literals)
	if whole && p.where != inSentence {
		return r.in(p.where)
	}
	return parts
}

// sentenceBorders are the bytes that no gap and no word of a phrase contains, so that they can only be at
// the ends of a match. Patterns that contain such bytes use another scope than sentences.
const sentenceBorders = ".!?<>{}|=&%$~^\\"

// sentences splits a text at the sentence borders. A part keeps the
// borders on both sides, for the expressions that look at them.
func sentences(text string) (parts []span) {
	for start := 0; ; {
		at := strings.IndexAny(text[min(start+1, len(text)):], sentenceBorders)
		if at < 0 {
			return append(parts, span{start, len(text)})
		}
		at += start + 1
		if at > start+2 { // shorter parts cannot match a phrase
			parts = append(parts, span{start, at + 1})
		}
		start = at
	}
}
