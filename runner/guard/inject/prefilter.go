package inject

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// pattern is an expression with what every match of it holds: of each set of
// literals at least one. Looking for them first spares an honest text the dear
// expressions.
type pattern struct {
	expression *regexp.Regexp
	needs      [][]string
}

// newPattern compiles an expression and derives what it needs. It panics on an
// expression that does not compile: all of them are constants of this package.
func newPattern(expression string) pattern {
	p := pattern{expression: regexp.MustCompile(expression)}
	if tree, err := syntax.Parse(expression, syntax.Perl); err == nil {
		p.needs = required(tree)
		slices.SortStableFunc(p.needs, func(a, b []string) int { return shortest(b) - shortest(a) })
	}
	return p
}

// find returns the leftmost match in text, or "".
func (p pattern) find(text string) string {
	for _, literals := range p.needs {
		if !containsAny(text, literals) {
			return ""
		}
	}
	return p.expression.FindString(text)
}

func containsAny(text string, literals []string) bool {
	for _, literal := range literals {
		if strings.Contains(text, literal) {
			return true
		}
	}
	return false
}

// required returns sets of literals of each of which any match of tree holds
// one. It may miss some; it never names one that a match can do without.
func required(tree *syntax.Regexp) [][]string {
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
		var all [][]string
		for _, part := range tree.Sub {
			all = append(all, required(part)...)
		}
		return all
	case syntax.OpAlternate:
		var union []string
		for _, choice := range tree.Sub {
			sets := required(choice)
			if len(sets) == 0 {
				return nil
			}
			union = append(union, rarest(sets)...)
		}
		return [][]string{union}
	}
	return nil
}

// rarest returns the set whose shortest literal is longest.
func rarest(sets [][]string) []string {
	return slices.MaxFunc(sets, func(a, b []string) int {
		return shortest(a) - shortest(b)
	})
}

func shortest(set []string) int {
	least := len(set[0])
	for _, literal := range set[1:] {
		least = min(least, len(literal))
	}
	return least
}
