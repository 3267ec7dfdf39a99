package offline

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

type equivalenceReply struct {
	Equivalent bool   `json:"equivalent"`
	Difference string `json:"difference"`
}

// ruleEquivalence says whether two short answers to a question mean the same.
func ruleEquivalence(b blocks) (any, error) {
	d, err := b.need("question", "answer A", "answer B")
	if err != nil {
		return nil, err
	}
	difference := inquiryOf(d[0]).differ(d[1], d[2])
	return equivalenceReply{difference == "", difference}, nil
}

// What sets two answers apart.
const (
	differNothing  = "one says nothing"
	differTruth    = "one affirms, the other does not"
	differDenied   = "one negates what the other says"
	differBound    = "one is a bound, the other is not the same bound"
	differDate     = "different dates, or one less exact"
	differNumber   = "different numbers, units or counts"
	differSubject  = "different names or words"
	differOrder    = "not in the same order"
	differAddition = "one names more than the other"
)

// inquiry is what a question tells about the answers to it.
type inquiry struct {
	terms  map[string]bool // its concepts
	class  class           // of the entity asked for
	year   bool            // a year is asked for, no full date
	share  bool            // a share is asked for
	wanted unit
	order  bool // the order of what is named matters
}

var orderAsked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:order|sequence|ranking|ranked|chronologically)\b`)
})

var shareAsked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:per ?cent|percentage|share|proportion)\b|%`)
})

func inquiryOf(question string) inquiry {
	q := readQuestion(question)
	w := wantOf(q.text)
	a := inquiry{
		terms: set(content(question)), class: w.class, year: w.kind == wantYear,
		share: shareAsked().MatchString(question), wanted: q.format.unit,
		order: orderAsked().MatchString(question),
	}
	if w.unit.name != "" {
		a.wanted = w.unit
	}
	return a
}

// differ gives what sets two answers apart, "" where they mean the same. It does not
// matter which is which. A remark in parentheses behind only one of them is left out.
func (q inquiry) differ(a, b string) string {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if bare, other := withoutRemark(a), withoutRemark(b); (bare == a) != (other == b) {
		a, b = bare, other
	}
	return q.gists(gistOf(a), gistOf(b))
}

var remark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.*\S)(?: \([^()]*\)|, (?:an?|the|who|which|also|or) [^,]*)[ .]*$`)
})

// withoutRemark takes a parenthesis or an apposition off the end of an answer.
func withoutRemark(s string) string {
	if m := remark().FindStringSubmatch(s); m != nil && !strings.Contains(s, "\n") {
		return m[1]
	}
	return s
}

func (q inquiry) gists(a, b gist) string {
	switch {
	case a.empty() || b.empty():
		if a.empty() && b.empty() {
			return ""
		}
		return differNothing
	case a.yes != b.yes:
		return differTruth
	case a.yes > 0 && a.denied != b.denied: // "yes, but actually no"
		return differDenied
	case a.yes != 0 && (len(a.rest()) == 0 || len(b.rest()) == 0):
		return ""
	case a.denied != b.denied:
		return differDenied
	case a.bound != b.bound:
		return differBound
	}
	a, b = q.yearsOnly(a, b), q.yearsOnly(b, a)
	if !sameDates(a.dates, b.dates) {
		return differDate
	}
	if !sameMeasures(a.counts, b.counts, a.listed && b.listed, q.wanted, q.share) {
		return differNumber
	}
	return q.names(a, b)
}

// rest is all that an answer says beyond yes or no.
func (g gist) rest() []string {
	var out []string
	for _, n := range g.names {
		out = append(out, n.low)
	}
	for range len(g.dates) + len(g.counts) {
		out = append(out, "#")
	}
	return out
}

// yearsOnly reduces dates to their years where the question asks for a year and the other
// answer gives no more.
func (q inquiry) yearsOnly(g, other gist) gist {
	if !q.year || len(g.dates) == 0 || len(other.dates) > 0 {
		return g
	}
	var years []measure
	for _, d := range g.dates {
		years = append(years, yearMeasure(d.year))
	}
	g.counts, g.dates = append(years, g.counts...), nil
	return g
}

func sameDates(a, b []date) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].year != b[i].year || a[i].month != b[i].month || a[i].day != b[i].day {
			return false
		}
	}
	return true
}

// names compares the words of two answers: as sets, then without what the question says
// already, then as names.
func (q inquiry) names(a, b gist) string {
	if q.order && !slices.EqualFunc(a.names, b.names, func(v, w word) bool { return plainWord(v) == plainWord(w) }) {
		return differOrder
	}
	if sameWords(a.names, b.names) {
		return ""
	}
	counted := len(a.counts)+len(a.dates) > 0
	x, y := q.trimmed(a.names), q.trimmed(b.names)
	switch {
	case sameWords(x, y):
		return ""
	case counted && sameWords(q.unsaid(a.names), q.unsaid(b.names)): // "27 moons" and "27"
		return ""
	case aligned(x, y):
		return ""
	case !counted && !a.listed && !b.listed && q.class != place && q.class != thing && surname(x, y):
		return ""
	case within(x, y) || within(y, x):
		return differAddition
	default:
		return differSubject
	}
}
