package inject

import (
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// pattern is an expression with what every match of it holds: of each set of
// literals at least one, the sets with the longest literals first. Looking for them
// first spares honest text the slow expressions. Literals are words and the gaps
// between them, as the automaton reads a text.
type pattern struct {
	source     string
	expression func() *regexp.Regexp // compiled on the first use: few texts need many of them
	needs      [][]string
	where      scope
	line       int // in the file of its family
}

const (
	minRarity = 2
	maxNeeds  = 3
)

// newPattern reads an expression and derives what it needs. Single letters tell nothing
// where there are words.
func newPattern(expression string) (pattern, error) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return pattern{}, err
	}
	p := pattern{source: expression, needs: required(tree)}
	p.expression = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	slices.SortStableFunc(p.needs, func(a, b []string) int { return rarity(b) - rarity(a) })
	for i := len(p.needs) - 1; i > 0 && (i >= maxNeeds || rarity(p.needs[i]) < minRarity); i-- {
		p.needs = p.needs[:i]
	}
	return p, nil
}

// required returns sets of literals of each of which any match of tree holds
// one. It may miss some; it never names one that a match can do without.
func required(tree *syntax.Regexp) [][]string {
	tail, sets, _ := spell([]string{""}, tree)
	return append(sets, nonEmpty(tail)...)
}

const (
	maxExact   = 40 // texts into which an expression is spelled out
	fewLetters = 4  // of a class that is spelled out
)

// spell returns what any match of tree holds, with one of the texts of run before it: the
// texts that it ends with, the sets of which it holds one each before them, and whether the
// texts are all there is. Signs and white space, whatever their number, and the borders of
// words are a gap. What alternatives have in common at their beginning was taken out by
// the parser, "do" of "do not" and "don't"; here each gets it back.
func spell(run []string, tree *syntax.Regexp) (tail []string, sets [][]string, exact bool) {
	nothing := []string{""}
	var texts []string // that tree matches, if they can be listed
	switch tree.Op {
	case syntax.OpEmptyMatch:
		texts = nothing
	case syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText:
		texts = []string{gapMark}
	case syntax.OpLiteral:
		if tree.Flags&syntax.FoldCase == 0 {
			texts = []string{inWords(string(tree.Rune))}
		}
	case syntax.OpCharClass:
		texts = spellClass(tree.Rune)
	case syntax.OpCapture:
		return spell(run, tree.Sub[0])
	case syntax.OpQuest:
		if some, _, ok := spell(nothing, tree.Sub[0]); ok {
			texts = append(nothing, some...)
		}
	case syntax.OpPlus, syntax.OpStar, syntax.OpRepeat:
		sub, some := tree.Sub[0], tree.Op == syntax.OpPlus || tree.Op == syntax.OpRepeat && tree.Min > 0
		switch gap := sub.Op == syntax.OpCharClass && isGap(sub.Rune); {
		case gap && some:
			texts = []string{gapMark}
		case gap:
			texts = []string{"", gapMark}
		case some:
			return nothing, append(nonEmpty(run), required(sub)...), false
		}
	case syntax.OpConcat:
		tail, exact = run, true
		for _, part := range tree.Sub {
			texts, before, ok := spell(tail, part)
			tail, sets, exact = texts, append(sets, before...), exact && ok
		}
		return tail, sets, exact
	case syntax.OpAlternate:
		for _, choice := range tree.Sub {
			some, _, ok := spell(nothing, choice)
			if !ok || len(texts)+len(some) > maxExact {
				return nothing, spellChoices(run, tree.Sub), false
			}
			texts = append(texts, some...)
		}
	}
	if texts == nil {
		return nothing, nonEmpty(run), false
	}
	if joined := cross(run, texts); joined != nil {
		return joined, nil, true
	}
	return texts, nonEmpty(run), false
}

// spellChoices returns the set of which a match of any of the choices holds one.
func spellChoices(run []string, choices []*syntax.Regexp) [][]string {
	var all []string
	for _, choice := range choices {
		tail, sets, _ := spell(run, choice)
		if sets = append(sets, nonEmpty(tail)...); len(sets) == 0 {
			return nil
		}
		all = append(all, slices.MaxFunc(sets, func(a, b []string) int { return rarity(a) - rarity(b) })...)
	}
	return [][]string{all}
}

// spellClass lists a class of few characters, given as pairs of bounds.
func spellClass(bounds []rune) (texts []string) {
	if isGap(bounds) {
		return []string{gapMark}
	}
	for i := 0; i+1 < len(bounds); i += 2 {
		for r := bounds[i]; r <= bounds[i+1]; r++ {
			if len(texts) == fewLetters {
				return nil
			}
			texts = append(texts, inWords(string(r)))
		}
	}
	return texts
}

// cross returns every text of heads with every one of tails behind it, or nil where
// either is unknown or they are too many.
func cross(heads, tails []string) (joined []string) {
	if heads == nil || tails == nil || len(heads)*len(tails) > maxExact {
		return nil
	}
	for _, head := range heads {
		for _, tail := range tails {
			joined = append(joined, inWords(head+tail))
		}
	}
	slices.Sort(joined)
	return slices.Compact(joined)
}

// isGap reports whether the class, given as pairs of bounds, holds neither letters nor
// digits nor anything beyond ASCII.
func isGap(bounds []rune) bool {
	for i := 0; i+1 < len(bounds); i += 2 {
		if bounds[i+1] >= utf8.RuneSelf {
			return false
		}
		for r := bounds[i]; r <= bounds[i+1]; r++ {
			if factsOfBytes()[byte(r)].kind != gapKind {
				return false
			}
		}
	}
	return len(bounds) > 0
}

// nonEmpty returns the set, unless a match may hold nothing of it.
func nonEmpty(set []string) [][]string {
	if len(set) == 0 || slices.Contains(set, "") || slices.Contains(set, gapMark) {
		return nil
	}
	return [][]string{set}
}

// rarity guesses how seldom honest text holds one of the set: by the letters of the
// shortest.
func rarity(set []string) int {
	least := math.MaxInt
	for _, literal := range set {
		least = min(least, len(strings.ReplaceAll(literal, gapMark, "")))
	}
	return least
}
