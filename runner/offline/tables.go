package offline

import (
	"embed"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"

	"github.com/seed-5817661a/concur/internal/prefilter"
	"github.com/seed-5817661a/concur/internal/value"
)

// files has the tables with the meanings of words: one file for each table, described in its first lines.
//
//go:embed *.tsv
var files embed.FS

// kind is the kind of answer that a question asks for.
type kind uint8

const (
	anyName kind = iota
	person
	place
	number
	date
	year
	byNoun // the noun after the question word decides
	truth  // yes or no
	back   // not a question; the answer depends on the conversation so far
)

// wantedType is the type of answer that a question asks for.
type wantedType struct {
	kind  kind
	unit  *value.Unit // a unit of the wanted dimension; nil means any dimension
	share bool        // the answer is a percentage
	money bool        // the answer is an amount of money
	the   bool        // names of this kind have the article "the", as in "the Rhine"
	noun  string      // the concept of the wanted noun: "river" in "which river"
}

// names reports whether the answer is a name.
func (w wantedType) names() bool { return w.kind == anyName || w.kind == person || w.kind == place }

// operator translates words of a calculation for the calculator.
type operator struct {
	words   *prefilter.Regexp
	written string
}

type vocabulary struct {
	stop      map[string]bool
	families  map[string]string // family of each stem
	questions map[string]kind
	types     map[string]wantedType
	operators []operator
	refusals  []*prefilter.Regexp
}

// words returns the tables. They are read at their first use. If a table is malformed, words panics; a test of
// this package checks the tables.
var words = sync.OnceValue(func() vocabulary {
	v := vocabulary{stop: map[string]bool{}, families: map[string]string{}, questions: map[string]kind{},
		types: map[string]wantedType{}}
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
		v.operators = append(v.operators, operator{prefilter.Compile(numbers.Replace(c[0])), written})
	}
	for c := range table("refusals.tsv") {
		v.refusals = append(v.refusals, prefilter.Compile(c[1]))
	}
	return v
})

// table iterates over the lines of a file, without comments. Each line has three cells. A missing cell is
// empty.
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

// wantOf returns the wanted type for a kind. If the kind is a number with a unit, the type has the dimension of
// the unit.
func wantOf(name, unit string) wantedType {
	w := wantedType{share: unit == "%", money: unit == "money", the: unit == "the"}
	known := false
	w.kind, known = map[string]kind{
		"name": anyName, "person": person, "place": place, "number": number, "date": date, "year": year, "noun": byNoun,
		"truth": truth, "back": back,
	}[name]
	if u, ok := value.ParseUnit(unit); ok {
		w.unit = &u
	}
	if !known || unit != "" && w.unit == nil && !w.share && !w.money && !w.the {
		panic(fmt.Sprintf("offline: there is no kind %q of the unit %q", name, unit))
	}
	return w
}
