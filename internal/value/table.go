package value

import (
	"embed"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed *.tsv
var tables embed.FS

// readTable reads an embedded table. The tests of this package check every cell.
func readTable(file string, cells int) [][]string {
	content, _ := tables.ReadFile(file) // no error: the file is embedded
	return text.Rows(string(content), cells)
}

// alternatives splits a cell into its alternatives.
func alternatives(cell string) []string {
	return strings.FieldsFunc(cell, func(r rune) bool { return r == '|' })
}

// rational reads a cell as an exact number: 3.5, 1/3 or 1e6.
func rational(cell string) *big.Rat {
	n, _ := new(big.Rat).SetString(cell)
	return n
}

// entry is the class and value of a word or sign in a number or date.
type entry struct {
	class string
	value int64
	form  string // its letter in the grammar of numbers in words
}

// numberWords and dateWords return the words and signs of numbers.tsv and calendar.tsv, where the classes are
// explained.
var numberWords, dateWords = words("numbers.tsv"), words("calendar.tsv")

func words(file string) func() map[string]entry {
	return sync.OnceValue(func() map[string]entry {
		m := map[string]entry{}
		for _, row := range readTable(file, 4) {
			e := entry{class: row[1], form: row[3]}
			if row[2] != "" {
				e.value = rational(row[2]).Num().Int64()
			}
			m[row[0]] = e
		}
		return m
	})
}

// IsNumberWord reports whether a word, in any case, belongs to a number: twenty, million, dozen, third.
func IsNumberWord(word string) bool {
	class := numberWords()[lower(word)].class
	return class != "" && class != "joint"
}

// IsCalendarWord reports whether a word, in any case, is a month, a weekday or an era.
func IsCalendarWord(word string) bool {
	class := dateWords()[lower(word)].class
	return class == "month" || class == "weekday" || class == "era"
}

// lists returns the words of lists.tsv by their role near a number.
var lists = sync.OnceValue(func() map[string][]string {
	l := map[string][]string{}
	for _, row := range readTable("lists.tsv", 2) {
		l[row[0]] = alternatives(row[1])
	}
	return l
})

func inList(list, word string) bool { return slices.Contains(lists()[list], word) }

// relations returns the phrases of relations.tsv by their place: before or after a number.
var relations = sync.OnceValue(func() map[string]*text.Phrases[Relation] {
	p := map[string]*text.Phrases[Relation]{"before": {}, "behind": {}}
	for _, row := range readTable("relations.tsv", 3) {
		p[row[1]].Add(row[0], Relation(strings.TrimPrefix(row[2], "=")))
	}
	return p
})

// cutRelation removes a relation from the beginning of s. A word needs a space after it, or the point of an
// abbreviation: approx. 5, ca. 44.
func cutRelation(s string) (relation Relation, rest string, found bool) {
	relation, n := relations()["before"].Find(s)
	if n == 0 {
		return Equal, s, false
	}
	rest = s[n:]
	if s[n-1] >= 'a' && s[n-1] <= 'z' {
		if rest = strings.TrimPrefix(rest, "."); rest == s[n:] && rest != "" && rest[0] != ' ' {
			return Equal, s, false
		}
	}
	return relation, strings.TrimPrefix(rest, " "), true
}
