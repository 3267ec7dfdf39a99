package inject

import (
	"iter"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// matcher looks for the patterns of many families. Only where all that a pattern needs
// stands in one part of a text is its expression run, and on that part alone.
type matcher struct {
	rules      []rule
	dictionary *dictionary // of the literals that the rules need
	parts      func(text string) []string
}

// rule is a pattern of a family.
type rule struct {
	family int
	pattern
	literals [][]int // its needs, as numbers of the dictionary
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
	m := &matcher{parts: parts, dictionary: &dictionary{numbers: map[string]int{}, pairs: slices.Repeat([]int{-1}, 1<<16)}}
	for i := range all {
		for _, p := range patterns(&all[i]) {
			m.rules = append(m.rules, rule{i, p, m.dictionary.add(p.needs)})
		}
	}
	return m
}

// find returns the first match of each family in a reading, by the index of the family,
// without the families to skip.
func (m *matcher) find(r reading, skip func(family int) bool) map[int]string {
	matches, texts := map[int]string{}, m.texts(&r)
	for i := range m.rules {
		rule := &m.rules[i]
		if matches[rule.family] != "" || skip(rule.family) {
			continue
		}
		for text := range texts(rule) {
			if match := rule.find(text); match != "" {
				matches[rule.family] = match
				break
			}
		}
	}
	return matches
}

// texts gives the stretches of a reading on which the expression of a rule has to be run. The
// text is divided for the first rule whose literals the whole of it holds.
func (m *matcher) texts(r *reading) func(*rule) iter.Seq[string] {
	whole := m.dictionary.index([]string{r.words})
	parts := sync.OnceValue(func() index { return m.dictionary.index(m.parts(r.words)) })
	return func(rule *rule) iter.Seq[string] {
		switch {
		case !whole.holds(rule.literals):
			return slices.Values([]string(nil))
		case rule.where != inSentence:
			return slices.Values(r.in(rule.where))
		}
		divided := parts()
		return divided.holding(rule.literals)
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

// pattern is an expression with what every match of it holds: of each set of literals at least one, the sets with
// the longest literals first. Looking for them first spares honest text the slow expressions.
type pattern struct {
	source     string
	expression func() *regexp.Regexp // compiled on the first use: few texts need many of them
	needs      [][]string
	// What a text must hold beside a match, and what it must not; nil for nothing.
	beside, unless func() *regexp.Regexp
	where          scope
	line           int // in the file of its family
}

// compiled is an expression that is compiled when it is first used.
func compiled(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

const (
	minRarity = 2
	maxNeeds  = 4
)

// newPattern reads an expression and derives what it needs. Single letters tell nothing where there are words.
func newPattern(expression string) (pattern, error) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return pattern{}, err
	}
	p := pattern{source: expression, expression: compiled(expression), needs: required(tree)}
	slices.SortStableFunc(p.needs, func(a, b []string) int { return rarity(b) - rarity(a) })
	for i := len(p.needs) - 1; i > 0 && (i >= maxNeeds || rarity(p.needs[i]) < minRarity); i-- {
		p.needs = p.needs[:i]
	}
	return p, nil
}

// find returns the first match in a text.
func (p *pattern) find(text string) string {
	match := p.expression().FindString(text)
	if match != "" && (p.beside != nil && !p.beside().MatchString(text) || p.unless != nil && p.unless().MatchString(text)) {
		return ""
	}
	return match
}

// required returns sets of literals of each of which any match of tree holds one. It may
// miss some; it never names one that a match can do without.
func required(tree *syntax.Regexp) (sets [][]string) {
	switch tree.Op {
	case syntax.OpLiteral:
		if tree.Flags&syntax.FoldCase == 0 {
			return [][]string{{string(tree.Rune)}}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(tree.Sub[0])
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return required(tree.Sub[0])
		}
	case syntax.OpConcat:
		for _, part := range tree.Sub {
			sets = append(sets, required(part)...)
		}
	case syntax.OpAlternate:
		var all []string
		for _, choice := range tree.Sub {
			some := required(choice)
			if len(some) == 0 {
				return nil
			}
			all = append(all, slices.MaxFunc(some, func(a, b []string) int { return rarity(a) - rarity(b) })...)
		}
		slices.Sort(all)
		return [][]string{slices.Compact(all)}
	}
	return sets
}

// rarity guesses how seldom honest text holds one of the set: by the length of the shortest.
func rarity(set []string) int {
	least := math.MaxInt
	for _, literal := range set {
		least = min(least, len(literal))
	}
	return least
}
