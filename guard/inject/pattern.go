package inject

import (
	"fmt"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/prefilter"
)

// pattern is an expression, with the literals that it needs: every match contains at least one literal of each
// set. The sets with the longest literals come first. A text is first searched for the literals, because this
// is fast, and most honest texts do not have them.
type pattern struct {
	expression func() *regexp.Regexp // compiled when first used, because most texts need only a few
	needs      [][]string
	// beside and unless are further expressions. The text must match beside, and must not match unless. If one
	// is nil, it is no condition.
	beside, unless func() *regexp.Regexp
	where          scope
	line           int // line in the family's file
}

// compiled returns a function that compiles an expression at its first call.
func compiled(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// grammar builds patterns from the phrases of a lexicon.
type grammar struct {
	spacing spacing
	gap     string
	words   map[string]line       // the word classes
	needs   map[string][][]string // for each class that was read, by group name: the literals that it needs
}

const anyWord = `[\w'-]+`

// newGrammar returns a grammar with word classes. If two classes have the same name, the later one is used.
func newGrammar(s spacing, classes ...map[string]line) *grammar {
	g := &grammar{s, gaps[s], map[string]line{}, map[string][][]string{}}
	for _, some := range classes {
		maps.Copy(g.words, some)
	}
	return g
}

var gaps = map[spacing]string{byWords: `[ ,:;"'()\[\]*_#\x60-]{1,4}`, byLetters: `[ ,:;"'()-]{0,3}`, bySpaces: " ",
	byNothing: ""}

const (
	minRarity = 2
	maxNeeds  = 4
)

// pattern reads a phrase, and finds the literals that the phrase needs. In languages with spaces between words,
// it does not use literals of one letter.
func (g *grammar) pattern(phrase line) (pattern, error) {
	if phrase.text == "" {
		return pattern{}, nil
	}
	if _, known := gaps[g.spacing]; !known {
		return pattern{}, fmt.Errorf("spacing %q: use none, loose or literal, or leave it out", g.spacing)
	}
	needs, err := g.required(phrase)
	if err != nil {
		return pattern{}, err
	}
	slices.SortStableFunc(needs, func(a, b []string) int { return prefilter.Rarity(b) - prefilter.Rarity(a) })
	for i := len(needs) - 1; i > 0 && (i >= maxNeeds || prefilter.Rarity(needs[i]) < minRarity); i-- {
		needs = needs[:i]
	}
	return pattern{needs: slices.Clip(needs), line: phrase.at, expression: sync.OnceValue(func() *regexp.Regexp {
		expression := g.written(phrase)
		if g.spacing == byWords {
			expression = `(?:\b|^)(?:` + expression + `)(?:\b|$)`
		}
		return regexp.MustCompile(expression)
	})}, nil
}

var slots = compiled(`\{[a-z][a-z ]*\}|<\d+> ?| `)

// expand converts a phrase to RE2 syntax. It replaces each space with gap, and each word class with the result
// of class.
func (g *grammar) expand(phrase, gap string, class func(name string) string) string {
	if g.spacing == byNothing {
		phrase = strings.ReplaceAll(phrase, "'", "")
	}
	return slots().ReplaceAllStringFunc(phrase, func(slot string) string {
		switch name := strings.Trim(slot, "{<> }"); {
		case slot == " ":
			return gap
		case slot[0] == '{':
			return class(name)
		default:
			// A gap is already before the first word, so each word is followed by a gap.
			return fmt.Sprintf("(?:%s%s){0,%s}", anyWord, gap, name)
		}
	})
}

// written returns a phrase in which the word classes are replaced by their words.
func (g *grammar) written(phrase line) string {
	return g.expand(phrase.expression(), g.gap,
		func(name string) string { return "(?:" + g.written(g.words[name]) + ")" })
}

// required returns the literals that a phrase needs. It reads each class only once. In the text that it parses,
// a class is only a group with the class's name, and a gap is any character. Parsing the full texts would take
// most of the start-up time.
func (g *grammar) required(phrase line) ([][]string, error) {
	var failed error
	gap := g.gap
	if len(gap) > 1 {
		gap = "."
	}
	tree, err := syntax.Parse(unfactored(g.expand(phrase.expression(), gap, func(name string) string {
		group := strings.ReplaceAll(name, " ", "_")
		if _, read := g.needs[group]; !read {
			class, known := g.words[name]
			if !known {
				failed = fmt.Errorf("no class of words is named {%s}; write it under words", name)
				return ""
			}
			needs, err := g.required(class)
			if err != nil {
				failed = err
			}
			g.needs[group] = needs
		}
		return "(?P<" + group + ">)"
	})), syntax.Perl)
	if failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, err
	}
	return prefilter.Needs(tree, func(group string) [][]string { return g.needs[group] }), nil
}

var alternative = compiled(`\\.|\[(?:\\.|[^\]])+\]|\|`)

// unfactored puts each alternative into a group of its own. Otherwise the parser would divide "bans|boundary"
// into b and the two rests, and a short rest is useless as a literal.
func unfactored(expression string) string {
	n := 0
	return alternative().ReplaceAllStringFunc(expression, func(s string) string {
		if s == "|" {
			n++
			s += fmt.Sprintf("(?P<_%d>)", n)
		}
		return s
	})
}

// find returns the first match in a text.
func (p *pattern) find(text string) string {
	match := p.expression().FindString(text)
	if match != "" && (p.beside != nil && !p.beside().MatchString(text) ||
		p.unless != nil && p.unless().MatchString(text)) {
		return ""
	}
	return match
}
