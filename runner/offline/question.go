package offline

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/value"
)

// name is a name in the question.
type name struct {
	text     string
	concepts []string
}

// says reports whether the question contains all of these concepts.
func (q *question) says(cs []string) bool {
	return !slices.ContainsFunc(cs, func(c string) bool { return !q.inQuestion[c] })
}

// open lists the words of the question that a lead does not contain.
func (q *question) open(l lead) string {
	var out []string
	for _, c := range q.concepts {
		if l.says(c) < 1 {
			out = append(out, q.written[c])
		}
	}
	return strings.Join(out, " ")
}

// question is a question divided into words. The words that describe the form of the answer are separate from
// the words of the subject.
type question struct {
	text   string
	words  []word
	names  []wordRange
	values []value.Value // values in the question, which are never the answer
	want   wantedType
	unit   *value.Unit  // the unit of the answer
	digits *int         // decimals of the answer; -1 for tens, -2 for hundreds
	form   map[int]bool // positions of words that only describe the form of the answer

	calculation string // what the calculator is asked, if the question contains a calculation or a conversion

	query      string // the search query, in the question's own words
	called     []name
	concepts   []string          // concepts in order
	written    map[string]string // the question's word for each concept
	cues       []string          // concepts that are not in names
	inQuestion map[string]bool   // all concepts, including those about form; they are never the answer
}

// readQuestion reads the first 4 KiB of a question.
func readQuestion(s string) question {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), 4<<10)], " ")), " ")
	s = polite().ReplaceAllString(s, "")
	q := question{
		text: s, words: wordsOf(s), values: value.Find(s, maxValues),
		form: map[int]bool{}, written: map[string]string{}, inQuestion: map[string]bool{},
	}
	q.names = namesIn(s, q.words, func(name string) bool { return strings.Contains(name, " and ") })
	q.readWant()
	q.readForm()
	q.readTerms()
	return q
}

