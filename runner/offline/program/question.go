package program

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/value"
)

// question is a question in small letters in which marks replace the values. A mark is § with a letter for the kind
// of the value and a letter for its index. values has the values of each kind as JavaScript.
type question struct {
	text   string
	values map[byte][]string
	digits string // the number of decimal places that the question asks for; "" if it asks for none
}

// Kinds of values, as in shapes.tsv.
const (
	quotation = 't'
	date      = 'd'
	number    = 'n'
	numbers   = 'l'
	words     = 'w'
)

// Limits of a question: bytes, dates, values of a kind.
const (
	maxQuestion = 4 << 10
	maxDates    = 4
	maxValues   = 26
)

var (
	quoted      = lazy.Compile(`"[^"]*"|“[^”]*”|«[^»]*»`)
	wordList    = lazy.Compile(`: [a-z'’-]+(?:, [a-z'’-]+){2,}(?:,? and [a-z'’-]+)?`)
	numberList  = lazy.Compile(`\d+(?:\.\d+)?(?:, \d+(?:\.\d+)?){2,}(?:,? and \d+(?:\.\d+)?)?`)
	grouped     = lazy.Compile(`(\d),(\d{3})`)
	plainNumber = lazy.Compile(`\d+(?:\.\d+)?`)
	separator   = lazy.Compile(`,? and |, `)
	places      = lazy.Compile(`,? (?:rounded )?to (\d|one|two|three|four) decimal places?$`)
	opening     = lazy.Compile(`^(?:please )?(?:(?:what|which) (?:is|are|was)|find|calculate|compute|give|determine) `)
)

// read replaces the values of a question by marks. ok is false if the question or a number in it
// is too long.
func read(from string) (q question, ok bool) {
	q.values = map[byte][]string{}
	if len(from) > maxQuestion || strings.Contains(from, "§") {
		return q, false
	}
	from = quoted.ReplaceAllStringFunc(from, func(s string) string {
		return q.mark(quotation, script(strings.Trim(s, `"“”«»`)))
	})
	from = q.markDates(from)
	low := strings.ToLower(strings.TrimRight(strings.Join(strings.Fields(from), " "), ".?! "))
	low = opening.ReplaceAllString(low, "")
	if m := places.FindStringSubmatch(low); m != nil {
		low, q.digits = strings.TrimSuffix(low, m[0]), m[1]
		if n := slices.Index([]string{"one", "two", "three", "four"}, m[1]); n >= 0 {
			q.digits = fmt.Sprint(n + 1)
		}
	}
	low = wordList.ReplaceAllStringFunc(low, func(s string) string {
		return ": " + q.mark(words, array(strings.TrimPrefix(s, ": "), script))
	})
	low = numberList.ReplaceAllStringFunc(low, func(s string) string {
		return q.mark(numbers, array(s, func(n string) string { return n }))
	})
	for range 2 { // twice, because groups of digits share a digit: 1,234,567
		low = grouped.ReplaceAllString(low, "$1$2")
	}
	q.text = plainNumber.ReplaceAllStringFunc(low, func(s string) string { return q.mark(number, s) })
	for _, of := range q.values {
		if len(of) > maxValues || slices.ContainsFunc(of, isInexact) {
			return q, false
		}
	}
	return q, true
}

// isInexact reports whether JavaScript may not hold a number exactly.
func isInexact(written string) bool {
	return plainNumber.FindString(written) == written && len(written) > 15
}

// markDates replaces the dates of a question by marks.
func (q *question) markDates(from string) string {
	var out strings.Builder
	at := 0
	for _, v := range value.Find(from, maxDates) {
		if v.Kind != value.Date || v.Date.Day == 0 || v.Date.NoYear || v.Date.Year < 1 || v.Doubt {
			continue
		}
		day := fmt.Sprintf("%04d-%02d-%02d", v.Date.Year, v.Date.Month, v.Date.Day)
		out.WriteString(from[at:v.Start] + q.mark(date, script(day)))
		at = v.End
	}
	return out.String() + from[at:]
}

// mark adds a value and returns its mark.
func (q *question) mark(kind byte, written string) string {
	q.values[kind] = append(q.values[kind], written)
	return "§" + string(kind) + string(rune('a'+len(q.values[kind])-1))
}

// script writes a text for JavaScript.
func script(s string) string {
	raw, _ := json.Marshal(s) // encoding a text never fails
	return string(raw)
}

// array writes a list of a sentence as an array.
func array(s string, write func(string) string) string {
	parts := separator.Split(s, -1)
	for i := range parts {
		parts[i] = write(parts[i])
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
