package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/checks"
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
	NoTime          Rule = "gold/no-time"          // the answer changes with time, and the gold does not say when it holds
	NoSource        Rule = "gold/no-source"        // no source to check the answer
	Contradiction   Rule = "gold/contradiction"    // none_of forbids the answer
	UselessAlias    Rule = "gold/useless-alias"    // the alias is equal to the answer
	WideTolerance   Rule = "gold/wide-tolerance"   // the tolerance covers 0, or more than a fifth of the answer
	// WholeDecimal means that a decimal is a whole number, which no other number equals
	WholeDecimal Rule = "gold/whole-decimal"
	ChangingSQL  Rule = "gold/changing-sql" // the statement of the gold has a function such as now or random
	BareNumber   Rule = "gold/bare-number"  // a number lacks the unit, currency or percent sign of its type
	OddHistory   Rule = "query/history"     // the earlier messages do not alternate, or end with the user
	Unordered    Rule = "gold/unordered"    // the order of a list seems to matter, but is not compared
	// The weaknesses of checks, see package checks.
	ChecksAnyMessage    Rule = "checks/" + Rule(checks.AnyMessage)
	ChecksInQuery       Rule = "checks/" + Rule(checks.InQuery)
	ChecksContradiction Rule = "checks/" + Rule(checks.Contradiction)
)

// Rules returns all rules in the order of the documentation.
func Rules() []Rule {
	return []Rule{
		AnyAnswer, AndList, KeywordInQuery, AnswerInQuery, Canonical, NotGivenBack, TwoGolds, AmbiguousAnswer, NoTime,
		NoSource, Contradiction,
		UselessAlias, WideTolerance, WholeDecimal, BareNumber, Unordered, ChangingSQL, OddHistory,
		ChecksAnyMessage, ChecksInQuery, ChecksContradiction,
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

// Findings are the findings of a dataset: the first ones, in the order of their places, and the number of
// findings by rule. In most tables, no query has a source. Then there is only one finding about it: the same
// sentence about each row would hide the other findings.
type Findings struct {
	First  []Finding
	Counts map[Rule]int

	most    int // length of First
	queries int
	others  []Finding // the first ones that are not about a source
	source  Finding   // the first one that is about a source
}

// Len returns the number of findings.
func (f *Findings) Len() (n int) {
	for _, count := range f.Counts {
		n += count
	}
	return n
}

// Rules returns the number of findings by rule, as a text: 2 gold/no-source, 1 gold/unordered.
func (f *Findings) Rules() string {
	var parts []string
	for _, rule := range Rules() {
		if f.Counts[rule] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", f.Counts[rule], rule))
		}
	}
	return strings.Join(parts, ", ")
}

// add adds the findings of the next query.
func (f *Findings) add(found []Finding) {
	f.queries++
	slices.SortStableFunc(found, byPlace)
	for _, one := range found {
		if f.Counts[one.Rule]++; len(f.First) < f.most {
			f.First = append(f.First, one)
		}
		switch {
		case one.Rule != NoSource && len(f.others) < f.most:
			f.others = append(f.others, one)
		case one.Rule == NoSource && f.Counts[NoSource] == 1:
			f.source = one
		}
	}
}

// end keeps one finding about sources if no query has one.
func (f *Findings) end() {
	if f.queries < 2 || f.Counts[NoSource] < f.queries {
		f.others = nil
		return
	}
	f.source.Message = fmt.Sprintf("no source is given for any of %d queries; name where the gold can be checked, or "+
		"write computed", f.queries)
	f.Counts[NoSource] = 1
	f.First = append([]Finding{f.source}, f.others...)
	slices.SortStableFunc(f.First, byPlace)
	f.First, f.others = f.First[:min(len(f.First), f.most)], nil
}

func byPlace(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// Lint opens a dataset as Open does, and looks for gold that is too weak or impossible: almost any answer meets
// it, or no answer can. The findings are in the order of their places in the file.
func Lint(nameOrPath string) (*Dataset, []Finding, error) {
	l := newLoader(nameOrPath)
	found := l.lint(math.MaxInt, func(n int) (Query, error) { return l.queries[n], nil })
	d, err := l.openNamed(nameOrPath)
	if err != nil {
		return nil, nil, err
	}
	found.end()
	return d, found.First, nil
}

// ScanLint reads a dataset as [Scan] does, and looks for findings as [Lint] does. It keeps only the first
// findings, at most the given number. each is called with every query, and must store it. query must return the
// n-th of these queries, counted from 0.
func ScanLint(nameOrPath string, most int, each func(*Query) error,
	query func(n int) (Query, error)) (*Dataset, *Findings, error) {
	l := newLoader(nameOrPath)
	l.each = each
	found := l.lint(most, query)
	d, err := l.openNamed(nameOrPath)
	if err != nil {
		return nil, nil, err
	}
	found.end()
	return d, found, nil
}

// lint returns the findings of the queries that the loader is going to read.
func (l *loader) lint(most int, query func(n int) (Query, error)) *Findings {
	found := &Findings{most: most, Counts: map[Rule]int{}}
	first := questions{places: map[[16]byte]queryPlace{}, query: query}
	l.seen = func(r *record, q *Query) {
		found.add(lintOne(l.file, r, q, &first))
		l.failed = first.failed
	}
	return found
}

// lintOne checks one query by all rules. first has the questions of earlier queries.
func lintOne(file string, r *record, q *Query, first *questions) []Finding {
	l := linter{file: file, record: r, query: q}
	if len(q.Turns) > 0 {
		l.found = lintTurns(file, r, q)
	} else {
		l.gold()
		l.twoGolds(first)
	}
	l.doubts()
	if q.Source == "" && q.HasGold() {
		l.report(r.At, NoSource, "no source is given; name where the gold can be checked, or write computed")
	}
	l.history()
	return l.found
}

// doubts reports the weaknesses of the query's checks.
func (l *linter) doubts() {
	for _, d := range checks.Doubts(l.query.Checks, l.query.Text, !l.query.HasGold()) {
		l.report(l.record.Given[checksField], "checks/"+Rule(d.Weakness), "%s", d.Message)
	}
}

// gold checks the gold by the rules that need no other query.
func (l *linter) gold() {
	l.keywords()
	l.pairs()
	l.forbidden()
	l.answer()
	l.statement()
	l.time()
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
