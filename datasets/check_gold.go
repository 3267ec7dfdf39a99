package datasets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/propose"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/trace"
)

// gold checks the gold of a record; broken is true if a part of the record could not be read.
func (c *checker) gold(path string, e *record, broken bool) Gold {
	r := &e.Gold
	r.Locale = strings.TrimSpace(cmp.Or(r.Locale, e.Locale, c.locale))
	c.rows(path, r)
	if at, given := r.Given["tests"]; given && !r.asCheck {
		c.fail(at, below(path, "tests"), "has no meaning in a turn: write it as a check, checks: [{tests: FILE}]")
	}
	t := c.answerType(path, e, broken) // answerType may rewrite the answer
	c.localise(path, e, t)
	g := Gold{
		Answer:    r.Answer,
		Aliases:   texts(r.Aliases),
		NoneOf:    texts(r.NoneOf),
		Condition: r.Condition,
		Outcome:   c.outcome(path, r),
		Type:      t,
		Options:   r.Options,
		At:        r.Holds,
		SQL:       c.statement(path, r),
		Tool:      r.Tool,
	}
	if at, given := r.Given["at"]; given {
		if err := CheckNow(g.At); err != nil || g.At == "" {
			c.fail(at, below(path, "at"), "%q is not a date: write 2026-11-27 or 2026-11-27T09:30:00Z", text.Head(g.At, 40))
		}
	}
	for _, alternatives := range r.AllOf {
		g.AllOf = append(g.AllOf, texts(alternatives.words))
	}
	g.FalsePremise = c.falsePremise(path, e, g.Outcome)
	c.options(path, r, g.Type)
	c.keywords(path, r)
	if at, given := r.Given["condition"]; given && g.Condition == "" {
		c.fail(at, below(path, "condition"), "is empty")
	}
	if _, given := r.Given["answer"]; given {
		c.answer(path, r, g)
		g.Tolerance = c.tolerance(path, r, g.Type)
		return g
	}
	if len(r.Aliases) > 0 {
		c.fail(r.Given["aliases"], below(path, "aliases"), "has no meaning without an answer")
	}
	if at, given := r.Given["tolerance"]; given {
		c.fail(at, below(path, "tolerance"), "has no meaning without an answer")
	}
	if !broken && !r.isTable() && g.Outcome == trace.Answered && len(g.AllOf)+len(g.NoneOf) == 0 && g.Condition == "" &&
		g.FalsePremise == "" {
		c.fail(r.At, path, "nothing to check: give an answer, keywords (all_of, none_of), a condition, premise false, "+
			"or outcome refused or abstained")
	}
	return g
}

// outcome returns the outcome of the gold. If the outcome is invalid, it reports an error and returns "".
func (c *checker) outcome(path string, r *goldRecord) trace.Outcome {
	at, given := r.Given["outcome"]
	if !given {
		return trace.Answered
	}
	outcome := trace.Outcome(r.Outcome)
	if oneOf(c, at, path, "outcome", outcome, trace.Answered, trace.Refused, trace.Abstained) {
		return outcome
	}
	return ""
}

// falsePremise returns the question with its conversation if the file says that the premise of the question is
// false. Otherwise it returns "".
func (c *checker) falsePremise(path string, e *record, outcome trace.Outcome) string {
	at, given := e.Gold.Given["premise"]
	if !given || e.Gold.Premise || c.reported[at] {
		return ""
	}
	if _, answered := e.Gold.Given["answer"]; answered {
		c.fail(at, below(path, "premise"), "is false, but the gold has an answer: remove one of them")
	}
	if outcome == trace.Refused || outcome == trace.Abstained {
		c.fail(at, below(path, "premise"), "is false, but the outcome is %s: make the outcome answered", outcome)
	}
	return Query{Text: e.Query, Context: Context{History: historyOf(e.History)}}.Wordings("")
}

// otherTypes maps type names of other programs to advice.
var otherTypes = map[string]string{
	"number": "decimal, or integer for whole numbers", "float": "decimal", "int": "integer", "bool": "boolean",
	"string": "text", "str": "text", "money": "currency", "percentage": "percent", "name": "entity",
	"multiple_choice": "choice", "regex": "text, or keywords in all_of",
}

// answerType returns the type of the answer: the type in the file, or else the type that the answer suggests,
// or else text if there is no answer. If the type in the file is invalid, it reports an error and returns "".
func (c *checker) answerType(path string, e *record, broken bool) answer.Type {
	r := &e.Gold
	at, answered := r.Given["answer"]
	if at, given := r.Given["type"]; given {
		t, err := answer.ParseType(r.Type)
		if other := otherTypes[strings.ToLower(r.Type)]; err != nil && other != "" {
			err = fmt.Errorf("unknown answer type %q: write %s", r.Type, other)
		} else if err != nil && c.flat {
			err = fmt.Errorf("%w; rename the column if it does not hold answer types", err)
		}
		if err != nil {
			c.fail(at, below(path, "type"), "%v", err)
			return ""
		}
		return t
	}
	switch {
	case !answered:
		return answer.Text
	case broken:
		return ""
	case r.Ordered:
		return answer.List
	case r.PrefixDate:
		return answer.Date
	case r.BarePercent:
		return answer.Percent
	}
	p, err := proposal(r, e.Query)
	if err != nil {
		c.fail(at, below(path, "answer"), "%v", err)
		return ""
	}
	c.notes.Proposed(p, r.Answer, at.Line)
	r.Answer, r.proposed = p.Answer, p.Type != answer.Text // only a text may lack a key
	return p.Type
}

