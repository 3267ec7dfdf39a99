package offline

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/value"
)

// task is a question about two operands.
type task struct {
	op    string        // as in operations.tsv; or compare, truth or age
	asks  []ask         // one or two lookups
	given []value.Value // numbers that the question itself brings, behind the others
	base  bool          // the first operand is what the second is measured by
	less  bool          // a comparison prefers the smaller number, the earlier date
}

// years is the unit of differences between dates.
var years = sync.OnceValue(func() value.Unit { u, _ := value.ParseUnit("year"); return u })

// readTask reads a question about two operands: an operation or a comparison, and two
// names or descriptions, or one beside a number. ok is false for every other question.
func (q *question) readTask() (t task, ok bool) {
	w := q.want
	if w.kind == number && (q.find("how old").to > 0 || q.find("what age").to > 0) {
		return q.age()
	}
	for _, o := range words().operations {
		if at := q.find(o.words); at.to > 0 {
			t.op = o.means
			q.leaveOut(at)
			break
		}
	}
	for i := range q.values { // 20% of the height of K2
		if v := &q.values[i]; t.op == "" && v.Kind == value.Percent {
			t.op, t.given = "product", []value.Value{*v}
			if at, ok := placeOf(q.words, v.Start, v.End); ok {
				q.leaveOut(at)
			}
		}
	}
	c, compared := comparative{}, false
	for _, x := range q.words {
		if c, compared = words().comparatives[x.low]; compared {
			break
		}
	}
	switch {
	case compared && w.kind == truth:
		t.op, t.less, w = "truth", c.less, c.want
	case compared && q.find("or").to > 0 && q.find("how").to == 0:
		t.op, t.less, w = "compare", c.less, c.want
	case compared && w.kind == number && (t.op == "" || t.op == "difference"):
		t.op = "difference"
		if w.unit == nil || c.want.kind == date {
			w = c.want
		}
	case t.op == "":
		return t, false
	}
	if w.kind != date {
		w.kind, w.share, w.unit = number, false, cmp.Or(w.unit, c.want.unit)
	}
	if t.op == "difference" && w.unit != nil && w.unit.Dim == years().Dim {
		w = want{kind: date}
	}
	return q.operands(t, w, c.measure)
}

// find gives the place of some words in the question, an empty one where they are not.
func (q *question) find(phrase string) run {
	ws := strings.Fields(phrase)
	for i := 0; i+len(ws) <= len(q.words); i++ {
		if slices.EqualFunc(q.words[i:i+len(ws)], ws, func(x word, low string) bool { return x.low == low }) {
			return run{i, i + len(ws)}
		}
	}
	return run{}
}

// age is the time between a birth and what the question tells of: "how old was X when Y",
// "at what age did X die".
func (q *question) age() (task, bool) {
	q.leaveOut(q.find("old"))
	q.leaveOut(q.find("age"))
	when := q.find("when")
	subject := func(i int) bool { return i < when.from || when.to == 0 && q.named(i) }
	birth, event := q.ask(subject, want{kind: date}), q.ask(everywhere, want{kind: date})
	birth.add("born")
	return task{op: "age", asks: []ask{event, birth}}, len(event.cues) > 0
}

// named says whether a word belongs to a name.
func (q *question) named(i int) bool {
	return slices.ContainsFunc(q.names, func(n run) bool { return n.has(i) })
}

// add adds a word to a lookup.
func (a *ask) add(word string) {
	if c := conceptOf(word); word != "" && a.words[c] == "" {
		a.text += " " + word
		a.words[c] = word
		a.concepts, a.cues = append(a.concepts, c), append(a.cues, c)
	}
}

