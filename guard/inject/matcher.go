package inject

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/memo"
)

// matcher searches for the patterns of many families. It runs the expression of a pattern only on the parts of
// a text that contain all literals which the pattern needs.
type matcher struct {
	rules      [][]rule    // by family
	dictionary *dictionary // has the literals that the rules need
	found      memo.Memo[search, string]
}

// search identifies the search for a rule's expression in a text. The text is given by its hash. The results
// are cached, because the searches of a run often return the same documents in other combinations.
type search struct {
	rule *rule
	text uint64
}

var hashSeed = maphash.MakeSeed()

// rule is a pattern of a family.
type rule struct {
	pattern
	number   int     // its number in the dictionary
	literals [][]int // the literals that it needs, by their numbers in the dictionary
}

// matchers returns the matcher of each mode. The matchers are built before the first scan.
var matchers = sync.OnceValue(func() (all [modes]*matcher) {
	for m := range all {
		all[m] = newMatcher(families(), mode(m))
	}
	return all
})

// newMatcher builds the matcher of a mode. The number of a family is its place in the list.
func newMatcher(all []family, as mode) *matcher {
	m := &matcher{dictionary: &dictionary{numbers: map[string]int{}, pairs: slices.Repeat([]int{-1}, 1<<16)}}
	for _, f := range all {
		var rules []rule
		for _, p := range f.patterns[as] {
			number, literals := m.dictionary.addRule(p.needs)
			rules = append(rules, rule{p, number, literals})
		}
		m.rules = append(m.rules, rules)
	}
	return m
}

// find returns the first match of a family in a reading; "" without a match. x is the index of the reading.
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
	if len(p.literals) > 0 && !x.first[p.number] { // most rules end here
		return nil
	}
	parts, whole := x.holding(p.literals)
	if whole && p.where != inSentence {
		return r.in(p.where)
	}
	return parts
}

// sentenceBorders are bytes that occur neither in a gap nor in a word of a phrase. So they can only be at the
// ends of a match. A pattern that has such bytes is not searched by sentences.
const sentenceBorders = ".!?<>{}|=&%$~^\\"

// sentences divides a text at the sentence borders. Each part includes the borders at both ends, because some
// expressions match them.
func sentences(text string) (parts []span) {
	for start := 0; ; {
		at := strings.IndexAny(text[min(start+1, len(text)):], sentenceBorders)
		if at < 0 {
			return append(parts, span{start, len(text)})
		}
		at += start + 1
		if at > start+2 { // shorter parts cannot contain a phrase
			parts = append(parts, span{start, at + 1})
		}
		start = at
	}
}