// proposal returns the type that the answer suggests in its locale.
func proposal(r *goldRecord, question string) (propose.Proposal, error) {
	locale, _ := value.LocaleOf(r.Locale) // an unknown locale is reported when the gold is checked
	plain, aliases := locale.Plain(r.Answer), texts(r.Aliases)
	for i, alias := range aliases {
		aliases[i] = locale.Plain(alias)
	}
	p, err := propose.Propose(plain, question, aliases)
	switch {
	case err != nil || r.Locale == "":
	case !p.Type.Localised(): // a name that contains a number
		return propose.Propose(r.Answer, question, texts(r.Aliases))
	case p.Answer == plain:
		p.Answer = r.Answer
	default:
		p.Answer = locale.Local(p.Answer)
	}
	return p, err
}

// localise checks the locale of a gold. A gold without a locale gets the locale of its query or, if the query
// has none, that of the file. For types that do not depend on a locale, localise clears it.
func (c *checker) localise(path string, e *record, t answer.Type) {
	r := &e.Gold
	if _, err := value.LocaleOf(r.Locale); err != nil {
		at := e.At
		for _, given := range []strictyaml.Keys{e.Given, r.Given} {
			if own, has := given["locale"]; has {
				at = own
			}
		}
		c.fail(at, below(path, "locale"), "%v", err)
	}
	if !t.Localised() {
		r.Locale = ""
	}
}

// asTexts returns the values as texts.
func asTexts[T ~string](values []T) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

func (c *checker) answer(path string, r *goldRecord, g Gold) {
	at := r.Given["answer"]
	if g.Outcome == trace.Refused || g.Outcome == trace.Abstained {
		c.fail(at, below(path, "answer"), "contradicts outcome %s: remove the answer, or make the outcome answered",
			g.Outcome)
		return
	}
	if g.Type == "" || r.proposed { // the type as which it is read
		return
	}
	c.normalises(at, below(path, "answer"), r.Answer, g)
	for i, alias := range r.Aliases {
		c.normalises(alias.at, below(path, fmt.Sprintf("aliases[%d]", i)), alias.text, g)
	}
}

// normalises reports a gold answer that has no key. No agent's answer could equal such a gold.
func (c *checker) normalises(at strictyaml.Pos, path, raw string, g Gold) {
	of := typedGold{raw, g.Type, g.Options}
	problem := ""
	if len(raw) > maxRepeated {
		problem = of.problem()
	} else {
		problem = c.golds.Get(of, of.problem)
	}
	if problem != "" {
		c.fail(at, path, "%s", problem)
	}
}

// maxRepeated is the number of bytes of a gold answer up to which many queries often have the same one.
const maxRepeated = 40

// typedGold is a gold answer and how it is read.
type typedGold struct {
	raw     string
	as      answer.Type
	options answer.Options
}

// problem says why the answer has no key; "" if it has one.
func (g typedGold) problem() string {
	key, err := answer.Normalize(g.raw, g.as, g.options)
	switch {
	case err != nil:
		return err.Error()
	case key.Confidence == answer.Ambiguous:
		return fmt.Sprintf("%.60q can be read in two ways as %s; write it so that it cannot", g.raw, g.as)
	}
	return ""
}

func (c *checker) tolerance(path string, r *goldRecord, t answer.Type) answer.Tolerance {
	at, given := r.Given["tolerance"]
	if !given {
		return answer.Tolerance{}
	}
	tolerance, err := answer.ParseTolerance(r.Tolerance)
	switch {
	case err != nil:
		c.fail(at, below(path, "tolerance"), "%v", err)
	case t != "" && !t.Numeric():
		c.fail(at, below(path, "tolerance"), "needs a numeric type, and the type is %s", t)
	}
	return tolerance
}

// options reports options that the answer's type does not have. A gold without an answer may have options,
// because they also affect votes.
func (c *checker) options(path string, r *goldRecord, t answer.Type) {
	for _, o := range []struct {
		name string
		set  bool
		of   []answer.Type
	}{
		{"ordered", r.Ordered, []answer.Type{answer.List, answer.Table}},
		{"unit_optional", r.UnitOptional, []answer.Type{answer.Quantity, answer.Currency}},
		{"prefix_date", r.PrefixDate, []answer.Type{answer.Date}},
		{"bare_percent", r.BarePercent, []answer.Type{answer.Percent}},
	} {
		if o.set && t != "" && !slices.Contains(o.of, t) {
			c.fail(r.Given[o.name], below(path, o.name), "needs the type %s, and the type is %s",
				strings.Join(asTexts(o.of), " or "), t)
		}
	}
}
