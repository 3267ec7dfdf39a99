package program

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed shapes.tsv
var shapesFile string

//go:embed helpers.js
var helpersFile string

// shape is a line of shapes.tsv. kinds are the kinds of the values that its expression captures.
type shape struct {
	words      *regexp.Regexp
	kinds      string
	expression string
}

// Parts of questions, as in shapes.tsv.
const (
	whole     = "whole"
	aggregate = "aggregate"
	mapping   = "map"
	noun      = "noun"
	interval  = "range"
	condition = "condition"
)

var placeholder = regexp.MustCompile(`[TDNLW]`)

// shapes returns the lines of shapes.tsv by their part. The longest expressions come first, so that a shorter one
// does not take a part of their words. A malformed line panics; a test reads the file.
var shapes = sync.OnceValue(func() map[string][]shape {
	out := map[string][]shape{}
	for _, row := range text.Rows(shapesFile, 3) {
		s := shape{expression: row[2]}
		pattern := placeholder.ReplaceAllStringFunc(row[1], func(kind string) string {
			s.kinds += strings.ToLower(kind)
			return "§" + strings.ToLower(kind) + "([a-z])"
		})
		end := "(?: |$)"
		if row[0] == whole {
			end = "$"
		}
		s.words = regexp.MustCompile("^" + pattern + end)
		out[row[0]] = append(out[row[0]], s)
	}
	for _, of := range out {
		slices.SortStableFunc(of, func(a, b shape) int { return len(b.words.String()) - len(a.words.String()) })
	}
	return out
})

// Write writes a program whose last expression is the answer. ok is false if the question has none of the shapes.
func Write(from string) (code string, ok bool) {
	q, ok := read(from)
	if !ok {
		return "", false
	}
	expression, rest, ok := q.take(q.text, whole)
	if !ok || rest != "" {
		if expression, ok = q.overRange(); !ok {
			return "", false
		}
	}
	if q.digits != "" {
		expression = "Number(" + expression + ").toFixed(" + q.digits + ")"
	}
	return helpers(expression) + "const result = " + expression + "\n" +
		"typeof result === 'bigint' ? String(result) : result\n", true
}

// take reads a part at the beginning of a text.
func (q question) take(from, part string) (expression, rest string, ok bool) {
	for _, s := range shapes()[part] {
		m := s.words.FindStringSubmatch(from)
		if m == nil {
			continue
		}
		var pairs []string
		for i, kind := range []byte(s.kinds) {
			pairs = append(pairs, "$"+strconv.Itoa(i+1), q.values[kind][m[i+1][0]-'a'])
		}
		return strings.NewReplacer(pairs...).Replace(s.expression), from[len(m[0]):], true
	}
	return "", from, false
}

// maxRange is the largest number up to which a program loops.
const maxRange = 5_000_000

// overRange reads a question about the whole numbers of a range.
func (q question) overRange() (string, bool) {
	for _, n := range q.values[number] {
		if v, err := strconv.Atoi(n); err != nil || v > maxRange {
			return "", false
		}
	}
	sum, rest, ok := q.take(q.text, aggregate)
	if !ok {
		return "", false
	}
	each, rest, mapped := q.take(rest, mapping)
	kind, rest, ok := q.take(rest, noun)
	if !ok {
		return "", false
	}
	over, conditions := "", []string{}
	if kind != "true" {
		conditions = append(conditions, kind)
	}
	for rest != "" {
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "and "), "that ")
		read, after, is := q.take(rest, interval)
		if is && over == "" {
			over, rest = read, after
			continue
		}
		read, after, is = q.take(rest, condition)
		if !is {
			return "", false
		}
		conditions, rest = append(conditions, read), after
	}
	if over == "" {
		return "", false
	}
	for _, c := range conditions {
		over += fmt.Sprintf(".filter(x => %s)", c)
	}
	if mapped {
		over += fmt.Sprintf(".map(x => %s)", each)
	}
	return strings.Replace(sum, "all", over, 1), true
}

// helpers returns the functions of helpers.js that an expression needs, in the order of the file.
func helpers(expression string) string {
	var names, functions []string
	for line := range strings.Lines(helpersFile) {
		switch {
		case strings.HasPrefix(line, "//"):
		case strings.HasPrefix(line, "const "):
			names = append(names, strings.Fields(line)[1])
			functions = append(functions, line)
		default:
			functions[len(functions)-1] += line
		}
	}
	needed := map[int]bool{}
	open := []string{expression}
	for len(open) > 0 {
		next := open[0]
		open = open[1:]
		for i, name := range names {
			if !needed[i] && regexp.MustCompile(`\b`+name+`\b`).MatchString(next) {
				needed[i] = true
				open = append(open, functions[i])
			}
		}
	}
	var out strings.Builder
	for i, f := range functions {
		if needed[i] {
			out.WriteString(f)
		}
	}
	return out.String()
}
