package offline

import (
	"embed"
	"errors"
	"fmt"
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
	word  string      // the noun as it is written
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

// words are the tables, read once when first used. A mistake in one is a mistake of the
// build, which the tests of this package find.
var words = sync.OnceValue(func() vocabulary {
	v, err := readTables()
	if err != nil {
		panic("offline: " + err.Error())
	}
	return v
})

func readTables() (vocabulary, error) {
	v := vocabulary{stop: map[string]bool{}, families: map[string]string{}, questions: map[string]kind{}, types: map[string]want{}}
	for file, add := range map[string]func(c []string) error{
		"stopwords.tsv": func(c []string) error { return once(v.stop, c[0], true) },
		"families.tsv": func(c []string) error {
			for _, w := range strings.Fields(c[1]) {
				if err := once(v.families, english.Stem(w, true), c[0]); err != nil {
					return err
				}
			}
			return nil
		},
		"questions.tsv": func(c []string) error {
			w, err := readWant(c[1], "")
			return errors.Join(err, once(v.questions, c[0], w.kind))
		},
		"types.tsv": func(c []string) error {
			w, err := readWant(c[1], c[2])
			return errors.Join(err, once(v.types, c[0], w))
		},
		"operators.tsv": func(c []string) error {
			const one = `(?:\([-+*/(). 0-9]*\)|[0-9]+(?:\.[0-9]+)?)`
			re, err := regexp.Compile("(?i)" + strings.NewReplacer("(N)", "("+one+")", "(E)", "("+one+"(?: ?[-+*/]+ ?"+one+")*)").Replace(c[0]))
			v.operators = append(v.operators, operator{re, strings.NewReplacer("$1", "${1}", "$2", "${2}").Replace(c[1])})
			return err
		},
		"refusals.tsv": func(c []string) error {
			re, err := regexp.Compile(c[1])
			v.refusals = append(v.refusals, re)
			return err
		},
	} {
		if err := readTable(file, add); err != nil {
			return v, err
		}
	}
	return v, nil
}

// once adds an entry that must not be there yet.
func once[V any](m map[string]V, key string, entry V) error {
	if _, twice := m[key]; twice {
		return fmt.Errorf("%q stands twice", key)
	}
	m[key] = entry
	return nil
}

// readTable calls add with the four cells of each line that is neither empty nor a comment;
// those that a line leaves out are empty.
func readTable(file string, add func([]string) error) error {
	content, err := files.ReadFile(file)
	if err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(string(content)) {
		n++
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		cells := strings.Split(line, "\t")
		if err := add(append(cells, make([]string, 4)...)); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	return nil
}

// readWant reads a kind and, of a number, the unit that gives its dimension.
func readWant(name, unit string) (want, error) {
	kinds := map[string]kind{"name": anyName, "person": person, "place": place, "number": number, "date": date, "year": year, "noun": byNoun, "truth": truth, "back": back}
	k, ok := kinds[name]
	switch {
	case !ok:
		return want{}, fmt.Errorf("there is no kind %q", name)
	case unit == "":
		return want{kind: k}, nil
	case unit == "%":
		return want{kind: k, share: true}, nil
	case unit == "money", unit == "the":
		return want{kind: k, money: unit == "money", the: unit == "the"}, nil
	}
	u, ok := value.ParseUnit(unit)
	if !ok {
		return want{}, fmt.Errorf("there is no unit %q", unit)
	}
	return want{kind: k, unit: &u}, nil
}
