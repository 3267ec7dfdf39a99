package promptfoo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Expected is the prefix of the columns of a table that hold assertions: __expected, __expected1, __expected2 ….
const Expected = "__expected"

// similarThreshold and otherThreshold are the thresholds of assertions in a table that give none.
const (
	similarThreshold = 0.8
	otherThreshold   = 0.75
)

// withThreshold are the types that have a threshold in a table.
var withThreshold = strings.Fields("answer-relevance classifier context-faithfulness context-recall " +
	"context-relevance cost latency levenshtein perplexity-score perplexity rouge-n similar starts-with")

// cellTypes returns the types that a cell can name: those of the data file without those that a cell cannot have.
var cellTypes = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for name := range types() {
		switch name {
		case "assert-set", "select-best", "human", "max-score":
		default:
			out[name] = true
		}
	}
	return out
})

// shortForms match an assertion in a cell: type, type:value or type(threshold):value. The second is for types with a
// colon in their names. The first counts before it, so similar:dot:x is similar with the value dot:x.
var shortForms = []*lazy.Regexp{
	lazy.Compile(`^(not-)?([a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?(?::((?s:.*)))?$`),
	lazy.Compile(`^(not-)?([a-z][a-z-]*:[a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?(?::((?s:.*)))?$`),
}

// cell reads an assertion from a cell of a table. A cell that names no type is the text that the output must equal.
func cell(expected string) assertion {
	expected = strings.TrimFunc(expected, unicode.IsSpace)
	for _, p := range [][2]string{{"javascript:", "javascript"}, {"fn:", "javascript"}, {"eval:", "javascript"},
		{"grade:", "llm-rubric"}, {"llm-rubric:", "llm-rubric"}, {"python:", "python"}} {
		if rest, is := strings.CutPrefix(expected, p[0]); is {
			return assertion{kind: p[1], value: strings.TrimSpace(rest)}
		}
	}
	if rest, is := strings.CutPrefix(expected, "file://"); is {
		for _, ending := range [][2]string{{".py", "python"}, {".js", "javascript"}, {".ts", "javascript"},
			{".mjs", "javascript"}, {".cjs", "javascript"}} {
			if strings.HasSuffix(rest, ending[0]) || strings.Contains(rest, ending[0]+":") {
				return assertion{kind: ending[1], value: rest}
			}
		}
	}
	kind, threshold, value, named := split(expected)
	if !named {
		return assertion{kind: "equals", value: expected}
	}
	base := strings.TrimPrefix(kind, "not-")
	if slices.Contains(withThreshold, base) && threshold == nil {
		usual := otherThreshold
		if base == "similar" {
			usual = similarThreshold
		}
		threshold = &usual
	}
	return assertion{kind: kind, value: value, threshold: threshold}
}

// split divides a short form. named is false if it names no known type. threshold and value are nil if it has none.
func split(expected string) (kind string, threshold *float64, value any, named bool) {
	for _, form := range shortForms {
		m := form.FindStringSubmatch(expected)
		if m == nil || !cellTypes()[m[2]] {
			continue
		}
		if m[3] != "" {
			given, _ := strconv.ParseFloat(m[3], 64) // digits, by the expression
			threshold = &given
		}
		if m[4] != "" {
			value = strings.TrimSpace(m[4])
		}
		return m[1] + m[2], threshold, value, true
	}
	return "", nil, nil, false
}

// listed splits a text at its commas. A part may be in double quotes, in which "" or \" is a quote.
func listed(from string) (out []any, err error) {
	rest := from
	for {
		rest = strings.TrimLeftFunc(rest, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
		if rest == "" {
			return out, nil
		}
		if rest[0] != '"' {
			part, after, _ := strings.Cut(rest, ",")
			out, rest = append(out, strings.TrimSpace(part)), after
			continue
		}
		part, after, closed := quoted(rest[1:])
		after = strings.TrimLeftFunc(after, unicode.IsSpace)
		if !closed || after != "" && after[0] != ',' {
			return nil, fmt.Errorf("the list has a quote that does not end before a comma: %.60q", from)
		}
		out, rest = append(out, part), after
	}
}

// quoted returns the text up to the next quote that is not part of the text.
func quoted(from string) (part, after string, closed bool) {
	var b strings.Builder
	for i := 0; i < len(from); i++ {
		next := byte(0)
		if i+1 < len(from) {
			next = from[i+1]
		}
		switch {
		case from[i] == '\\' && (next == '"' || next == '\\'), from[i] == '"' && next == '"':
			b.WriteByte(next)
			i++
		case from[i] == '"':
			return b.String(), from[i+1:], true
		default:
			b.WriteByte(from[i])
		}
	}
	return "", "", false
}
