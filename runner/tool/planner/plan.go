package planner

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/runner/tool"
)

// Step is one thing to do. Tool is nil where no tool that is there can help.
type Step struct {
	Step   int     `json:"step"` // from 1
	Action string  `json:"action"`
	Tool   *string `json:"tool"`
}

// Plan is what the tool returns.
type Plan struct {
	Goal        string   `json:"goal"`
	Constraints []string `json:"constraints"`
	Tools       []string `json:"tools"` // all tools that the steps may name
	Steps       []Step   `json:"steps"`
}

// Version changes whenever a goal can get another plan.
const Version = "planner/v2"

const maxFacts = 4 // sub-descriptions looked up one by one; more would be a list, not a plan

var (
	// A relative clause describes something that must be known first.
	clause = regexp.MustCompile(`(?i)\s+(?:that|which|who|whom|whose|where)\s+`)
	// Words that ask for a number to be worked out.
	arithmetic = regexp.MustCompile(`(?i)\b(?:product|times|multipl\w*|sum|add(?:ed|ing)?|plus|minus|subtract\w*|difference|divid\w*|ratio|percent\w*|per cent|average|mean|total|how many (?:more|fewer|years|days|months|times)|how much (?:more|less|longer|higher|older)|how old|how far|how long (?:does|would|did|will)|convert\w*|expressed in|squared?|cubed?|power|remainder|modulo|half|double|twice)\b|[0-9]\s*[-+*/×÷%^]\s*[0-9]`)
	// What may be asked in a unit: "in miles", "how many hours".
	measured = regexp.MustCompile(`(?i)\b(?:in|how many) (\p{L}{2,})`)
	rounding = regexp.MustCompile(`(?i)\b(?:round(?:ed)?\b[^,.;?]*|to the nearest [^,.;?]*|to (?:one|two|three|four|\d+) (?:decimal places?|significant (?:digits|figures)))`)
	either   = regexp.MustCompile(`(?i)(?:^|[,:]\s*|\b(?:between|of|is|was|are|were|than)\s+)([^,?:]{2,60}?),?\s+(?:or|than)\s+([^,?]{2,60})\?*$`)
	// Everything that pure arithmetic is made of, beside figures and operators.
	arithmeticWords = regexp.MustCompile(`(?i)\b(?:what|how|much|many|is|are|was|the|of|by|and|to|from|a|an|in|for|with|value|result|answer|exactly|please|calculate|compute|evaluate|work|out|find|give|me|equals?|number|whole|integer|exact|remainder|divided|when|it|you|get|if|do|does)\b`)
	letter          = regexp.MustCompile(`\p{L}`)
	name            = regexp.MustCompile(`\p{Lu}[\p{L}\p{M}'’.-]+|["“«][^"”»]+["”»]`)
)

// asksForUnit reports whether a goal wants its result in a unit.
func asksForUnit(goal string) bool {
	return slices.ContainsFunc(measured.FindAllStringSubmatch(goal, -1), func(m []string) bool {
		_, ok := value.ParseUnit(m[1])
		return ok
	})
}

// Make plans the way to a goal with the tools that are there.
func Make(goal string, constraints []string, tools []tool.Spec) Plan {
	goal = strings.Join(strings.Fields(goal), " ")
	p := Plan{Goal: goal, Constraints: append([]string{}, constraints...), Tools: []string{}}
	var lookup, compute *string
	for _, t := range tools {
		p.Tools = append(p.Tools, t.Name)
		if t.Evidence && lookup == nil {
			lookup = &t.Name
		}
		if t.Name == "calc" {
			compute = &t.Name
		}
	}
	if r := rounding.FindString(goal); r != "" && len(constraints) == 0 {
		p.Constraints = append(p.Constraints, strings.TrimSpace(r))
	}
	for _, f := range facts(goal) {
		if lookup != nil {
			p.add("Find out: "+f, lookup)
		} else {
			p.add("Recall: "+f+". Nothing can be looked up: abstain unless it is certain", nil)
		}
	}
	if arithmetic.MatchString(goal) || asksForUnit(goal) {
		if compute != nil {
			p.add("Compute the result from the numbers found", compute)
		} else {
			p.add("Work out the result by hand, digit by digit", nil)
		}
	}
	last := "Check the result against the goal and its constraints, then answer"
	if lookup != nil {
		last += " with citations"
	}
	p.add(last, nil)
	return p
}

func (p *Plan) add(action string, tool *string) {
	p.Steps = append(p.Steps, Step{Step: len(p.Steps) + 1, Action: action, Tool: tool})
}

// facts lists what has to be looked up, what the rest depends on first: the innermost
// description, then the whole goal; or both sides of a comparison. Pure arithmetic needs
// no fact.
func facts(goal string) []string {
	if pureArithmetic(goal) {
		return nil
	}
	question := strings.TrimRight(goal, " ?.")
	if m := either.FindStringSubmatch(goal); m != nil && namesSomething(" "+m[1]) && namesSomething(" "+m[2]) {
		return []string{question + " (for " + strings.TrimSpace(m[1]) + ")", question + " (for " + strings.TrimSpace(m[2]) + ")"}
	}
	cuts := clause.FindAllStringIndex(goal, -1)
	var out []string
	for i := len(cuts) - 1; i >= 0 && len(out) < maxFacts-1; i-- {
		described := head(goal[:cuts[i][0]])
		if described == "" {
			continue // "On which river …" asks; it does not describe
		}
		if inner := strings.Trim(goal[cuts[i][0]:], " ?.,"); namesSomething(" " + inner) {
			out = append(out, described+" "+inner)
		}
	}
	return append(out, question)
}

// pureArithmetic reports whether nothing is left of a goal without figures, operators and
// the words around them.
func pureArithmetic(goal string) bool {
	rest := arithmeticWords.ReplaceAllString(arithmetic.ReplaceAllString(rounding.ReplaceAllString(goal, " "), " "), " ")
	return !letter.MatchString(rest)
}

// head is the noun phrase that a relative clause belongs to: the last words before it,
// back to an article. It is "" where there is none.
func head(before string) string {
	words := strings.Fields(before)
	for i := len(words) - 1; i >= 0 && i >= len(words)-5; i-- {
		switch strings.ToLower(words[i]) {
		case "the", "a", "an":
			return strings.Join(words[i:], " ")
		}
	}
	return ""
}

// namesSomething reports whether text holds a name or a quotation behind its first word,
// whose capital tells nothing.
func namesSomething(text string) bool {
	_, rest, ok := strings.Cut(text, " ")
	return ok && name.MatchString(rest)
}
