package value

import (
	"embed"
	"math/big"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed *.tsv
var tables embed.FS

// readTable reads an embedded table. The tests of this package check every cell.
func readTable(file string, cells int) [][]string {
	content, err := tables.ReadFile(file)
	if err != nil {
		panic("value: read table: " + err.Error())
	}
	return text.Rows(string(content), cells)
}

// alternatives splits a cell.
func alternatives(cell string) []string {
	return slices.DeleteFunc(strings.Split(cell, "|"), func(form string) bool { return form == "" })
}

// rational reads a cell as an exact number: 3.5, 1/3 or 1e6.
func rational(cell string) *big.Rat {
	n, _ := new(big.Rat).SetString(cell)
	return n
}

// entry is what a word or sign is in a number or date, with its number.
type entry struct {
	class string
	value int64
}

// numberWords and dateWords hold the words and signs of numbers.tsv and calendar.tsv, which
// explain the classes.
var numberWords, dateWords = words("numbers.tsv"), words("calendar.tsv")

func words(file string) func() map[string]entry {
	return sync.OnceValue(func() map[string]entry {
		m := map[string]entry{}
		for _, row := range readTable(file, 3) {
			e := entry{class: row[1]}
			if row[2] != "" {
				e.value = rational(row[2]).Num().Int64()
			}
			m[row[0]] = e
		}
		return m
	})
}

// IsNumberWord reports whether a word, in any case, belongs to a number: twenty, million,
// dozen, third.
func IsNumberWord(word string) bool {
	class := numberWords()[lower(word)].class
	return class != "" && class != "joint"
}

// IsCalendarWord reports whether a word, in any case, is a month, a weekday or an era.
func IsCalendarWord(word string) bool {
	class := dateWords()[lower(word)].class
	return class == "month" || class == "weekday" || class == "era"
}

// lists holds the words of lists.tsv by what they do beside a number.
var lists = sync.OnceValue(func() map[string][]string {
	l := map[string][]string{}
	for _, row := range readTable("lists.tsv", 2) {
		l[row[0]] = alternatives(row[1])
	}
	return l
})

func inList(list, word string) bool { return slices.Contains(lists()[list], word) }

// phrases finds the longest of many phrases at the start of a text, by their first byte.
type phrases[T any] map[byte][]phrase[T]

type phrase[T any] struct {
	text string
	is   T
}

func (p phrases[T]) add(text string, is T) {
	list := append(p[text[0]], phrase[T]{text, is})
	slices.SortStableFunc(list, func(a, b phrase[T]) int { return len(b.text) - len(a.text) })
	p[text[0]] = list
}

// find returns the longest phrase that s begins with and fits likes. One that ends in a
// letter counts only as words of their own. n is 0 without one.
func (p phrases[T]) find(s string, likes func(T) bool) (is T, n int) {
	if s == "" {
		return is, 0
	}
	for _, form := range p[s[0]] {
		last, _ := utf8.DecodeLastRuneInString(form.text)
		if strings.HasPrefix(s, form.text) && likes(form.is) &&
			(!unicode.IsLetter(last) || text.IsUnspaced(last) || !text.StartsWord(s[len(form.text):])) {
			return form.is, len(form.text)
		}
	}
	return is, 0
}