// operands finds what an operation is about: two phrases, each searched for with the words
// around it; a side without any borrows the other's.
func (q *question) operands(t task, w want, measure string) (task, bool) {
	if n := q.names; len(n) == 1 && n[0].to == n[0].from+3 && q.words[n[0].from+1].low == "and" {
		q.names = []run{{n[0].from, n[0].from + 1}, {n[0].to - 1, n[0].to}} // of Bach and Mozart
	}
	groups := q.phrases()
	groups = slices.DeleteFunc(groups, func(g run) bool { // the product of the atomic number of tin and 12
		given := q.numberIn(g)
		t.given = append(t.given, given...)
		return len(given) > 0
	})
	if len(groups)+len(t.given) == 1 {
		t.given = q.numberIn(run{0, len(q.words)})
	}
	if len(groups)+len(t.given) != 2 {
		return t, false
	}
	side := func(i int) int { // of a word around the phrases, -1 for one without content of its own
		x := q.words[i]
		_, compares := words().comparatives[x.low]
		switch {
		case x.concept == "", x.number, compares, q.form[i], slices.ContainsFunc(groups, func(g run) bool { return g.has(i) }):
			return -1
		case len(groups) == 2 && i >= groups[1].from:
			return 1
		}
		return 0
	}
	and := len(groups) == 2 && q.words[groups[0].to].low == "and"
	for g, phrase := range groups {
		around, described := 1-g, false
		for i, x := range q.words {
			if side(i) == g {
				around = g
			}
			described = described || phrase.has(i) && x.concept != "" && !q.named(i)
		}
		a := q.ask(func(i int) bool { // "which mountain" says nothing that the mountain's name does not
			lent := !described && and && groups[1-g].has(i) && !q.named(i) // the births of X and Y
			return phrase.has(i) || lent || side(i) == around && (described || q.words[i].concept != q.want.noun)
		}, w)
		for _, c := range a.concepts { // "the radius" says which dimension is meant
			if t := words().types[strings.ToLower(a.words[c])]; w.kind == number && a.want.unit == nil {
				a.want.unit = t.unit
			}
		}
		a.add(measure)
		a.label = strings.TrimPrefix(phrase.of(q.text, q.words), "the ")
		t.asks = append(t.asks, a)
	}
	t.base = len(groups) == 2 && q.isBase(groups[0].from-1, t.op)
	return t, true
}

// isBase says whether what stands behind word i is what a ratio or a percentage is taken
// of: "as long as", "longer than", "percentage of".
func (q *question) isBase(i int, op string) bool {
	for i > 0 && (q.words[i].low == "the" || q.words[i].low == "that") {
		i--
	}
	return i >= 0 && (op == "ratio" && strings.Contains(" as than ", " "+q.words[i].low+" ") || op == "percent" && strings.Contains(" as of ", " "+q.words[i].low+" "))
}

// numberIn is the plain number that a phrase consists of, or the first one of the whole
// question.
func (q *question) numberIn(g run) []value.Value {
	for _, v := range q.values {
		at, ok := placeOf(q.words, v.Start, v.End)
		if ok && v.Kind == value.Count && !v.Ordinal && !q.form[at.from] && (at == g || g == run{0, len(q.words)}) {
			return []value.Value{v}
		}
	}
	return nil
}

// inside are the small words that a phrase can hold.
const inside = " of the in a an that which who whom where s on at "

// phrases are the names of the question with the small words and nouns before them and a
// noun that they possess; names without a break between them share a phrase. Where no name
// stands they are the words beside "or", "by" and their like.
func (q *question) phrases() []run {
	var out []run
	for _, g := range q.names {
		end := g.to
		for g.from > 0 && q.inPhrase(g.from-1) && !q.breaks(g.from) {
			g.from--
		}
		for g.to < len(q.words) && (q.words[g.to].low == "s" || g.to > end) && q.inPhrase(g.to) && !q.breaks(g.to) {
			g.to++
		}
		if last := len(out) - 1; last >= 0 && g.from <= out[last].to {
			out[last].to = max(out[last].to, g.to)
			continue
		}
		for g.from < end && q.words[g.from].concept == "" && q.words[g.from].low != "the" && !q.words[g.from].capital {
			g.from++
		}
		out = append(out, g)
	}
	for k := q.main.from + 1; len(out) == 0 && k+1 < q.main.to; k++ {
		right := k + 1
		for right+1 < q.main.to && strings.Contains(" that of the ", " "+q.words[right].low+" ") {
			right++
		}
		if strings.Contains(" or than and by from exceed exceeds ", " "+q.words[k].low+" ") && q.words[k-1].concept != "" && q.words[right].concept != "" {
			out = []run{{k - 1, k}, {right, right + 1}}
		}
	}
	return out
}

// breaks says whether punctuation stands before word i.
func (q *question) breaks(i int) bool {
	return strings.ContainsAny(q.text[q.words[i-1].End:q.words[i].Start], ",;:.?!")
}

// inPhrase says whether word i can stand in a phrase: a noun or a small word, no
// comparative, question word, unit, number or word of the operation.
func (q *question) inPhrase(i int) bool {
	w := q.words[i]
	_, compares := words().comparatives[w.low]
	u, _ := q.unitAt(i)
	if strings.Contains(inside, " "+w.low+" ") {
		return !q.form[i]
	}
	return !compares && w.concept != "" && !w.number && !q.form[i] && u == nil
}
