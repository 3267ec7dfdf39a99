package datasets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Rule is the name of a weakness that a valid gold may have.
type Rule string

// The rules.
const (
	AnyAnswer       Rule = "gold/any-answer"       // almost any message contains a keyword, or satisfies the whole gold
	AndList         Rule = "gold/and-list"         // two required keywords are spellings of the same word
	KeywordInQuery  Rule = "gold/keyword-in-query" // the query contains the keyword, so repeating it is enough
	AnswerInQuery   Rule = "gold/answer-in-query"  // the query contains its answer
	Canonical       Rule = "gold/canonical"        // the answer is read as another value than it looks like
	NotGivenBack    Rule = "gold/not-given-back"   // if an agent gives the gold as its answer, it is read as another value
	TwoGolds        Rule = "gold/two-golds"        // two equal queries expect different answers
	AmbiguousAnswer Rule = "gold/ambiguous"        // the answer is a number or a date with two readings
	NoSource        Rule = "gold/no-source"        // no source to check the answer
	Contradiction   Rule = "gold/contradiction"    // none_of forbids the answer
	UselessAlias    Rule = "gold/useless-alias"    // the alias is equal to the answer
	WideTolerance   Rule = "gold/wide-tolerance"   // the tolerance covers 0, or more than a fifth of the answer
	// WholeDecimal means that a decimal is a whole number, which no other number equals
	WholeDecimal Rule = "gold/whole-decimal"
	BareNumber   Rule = "gold/bare-number" // a number lacks the unit, currency or percent sign of its type
	OddHistory   Rule = "query/history"    // the earlier messages do not alternate, or end with the user
	Unordered    Rule = "gold/unordered"   // the order of a list seems to matter, but is not compared
)

// Rules returns all rules in the order of the documentation.
func Rules() []Rule {
	return []Rule{
		AnyAnswer, AndList, KeywordInQuery, AnswerInQuery, Canonical, NotGivenBack, TwoGolds, AmbiguousAnswer, NoSource,
		Contradiction,
		UselessAlias, WideTolerance, WholeDecimal, BareNumber, Unordered, OddHistory,
	}
}

// Finding is a weakness of a query's gold. A dataset with findings can be run, but its figures may be
// misleading.
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

// CountRules returns the numbers of findings by rule as text: 2 gold/no-source, 1 gold/unordered.
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

// Lint opens a dataset as Open does, and looks for gold that almost any answer meets, or none can meet. The
// findings are in the order of their places in the file.
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

// withoutSources keeps one finding about missing sources if no query has a source, as in most tables. A finding
// for each row would hide the others.
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
	found[first].Message = fmt.Sprintf("no source is given for any of %d queries; name where the gold can be "+
		"checked, or write computed", queries)
	return slices.Concat(found[:first+1], slices.DeleteFunc(found[first+1:], isMissing))
}

// lintOne checks one query with all rules. first has the earlier queries by their questions.
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

// linter checks one query. record has the texts of the query with their places.
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
