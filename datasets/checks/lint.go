package checks

import (
	"fmt"
	"slices"
	"strings"
)

// Weakness is the kind of a doubtful list of checks.
type Weakness string

// The kinds.
const (
	AnyMessage    Weakness = "any-message"   // no check asks for anything in a message
	InQuery       Weakness = "in-query"      // the query contains the text that a message must contain
	Contradiction Weakness = "contradiction" // one check requires what another forbids
)

// Doubt is a weakness of a list of checks: the problem, and how to fix it.
type Doubt struct {
	Weakness Weakness
	Message  string
}

// Doubts returns the weaknesses of the checks of a question. Checks in groups are not compared with others.
// alone means that the query has no gold.
func Doubts(list []Check, question string, alone bool) (out []Doubt) {
	add := func(w Weakness, format string, args ...any) {
		out = append(out, Doubt{w, fmt.Sprintf(format, args...)})
	}
	if alone && !slices.ContainsFunc(list, asks) {
		add(AnyMessage, "no check asks for anything in the message, so almost any message passes; require something, "+
			"such as contains or regex")
	}
	folded := strings.ToLower(question)
	for i, c := range list {
		if c.Kind == Contains || c.Kind == IContains {
			if !c.Not && strings.Contains(folded, strings.ToLower(c.Text)) {
				add(InQuery, "the text %.60q of %s is in the query, so a message that repeats the question contains it; "+
					"use a text that is not in the query", c.Text, c.Name())
			}
			for _, other := range list[:i] {
				if other.Kind == c.Kind && other.Not != c.Not && other.On == c.On && c.excludes(other) {
					add(Contradiction, "%s and %s cannot both hold; remove one of them", other, c)
				}
			}
		}
	}
	return out
}

// excludes reports whether no text satisfies both checks. One of them is negated.
func (c Check) excludes(other Check) bool {
	wanted, forbidden := c.Text, other.Text
	if c.Not {
		wanted, forbidden = forbidden, wanted
	}
	if c.Kind == IContains {
		wanted, forbidden = strings.ToLower(wanted), strings.ToLower(forbidden)
	}
	return strings.Contains(wanted, forbidden)
}

// asks reports whether a check asks for something that not almost every message has.
func asks(c Check) bool {
	switch {
	case c.Kind == Any || c.Kind == All:
		return slices.ContainsFunc(c.Parts, asks)
	case c.Weight != nil && *c.Weight == 0:
		return false
	}
	return c.Kind == Exec || c.Kind == Tests || forms[c.Kind].text && !c.Not
}

// Uses reports whether a list has a check of a kind, also in a group.
func Uses(list []Check, kind Kind) bool {
	return slices.ContainsFunc(list, func(c Check) bool { return c.Kind == kind || Uses(c.Parts, kind) })
}

// Count returns the number of checks in a list, with those in groups, and without the groups.
func Count(list []Check) (n int) {
	for _, c := range list {
		if c.Parts == nil {
			n++
		}
		n += Count(c.Parts)
	}
	return n
}

// Programs returns the commands of checks, with those in groups.
func Programs(list []Check) (out [][]string) {
	for _, c := range list {
		if c.Kind == Exec {
			out = append(out, c.Exec.Command)
		}
		out = slices.Concat(out, Programs(c.Parts))
	}
	return out
}
