package datasets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Rule names a weakness of gold that is formally valid.
type Rule string

// The rules.
const (
	AnyAnswer       Rule = "gold/any-answer"       // almost any message satisfies a keyword, or the whole gold
	AndList         Rule = "gold/and-list"         // keywords of all_of are spellings of one another
	KeywordInQuery  Rule = "gold/keyword-in-query" // the query has the keyword, so a message that repeats it does too
	AnswerInQuery   Rule = "gold/answer-in-query"  // the query gives its answer away
	Canonical       Rule = "gold/canonical"        // the answer is read differently from how it looks
	NotGivenBack    Rule = "gold/not-given-back"   // the gold as an agent's answer is read differently
	TwoGolds        Rule = "gold/two-golds"        // two equal queries expect different answers
	AmbiguousAnswer Rule = "gold/ambiguous"        // the answer is a number or a date with two readings
	NoSource        Rule = "gold/no-source"        // no source to check the answer
	Contradiction   Rule = "gold/contradiction"    // none_of forbids the answer
	UselessAlias    Rule = "gold/useless-alias"    // the alias is the answer
	WideTolerance   Rule = "gold/wide-tolerance"   // the tolerance covers 0 or over a fifth of the answer
	// WholeDecimal: a decimal is written as a whole number, to which no other number rounds
	WholeDecimal Rule = "gold/whole-decimal"
	BareNumber   Rule = "gold/bare-number" // a number is without the unit, currency or percent sign of its type
	OddHistory   Rule = "query/history"    // the earlier messages do not take turns, or end with the user
	Unordered    Rule = "gold/unordered"   // a list looks as if its order counted, and it does not
)

// Rules lists all rules in the order in which they are documented.
func Rules() []Rule {
	return []Rule{
		AnyAnswer, AndList, KeywordInQuery, AnswerInQuery, Canonical, NotGivenBack, TwoGolds, AmbiguousAnswer, NoSource,
		Contradiction,
		UselessAlias, WideTolerance, WholeDecimal, BareNumber, Unordered, OddHistory,
	}
}

// Finding is a doubt about the gold of a query. A dataset with findings can be run, but its figures may mean
// less than they seem to.
type Finding struct {
	File    string
	Line    int // from 1
	Column  int // from 1, in characters
	Query   string
	Rule    Rule
	Message string // the problem, and how to fix it
}

// String prints "file:line:column: query: message [rule]".
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s [%s]", f.File, f.Line, f.Column, f.Query, f.Message, f.Rule)
}

// CountRules returns the number of findings of each rule as text: 2 gold/no-source, 1 gold/unordered.
func CountRules(findings []Finding) string {
	counts := map[Rule]int{}
	for _, f := range findings {
		counts[f.Rule]++
	}
	var parts []string
	for _, rule := range Rules() {
		if counts[rule] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[rule], rule))
		}
	}
	return strings.Join(parts, ", ")
}

// Lint opens a dataset as Open does and looks for gold that proves little or
// cannot be met. The findings are in the order of their places in the file.
func Lint(nameOrPath string) (*Dataset, []Finding, error) {
	l := newLoader(nameOrPath)
	var found []Finding
	first := map[string]firstAsked{}
	l.seen = func(r *record, q *Query) {
		found = append(found, lintOne(l.file, r, q, first)...)
	}
	d, err := l.openNamed(nameOrPath)
	if err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return d, withoutSources(found, len(d.Queries)), nil
}

// withoutSources keeps only one finding about missing sources if no query has a source, as in most tables:
// the same sentence about each row would hide the other findings.
func withoutSources(found []Finding, queries int) []Finding {
	isMissing := func(f Finding) bool { return f.Rule == NoSource }
	missing := 0
	for _, f := range found {
		if isMissing(f) {
			missing++
		}
	}
	if missing < queries || queries < 2 {
		return found
	}
	first := slices.IndexFunc(found, isMissing)
	found[first].Message = fmt.Sprintf("no source is given, as of all %d queries; name where the gold can be "+
		"checked, or write computed", queries)
	return slices.Concat(found[:first+1], slices.DeleteFunc(found[first+1:], isMissing))
}

// lintOne checks one query with all rules; first has the earlier queries by question.
func lintOne(file string, r *record, q *Query, first map[string]firstAsked) []Finding {
	l := linter{file: file, record: r, query: q}
	l.keywords()
	l.pairs()
	l.forbidden()
	l.answer()
	l.twoGolds(first)
	if q.Source == "" {
		l.report(r.At, NoSource, "no source is given; name where the gold can be checked, or write computed")
	}
	l.history()
	return l.found
}

// linter checks one query. The record has the same texts as the query, with their places.
type linter struct {
	file   string
	record *record
	query  *Query
	found  []Finding
}

func (l *linter) report(at strictyaml.Pos, rule Rule, format string, args ...any) {
	l.found = append(l.found, Finding{
		File: l.file, Line: at.Line, Column: at.Column, Query: l.query.ID, Rule: rule,
		Message: fmt.Sprintf(format, args...),
	})
}
