package prefilter

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// shortest is the length of the shortest literal for which Regexp searches, in bytes. Nearly every text has one that
// is shorter.
const shortest = 2

// Regexp is a regular expression with the literals that it needs.
type Regexp struct {
	expression *regexp.Regexp
	needs      [][]string
}

// Compile compiles an expression. It panics if the expression is wrong.
func Compile(pattern string) *Regexp {
	r := &Regexp{expression: regexp.MustCompile(pattern)}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err) // MustCompile has read the same pattern
	}
	for _, set := range Needs(tree, nil) {
		if Rarity(set) >= shortest {
			r.needs = append(r.needs, set)
		}
	}
	return r
}

// MatchString is [regexp.Regexp.MatchString].
func (r *Regexp) MatchString(s string) bool { return In(s, r.needs) && r.expression.MatchString(s) }

// ReplaceAllString is [regexp.Regexp.ReplaceAllString].
func (r *Regexp) ReplaceAllString(s, by string) string {
	if !In(s, r.needs) {
		return s
	}
	return r.expression.ReplaceAllString(s, by)
}

// In reports whether a text contains at least one literal of each set.
func In(s string, sets [][]string) bool {
	return !slices.ContainsFunc(sets, func(set []string) bool {
		return !slices.ContainsFunc(set, func(literal string) bool { return strings.Contains(s, literal) })
	})
}

// Needs returns sets of literals: every match of the expression contains a literal of each set. It does not find all
// such sets, and none in parts that ignore case. groups gives the sets of a group by its name; if groups is nil,
// Needs reads the groups like other parts.
func Needs(tree *syntax.Regexp, groups func(name string) [][]string) (sets [][]string) {
	switch tree.Op {
	case syntax.OpLiteral:
		if tree.Flags&syntax.FoldCase == 0 {
			return [][]string{{string(tree.Rune)}}
		}
	case syntax.OpCapture:
		if tree.Name != "" && groups != nil {
			return groups(tree.Name)
		}
		return Needs(tree.Sub[0], groups)
	case syntax.OpPlus:
		return Needs(tree.Sub[0], groups)
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return Needs(tree.Sub[0], groups)
		}
	case syntax.OpConcat:
		for _, part := range tree.Sub {
			sets = append(sets, Needs(part, groups)...)
		}
	case syntax.OpAlternate:
		var all []string
		for _, choice := range tree.Sub {
			some := Needs(choice, groups)
			if len(some) == 0 {
				return nil
			}
			all = append(all, slices.MaxFunc(some, func(a, b []string) int { return Rarity(a) - Rarity(b) })...)
		}
		slices.Sort(all)
		return [][]string{slices.Compact(all)}
	}
	return sets
}

// Rarity estimates how rare the literals of a set are in texts: the length of the shortest one, in bytes.
func Rarity(set []string) int {
	return len(slices.MinFunc(set, func(a, b string) int { return len(a) - len(b) }))
}
