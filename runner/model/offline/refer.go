package offline

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

type pointerPatterns struct{ pronoun, bare, asks *regexp.Regexp }

// pointers see what points back: pronouns, and "that city", "this metal".
var pointers = sync.OnceValue(func() pointerPatterns {
	re := regexp.MustCompile
	return pointerPatterns{
		pronoun: re(`(?i)\b(?:(?:that|this|these|those|the same|the said) ([a-z]+)|it|its|they|their|he|him|his|she|her|there|then)\b`),
		bare:    re(`(?i)^(?:(?:on|in|at|by|from|to|of) )?(?:which|what|who|whom|when|where)?(?: (?:one|day|date|year|exactly|precisely|exact))*(?: ?(?:was|is|did|were|does) (?:it|that|this|he|she|they)(?: so| called| true)?)?$`),
		asks:    re(`(?i)\b(?:which|what|who|whom|whose|when|where|how)\b`),
	}
})

// clauses splits a message into sentences, and those at semicolons, colons and dashes.
func clauses(text string) []string {
	var out []string
	for _, s := range sentences(text) {
		if formats().manner.MatchString(s) {
			continue
		}
		start := 0
		for _, loc := range clauseMarks().FindAllStringIndex(s, -1) {
			if strings.Count(s[:loc[0]], `"`)%2 == 1 || strings.Count(s[:loc[0]], "(") > strings.Count(s[:loc[0]], ")") {
				continue
			}
			out = append(out, s[start:loc[0]])
			start = loc[1]
		}
		out = append(out, s[start:])
	}
	return slices.DeleteFunc(out, idle)
}

// idle says that a clause is greeting and frame alone.
func idle(s string) bool {
	for _, w := range tokens(s) {
		if (w.alpha() || w.number()) && !frameWords()[w.low] && !anchors()[w.low] {
			return false
		}
	}
	return true
}

var clauseMarks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:;| [–—-]|:) +`) })

// refer reads a clause that asks together with the clause before it that it points back
// to. Where it points to a description, the description becomes the inner ask.
func refer(q, before string) (string, *ask) {
	before = existential().ReplaceAllString(strip(before), "")
	m := pointers().pronoun.FindStringSubmatchIndex(q)
	if m == nil {
		return q, nil
	}
	low, noun := strings.ToLower(q[m[0]:m[1]]), ""
	if m[2] >= 0 {
		noun = strings.ToLower(q[m[2]:m[3]])
		if low[:3] != "the" && classOf(noun) == anything && !strings.Contains(strings.ToLower(before), noun) {
			return q, nil // "that makes …" points to nothing
		}
	}
	text, inner := antecedent(before, low, noun)
	if text == "" {
		return q, nil
	}
	switch low {
	case "its", "their", "his", "her":
		if low == "her" && (m[1] == len(q) || functionWords()[strings.ToLower(strings.Fields(q[m[1]:])[0])]) {
			break
		}
		text += "'s"
	case "there", "then":
		text = "in " + text
	}
	return q[:m[0]] + text + q[m[1]:], inner
}

var existential = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^there (?:is|was|are|were) `) })

// antecedent finds what a pointer stands for: a hole with its ask, or a name.
func antecedent(before, low, noun string) (string, *ask) {
	of := anything
	switch low {
	case "he", "him", "his", "she", "her":
		of = person
	case "there":
		of = place
	}
	fits := func(n string) bool {
		switch c := classOf(n); {
		case noun != "":
			return akin(n, noun) || stem(n) == stem(noun)
		case of != anything:
			return c == of
		default:
			return c != person
		}
	}
	w := tokens(before)
	if nominal(w) {
		return hole, newAsk(before, nil)
	}
	if pointers().asks.MatchString(before) && len(w) > 0 && (questionOpens(w[0].low) || preposition(w[0].low) && questionOpens(w[min(1, len(w)-1)].low)) {
		return hole, newAsk(before, nil)
	}
	if from, to, ok := description(before); ok && from == 0 && strings.HasPrefix(before, "The ") {
		if d := newAsk("the"+before[from+3:to], nil); d.want.class == of || of == anything {
			return hole, d
		}
	}
	for i := len(w) - 1; i >= 0; i-- { // "a metal clads X" asks "which metal clads X"
		if end := indefinite(w, i); end > 0 && fits(w[end-1].low) {
			question := before[:w[i].start] + "which " + w[end-1].low + before[w[end-1].end:]
			return hole, newAsk(question, &want{class: classOf(w[end-1].low), noun: w[end-1].low})
		}
	}
	if of == person && (strings.Contains(" "+strings.ToLower(before), " someone ") || strings.Contains(strings.ToLower(before), "somebody ")) {
		return hole, newAsk(before, &want{class: person})
	}
	if from, to, ok := description(before); ok {
		return hole, newAsk(before[from:to], nil)
	}
	for i := range w {
		if w[i].capital() && !functionWords()[w[i].low] {
			return before[w[i].start:w[nameEnd(w, i)-1].end], nil
		}
	}
	return "", nil
}

// nominal says that a clause is a noun phrase alone: "the killer of X: what was his name?"
func nominal(w []word) bool {
	if len(w) < 3 || w[0].low != "the" {
		return false
	}
	for _, t := range w {
		if auxiliaries()[t.low] || clauseVerbs()[t.low] || relative([]word{t}, 0) > 0 {
			return false
		}
	}
	return true
}

// indefinite gives the token behind the noun phrase that an indefinite article opens at i,
// its head last: "a famous author", "one of its cities", "one river"; 0 where none does.
func indefinite(w []word, i int) int {
	switch w[i].low {
	case "a", "an", "one", "some", "another", "certain":
	default:
		return 0
	}
	j := i + 1
	if j+1 < len(w) && w[j].low == "of" {
		j += 2
	}
	head := 0
	for ; j < len(w) && w[j].alpha() && !functionWords()[w[j].low]; j++ {
		if head > 0 && (clauseVerbs()[w[j].low] || participle(w[j].low)) {
			break
		}
		head = j + 1
		if classOf(w[j].low) != anything && (j+1 >= len(w) || classOf(w[j+1].low) == anything) {
			break
		}
	}
	return head
}

// attach gives the asks of a tree that have an unfilled hole the ask that fills it.
func (n *node) attach(inner *ask) {
	if inner == nil {
		return
	}
	for _, a := range n.args {
		a.attach(inner)
	}
	if n.ask == nil {
		return
	}
	a := n.ask
	for a.inner != nil {
		a = a.inner
	}
	if !strings.Contains(a.text, hole) {
		return
	}
	if a == n.ask && !contentful(a.text) && a.want.kind == wantName {
		n.ask = inner
		return
	}
	a.inner = inner
}
