package offline

import (
	"embed"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"

	"github.com/seed-5817661a/concur/internal/value"
)

// What words mean to the reader is data: one file a table, described in its first lines.
//
//go:embed *.tsv
var files embed.FS

// kind is what a question asks for.
type kind uint8

const (
	anyName kind = iota
	person
	place
	number
	date
	year
	byNoun // the noun behind the question word says it
	truth  // yes or no
	back   // no question: needs what was said before
)

// want is the type of the answer that a word of the question asks for.
type want struct {
	kind  kind
	unit  *value.Unit // that gives the dimension of a number, nil where any will do
	share bool        // it asks for a percentage
	money bool        // it asks for an amount of money
	the   bool        // names of its kind have the article: the Rhine
	noun  string      // the concept of the noun asked for, "river" of "which river"
}

// names reports whether it is a name that is wanted.
func (w want) names() bool { return w.kind == anyName || w.kind == person || w.kind == place }

// operator is how words of a calculation are written for the calculator.
type operator struct {
	words   *regexp.Regexp
	written string
}

type vocabulary struct {
	stop      map[string]bool
	families  map[string]string // stem to family
	questions map[string]kind
	types     map[string]want
	operators []operator
	refusals  []*regexp.Regexp
}

// words are the tables, read once when first used. It panics at a mistake in one, which is a
// mistake of the build that the tests of this package find.
var words = sync.OnceValue(func() vocabulary {
	v := vocabulary{stop: map[string]bool{}, families: map[string]string{}, questions: map[string]kind{}, types: map[string]want{}}
	for c := range table("stopwords.tsv") {
		v.stop[c[0]] = true
	}
	for c := range table("families.tsv") {
		for _, w := range strings.Fields(c[1]) {
			v.families[english.Stem(w, true)] = c[0]
		}
	}
	for c := range table("questions.tsv") {
		v.questions[c[0]] = wantOf(c[1], "").kind
	}
	for c := range table("types.tsv") {
		v.types[c[0]] = wantOf(c[1], c[2])
	}
	const one = `(?:\([-+*/(). 0-9]*\)|[0-9]+(?:\.[0-9]+)?)`
	numbers := strings.NewReplacer("(N)", "("+one+")", "(E)", "("+one+"(?: ?[-+*/]+ ?"+one+")*)")
	for c := range table("operators.tsv") {
		written := strings.NewReplacer("$1", "${1}", "$2", "${2}").Replace(c[1])
		v.operators = append(v.operators, operator{regexp.MustCompile("(?i)" + numbers.Replace(c[0])), written})
	}
	for c := range table("refusals.tsv") {
		v.refusals = append(v.refusals, regexp.MustCompile(c[1]))
	}
	return v
})

// table gives the three cells of each line of a file that is no comment; those that a line leaves out are empty.
func table(file string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		content, err := files.ReadFile(file)
		if err != nil {
			panic("offline: " + err.Error())
		}
		for line := range strings.Lines(string(content)) {
			cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
			if !strings.HasPrefix(line, "# ") && !yield(append(cells, "", "")) {
				return
			}
		}
	}
}

// wantOf is a kind with, of a number, the unit that gives its dimension.
func wantOf(name, unit string) want {
	w := want{share: unit == "%", money: unit == "money", the: unit == "the"}
	known := false
	w.kind, known = map[string]kind{
		"name": anyName, "person": person, "place": place, "number": number, "date": date, "year": year, "noun": byNoun, "truth": truth, "back": back,
	}[name]
	if u, ok := value.ParseUnit(unit); ok {
		w.unit = &u
	}
	if !known || unit != "" && w.unit == nil && !w.share && !w.money && !w.the {
		panic(fmt.Sprintf("offline: there is no kind %q of the unit %q", name, unit))
	}
	return w
}
