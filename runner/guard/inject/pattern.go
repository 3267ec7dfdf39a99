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
	if texts := exact(tree); texts != nil {
		return nonEmpty(texts)
	}
	switch tree.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return required(tree.Sub[0])
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return required(tree.Sub[0])
		}
	case syntax.OpConcat, syntax.OpAlternate:
		return requiredBehind([]string{""}, tree)
	}
	return nil
}

// requiredBehind is required for tree with one of the texts of run before it. The
// parser takes out what alternatives have in common at their beginning, "do" of "do not"
// and "don't"; here each gets it back, and neighbours that can be spelled out are
// joined to longer literals.
func requiredBehind(run []string, tree *syntax.Regexp) (all [][]string) {
	parts := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		parts = tree.Sub
	}
	for _, part := range parts {
		texts := exact(part)
		if joined := cross(run, texts); joined != nil {
			run = joined
			continue
		}
		switch {
		case texts != nil:
			all = append(all, nonEmpty(run)...)
			run = texts
		case part.Op == syntax.OpAlternate:
			all = append(all, union(run, part.Sub)...)
			run = []string{""}
		default:
			all = append(append(all, nonEmpty(run)...), required(part)...)
			run = []string{""}
		}
	}
	return append(all, nonEmpty(run)...)
}

// union returns the set of which a match of any of the choices holds one.
func union(run []string, choices []*syntax.Regexp) [][]string {
	var all []string
	for _, choice := range choices {
		sets := requiredBehind(run, choice)
		if len(sets) == 0 {
			return nil
		}
		all = append(all, rarest(sets)...)
	}
	return [][]string{all}
}

const (
	maxExact   = 40 // texts into which an expression is spelled out
	fewLetters = 4  // of a class that is spelled out
)

// exact returns all the texts that tree matches, or nil where they are too many. Signs
// and white space, whatever their number, and the borders of words are a gap.
func exact(tree *syntax.Regexp) (texts []string) {
	switch tree.Op {
	case syntax.OpEmptyMatch:
		return []string{""}
	case syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText:
		return []string{gapMark}
	case syntax.OpPlus, syntax.OpStar, syntax.OpRepeat:
		if sub := tree.Sub[0]; sub.Op == syntax.OpCharClass && isGap(sub.Rune) {
			if tree.Op == syntax.OpStar || tree.Op == syntax.OpRepeat && tree.Min == 0 {
				return []string{"", gapMark}
			}
			return []string{gapMark}
		}
	case syntax.OpLiteral:
		if tree.Flags&syntax.FoldCase == 0 {
			return []string{inWords(string(tree.Rune))}
		}
	case syntax.OpCharClass:
		if isGap(tree.Rune) {
			return []string{gapMark}
		}
		for i := 0; i+1 < len(tree.Rune); i += 2 {
			for r := tree.Rune[i]; r <= tree.Rune[i+1]; r++ {
				if len(texts) == fewLetters {
					return nil
				}
				texts = append(texts, inWords(string(r)))
			}
		}
		return texts
	case syntax.OpCapture:
		return exact(tree.Sub[0])
	case syntax.OpQuest:
		if texts := exact(tree.Sub[0]); texts != nil {
			return append([]string{""}, texts...)
		}
	case syntax.OpConcat:
		texts = []string{""}
		for _, part := range tree.Sub {
			if texts = cross(texts, exact(part)); texts == nil {
				return nil
			}
		}
		return texts
	case syntax.OpAlternate:
		for _, choice := range tree.Sub {
			one := exact(choice)
			if one == nil || len(texts)+len(one) > maxExact {
				return nil
			}
			texts = append(texts, one...)
		}
		return texts
	}
	return nil
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

// rarest returns the set whose commonest literal is rarest.
func rarest(sets [][]string) []string {
	return slices.MaxFunc(sets, func(a, b []string) int { return rarity(a) - rarity(b) })
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