var polite = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:(?:can|could|would) you (?:please )?(?:tell|give) me (?:please )?)`)
})

// readWant reads the wanted type from the question word. If there is no question word, it takes the first word
// that has a known type. The noun after "which" or "what" makes the type more specific.
func (q *question) readWant() {
	at := 0
	for at < len(q.words) {
		if k := words().questions[q.words[at].low]; k != anyName && k != truth && k != back {
			break
		}
		at++
	}
	switch {
	case len(q.words) > 0 && words().questions[q.words[0].low] == truth:
		q.want = wantedType{kind: truth}
	case at == len(q.words):
		q.want = q.nounWant(0)
		for i := 0; i < len(q.words) && q.want.kind == anyName; i++ {
			if t, ok := words().types[q.words[i].low]; ok && !q.named(i) {
				q.want = t // "Pluto discovery date"
			}
		}
	default:
		k := words().questions[q.words[at].low]
		q.want = wantedType{kind: k}
		if k == byNoun || k == number {
			q.want = q.nounWant(at + 1)
		}
		if k == number {
			q.want.kind = number
			if at+2 < len(q.words) && q.words[at+1].low == "long" &&
				!strings.Contains(" is are was were ", " "+q.words[at+2].low+" ") {
				u, _ := value.ParseUnit("second") // for example "how long did it last"
				q.want.unit = &u
			}
		}
	}
}

// nounWant reads the type from the noun phrase after a question word. It takes the first word of the phrase
// that has a known type, or else its last word. The phrase ends at a small word, a name or a comma.
func (q *question) nounWant(from int) wantedType {
	out, counted := wantedType{}, false
	for i := from; i < len(q.words); i++ {
		w := q.words[i]
		if out.noun == "" && q.named(i) && w.low != "s" && i+1 < len(q.words) &&
			(q.words[i+1].low == "s" || q.named(i+1)) {
			continue // skip a possessive, as in "the Moon's radius"
		}
		if u, n := q.unitAt(i); n > 0 && counted {
			q.leaveOut(wordRange{i, i + n})
			q.unit = u
			return wantedType{kind: number, unit: u}
		}
		t, known := words().types[w.low]
		if !known {
			t, known = words().types[strings.TrimSuffix(w.low, "s")]
		}
		if known {
			out.kind, out.unit, out.share, out.money, out.the = t.kind, t.unit, t.share, t.money, t.the
		}
		if w.concept != "" {
			out.noun = w.concept
		}
		if w.low == "many" || w.low == "much" || w.low == "number" && i+1 < len(q.words) && q.words[i+1].low == "of" {
			counted, out.noun = true, ""
			continue
		}
		if next := i + 1; known || out.noun != "" &&
			(next == len(q.words) || q.words[next].concept == "" || strings.HasSuffix(q.words[next].low, "ed") ||
				q.words[next].capital || q.breaks(next)) {
			break
		}
	}
	return out
}

// unitAt returns the longest unit, of at most four words, whose name begins at word i.
func (q *question) unitAt(i int) (*value.Unit, int) {
	for n := min(4, len(q.words)-i); n > 0; n-- {
		name := wordRange{i, i + n}.of(q.text, q.words)
		if len(name) < 3 || strings.ContainsAny(name, "0123456789,?") {
			continue
		}
		if u, ok := value.ParseUnit(name); ok {
			return &u, n
		}
	}
	return nil, 0
}

// readForm reads the unit and the rounding of the answer, as in "in miles", "to the nearest hundred" or "two
// decimal places".
func (q *question) readForm() {
	wholeNumber := func(s string) (int, bool) {
		v, err := value.Parse(s, value.AsNumber)
		if err != nil || !v.Low.Rat.IsInt() {
			return 0, false
		}
		return int(min(max(v.Low.Rat.Num().Int64(), 0), 1e12)), true
	}
	for i := 1; i < len(q.words); i++ {
		before := q.words[i-1].low
		if strings.Contains(" in to into nearest whole ", " "+before+" ") {
			if u, n := q.unitAt(i); u != nil && (q.unit == nil || q.unit.Dim == u.Dim) {
				q.unit = u
				if q.want.kind == number && q.want.unit == nil {
					q.want.unit = u
				}
				q.leaveOut(wordRange{i, i + n})
			}
		}
		if before == "nearest" || before == "whole" && q.words[i].low == "number" {
			n, _ := wholeNumber("one " + q.words[i].low)
			digits := 1 - len(strconv.Itoa(n)) // "hundred" gives -2
			q.digits = &digits
			q.leaveOut(wordRange{i, i + 1})
		}
		if n, ok := wholeNumber(before); ok && q.words[i].low == "decimal" {
			n = min(n, 20)
			q.digits = &n
			q.leaveOut(wordRange{i - 1, i + 1})
		}
	}
}

// leaveOut marks words as words about form.
func (q *question) leaveOut(r wordRange) {
	for i := r.from; i < r.to; i++ {
		q.form[i] = true
	}
}

// readTerms collects the terms for the look-up.
func (q *question) readTerms() {
	for _, n := range q.names {
		if !q.form[n.to-1] {
			q.called = append(q.called, name{n.of(q.text, q.words), concepts(q.words[n.from:n.to])})
		}
	}
	for i, x := range q.words {
		q.inQuestion[x.concept] = true
		if x.concept == "" || q.form[i] || q.written[x.concept] != "" {
			continue
		}
		q.query = strings.TrimSpace(q.query + " " + x.Of(q.text))
		q.written[x.concept], q.concepts = x.Of(q.text), append(q.concepts, x.concept)
		if !q.named(i) {
			q.cues = append(q.cues, x.concept)
		}
	}
}

// named reports whether a word belongs to a name.
func (q *question) named(i int) bool {
	return slices.ContainsFunc(q.names, func(n wordRange) bool { return n.has(i) })
}

// breaks reports whether punctuation precedes word i.
func (q *question) breaks(i int) bool {
	return strings.ContainsAny(q.text[q.words[i-1].End:q.words[i].Start], ",;:.?!")
}
