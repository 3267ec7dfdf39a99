package inject

import (
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
)

// pattern is an expression with what every match of it holds: of each set of literals at
// least one, the sets with the longest literals first. Looking for them first spares honest
// text the slow expressions.
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

// newPattern reads an expression and derives what it needs. Single letters tell nothing
// where there are words.
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
