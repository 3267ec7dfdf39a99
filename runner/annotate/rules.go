package annotate

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// RulesVersion changes when the rules propose other calls.
const RulesVersion = "rules/v1"

// Rules proposes calls by fixed rules, without a model. It finds less than a model would: calculations that a text
// spells out, names that begin a sentence, and dates. Because it chooses the positions itself, TauS and the probability
// of a position have no effect, and M has none either.
type Rules struct{}

// Name returns the version of the rules.
func (Rules) Name() string { return RulesVersion }

// CanPropose reports whether there are rules for a tool.
func (Rules) CanPropose(t Tool) bool {
	return t.Paper == "Calculator" || t.Paper == "Calendar" || t.Paper == "WikiSearch"
}

// Propose returns the calls of a tool, from the beginning of the text to its end.
func (r Rules) Propose(_ context.Context, t Tool, in Text) (out []Proposal, err error) {
	switch t.Paper {
	case "Calculator":
		out = calculations(in.Text)
	case "Calendar":
		for _, m := range dated.FindAllStringIndex(in.Text, t.K) {
			out = append(out, Proposal{Position: before(in.Text, m[0]), Call: "Calendar()", Arguments: "{}"})
		}
	case "WikiSearch":
		out = lookUps(in.Text)
	default:
		return nil, fmt.Errorf("there are no rules for calls of %s: name a model that proposes them with --model", t.Name)
	}
	return firstPositions(out, t.K), nil
}

// firstPositions returns the proposals of the first k positions.
func firstPositions(all []Proposal, k int) (out []Proposal) {
	positions := map[int]bool{}
	for _, p := range all {
		if positions[p.Position] = true; len(positions) > k {
			break
		}
		out = append(out, p)
	}
	return out
}

// before returns the offset in front of the space before a place.
func before(in string, at int) int {
	if at > 0 && in[at-1] == ' ' {
		return at - 1
	}
	return at
}

//go:embed operators.tsv
var operatorTable string

// operatorOf returns the operator between two numbers; "" if what is between them is none.
func operatorOf(between string) string {
	between = strings.ToLower(strings.Join(strings.Fields(between), " "))
	for _, row := range text.Rows(operatorTable, 2) {
		if row[0] == between {
			return row[1]
		}
	}
	return ""
}

// maxChain limits the numbers of a calculation.
const maxChain = 8

// calculations finds numbers that operators join, and proposes to compute them in front of each number that follows
// within 100 words.
func calculations(in string) (out []Proposal) {
	numbers := number.FindAllStringIndex(in, 1024)
	value := func(i int) string { return strings.ReplaceAll(in[numbers[i][0]:numbers[i][1]], ",", "") }
	for i := 0; i < len(numbers); i++ {
		expression, last := value(i), i
		for last+1 < len(numbers) && last-i+1 < maxChain {
			operator := operatorOf(in[numbers[last][1]:numbers[last+1][0]])
			if operator == "" {
				break
			}
			last++
			expression += " " + operator + " " + value(last)
		}
		if last == i {
			continue
		}
		raw, _ := json.Marshal(map[string]string{"expression": expression}) // a text has no error
		for next := last + 1; next < len(numbers); next++ {
			if len(strings.Fields(in[numbers[i][0]:numbers[next][0]])) >= window {
				break
			}
			out = append(out, Proposal{Position: before(in, numbers[next][0]), Call: "Calculator(" + expression + ")",
				Arguments: string(raw)})
		}
		i = last
	}
	return out
}

// dated matches weekdays, months with days, and years.
var dated = lazy.Compile(`\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(?:January|February|March|April|May|June|` +
	`July|August|September|October|November|December) \d{1,2}\b|\b(?:19|20)\d\d\b`)

// subject matches a name and the verb behind it.
var subject = lazy.Compile(`\b([A-Z][\p{L}'-]+(?: (?:of |the )?[A-Z][\p{L}'-]+)*) (?:is|was|are|were|lies|stands)\b`)

// notNames are words that begin sentences and are no names.
var notNames = lazy.Compile(`^(?:The|It|He|She|They|We|You|This|That|These|Those|There|Here|What|Who|In|If|One)$`)

// lookUps finds names in front of a verb, and proposes to look them up behind the verb.
func lookUps(in string) (out []Proposal) {
	for _, m := range subject.FindAllStringSubmatchIndex(in, 256) {
		name := strings.TrimPrefix(in[m[2]:m[3]], "The ")
		if notNames.MatchString(name) {
			continue
		}
		raw, _ := json.Marshal(map[string]string{"query": name}) // a text has no error
		quoted, _ := json.Marshal(name)
		out = append(out, Proposal{Position: m[1], Call: "WikiSearch(" + string(quoted) + ")", Arguments: string(raw)})
	}
	return out
}
