package offline

import (
	"regexp"
	"strings"
	"sync"
)

// hole stands in a step's text for the name that the step before it finds.
const hole = "{}"

// maxHops bounds the lookups that one chain makes, one after the other.
const maxHops = 3

// ask is one lookup: what to look for, in the question's own words, and what kind of
// span answers it. Text may hold a hole, filled by inner's answer.
type ask struct {
	text  string
	inner *ask
	want  want
}

// newAsk reads a question or noun phrase as a chain of lookups, the innermost
// description first: "the population of the capital of X" asks for the capital, then for
// its population. Without a want the outermost text says what is wanted.
func newAsk(text string, w *want) *ask {
	var inner *ask
	for hops := 1; hops < maxHops; hops++ {
		from, to, ok := description(text)
		if !ok {
			break
		}
		d := strings.TrimSpace(text[from:to])
		if inner != nil && !strings.Contains(d, hole) {
			break // two descriptions side by side are no chain
		}
		rest := text[:from] + hole + text[to:]
		if !contentful(rest) && (w == nil || strings.TrimSpace(rest) != hole || w.kind == wantName || wantOf(d).kind != wantName) {
			break // nothing is asked about what is described but the description itself
		}
		inner = &ask{text: d, inner: inner, want: wantOf(d)}
		text = strings.Join(strings.Fields(rest), " ")
	}
	if w == nil {
		own := wantOf(text)
		w = &own
	}
	return &ask{text: text, inner: inner, want: *w}
}

// contentful says whether what surrounds a description asks for more than the description
// itself: "which city is {}" does not.
func contentful(rest string) bool {
	if located().MatchString(rest) || strings.Contains(rest, hole+"'s") {
		return true
	}
	for _, w := range tokens(strings.ReplaceAll(rest, hole, " ")) {
		if !w.alpha() && !w.number() {
			continue
		}
		if functionWords()[w.low] || w.low == "s" || w.low == "name" || w.low == "title" {
			continue
		}
		if classOf(w.low) == anything || relationHead(rest, w) {
			return true // a type noun alone, "which city", only repeats what kind is asked for
		}
	}
	return false
}

// located sees questions for where the described thing is: "in which city is {}".
var located = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:in|on|at|near|through|by|of|from|to|into|along|across|beside) (?:which|what) .*\{\}|^where\b.*\{\}`)
})

// relationHead says whether a noun is followed by "of": then it is a relation, not a type.
func relationHead(text string, w word) bool {
	return strings.HasPrefix(strings.TrimLeft(strings.ReplaceAll(text, hole, " ")[min(w.end, len(text)):], " "), "of ")
}

// description finds the rightmost noun phrase that describes an entity instead of naming
// it: "the city that hosted …", "the author of …", "the river crossing …".
func description(text string) (from, to int, ok bool) {
	w := tokens(text)
	for i := len(w) - 1; i >= 0; i-- {
		end := 0
		switch {
		case i > 0 && predicative(w[i-1].low): // "become the capital of X" describes nothing new
		case w[i].low == "the" || (w[i].low == "a" || w[i].low == "an") && i > 0:
			end = describedFrom(w, i)
		case w[i].text == "'" && i+3 < len(w) && w[i+1].low == "s" && superlative(w[i+2].low) && classOf(w[i+3].low) != anything:
			if start := nameStart(w, i); start < i {
				return w[start].start, w[i+3].end, true
			}
		case w[i].text == "'" && i+2 < len(w) && w[i+1].low == "s" && relationNouns()[w[i+2].low]:
			start := nameStart(w, i)
			if start < i {
				return w[start].start, w[i+2].end, true
			}
		}
		if end > 0 {
			return w[i].start, w[end-1].end, true
		}
	}
	return 0, 0, false
}

func predicative(low string) bool {
	switch low {
	case "become", "became", "becoming", "as", "elected", "crowned", "made", "appointed":
		return true
	default:
		return false
	}
}

// describedFrom gives the token behind the description that starts with the article at i,
// or 0 where none does.
func describedFrom(w []word, i int) int {
	j, head := i+1, -1
	for j < len(w) && j < i+6 && w[j].alpha() && (!w[j].capital() || j > i+1 && relative(w, j) > 0) {
		if relative(w, j) > 0 && head >= 0 {
			return clauseEnd(w, i, j)
		}
		if w[j].low == "of" || functionWords()[w[j].low] && w[j].low != "first" {
			break
		}
		if head >= 0 && classOf(w[head].low) != anything && participle(w[j].low) {
			return clauseEnd(w, i, j)
		}
		head = j
		j++
	}
	if head < 0 || j >= len(w) {
		return 0
	}
	switch {
	case relative(w, j) > 0 && entityHead(w, i+1, head):
		return clauseEnd(w, i, j)
	case w[j].low == "of" && relationNouns()[w[head].low]:
		if end := nameEnd(w, j+1); end > j+1 {
			return end
		}
	case (w[j].low == "in" || w[j].low == "of" || w[j].low == "on") && superlative(w[i+1].low) && classOf(w[head].low) != anything:
		if end := nameEnd(w, j+1); end > j+1 {
			return end
		}
	case w[j].low == "with" && classOf(w[head].low) != anything && j+1 < len(w) && (w[j+1].low == "the" || w[j+1].low == "a" || w[j+1].low == "an"):
		return clauseEnd(w, i, j)
	}
	return 0
}

func superlative(low string) bool {
	return len(low) > 5 && strings.HasSuffix(low, "est") || low == "first" || low == "last"
}

// entityHead says whether a relative clause's head noun is an entity, not a measure.
func entityHead(w []word, from, head int) bool {
	switch w[head].low {
	case "year", "date", "day", "month", "century", "number", "time", "age", "amount", "way", "distance", "height", "length":
		return false
	}
	return head >= from
}
