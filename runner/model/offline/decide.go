package offline

import (
	"strings"
)

// verdict is what the reader has to say about a question once nothing is pending.
type verdict struct {
	state  state
	answer string
	work   string // the calculation, as the calculator did it
	proofs []proof
}

// decide evaluates the read question. What rests on retrieved passages stands only if some
// passage knows each name of the question.
func (d *desk) decide(n *node) verdict {
	v := d.evaluate(n)
	if v.state != found || len(v.proofs) == 0 {
		return v
	}
	var e evidence
	for _, o := range d.conv.seen {
		for _, doc := range o.documents() {
			e.docs = append(e.docs, &source{all: set(content(doc.Title + " " + doc.Snippet))})
		}
	}
	if !e.known(namesIn(d.question.text)) {
		return verdict{}
	}
	return v
}

func (d *desk) evaluate(n *node) verdict {
	switch {
	case n.numeric():
		return d.number(n)
	case n.op == opPick, n.op == opTruth:
		return d.compare(n)
	case n.op == opSame:
		return d.agree(n)
	case n.op == opVerify:
		return d.verify(n.ask)
	case n.op == opBoth:
		return d.all(n)
	}
	f := d.question.format
	if n.ask.want.kind == wantNumber && (f.unit.name != "" || f.round || f.significant > 0) {
		return d.number(n)
	}
	found := d.lookup(n.ask)
	return verdict{state: found.state, answer: found.text, proofs: found.proofs}
}

// number answers with a computed number and its unit where the question does not name it.
func (d *desk) number(n *node) verdict {
	f, work := d.computed(n)
	v := verdict{state: f.state, answer: f.text, work: work, proofs: f.proofs}
	if f.unit.dim == "percent" && d.question.format.unit.dim != "percent" {
		v.answer += "%"
	}
	return v
}

// compare picks the entity with the larger or smaller measure, or says whether the first
// one has it. It orders retrieved numbers; it does not subtract them.
func (d *desk) compare(n *node) verdict {
	a, b := d.lookup(n.args[0].ask0()), d.lookup(n.args[1].ask0())
	if a.state == pending || b.state == pending {
		return verdict{state: pending}
	}
	if a.state == absent || b.state == absent {
		return verdict{}
	}
	order, ok := d.order(a, b)
	if !ok {
		return verdict{}
	}
	v := verdict{state: found, proofs: append(append([]proof{}, a.proofs...), b.proofs...)}
	wins := order > 0
	if n.smaller {
		wins = order < 0
	}
	switch {
	case n.op == opTruth && wins:
		v.answer = "yes"
	case n.op == opTruth:
		v.answer = "no"
	case order == 0:
		return verdict{}
	case wins:
		v.answer = d.label(n, 0)
	default:
		v.answer = d.label(n, 1)
	}
	return v
}

// ask0 gives the lookup of a comparison's operand; a given number or an operation has none.
func (n *node) ask0() *ask {
	if n.op == opAsk {
		return n.ask
	}
	return &ask{}
}

// label names a side of a comparison: what its description turned out to be, else the
// question's words.
func (d *desk) label(n *node, i int) string {
	if inner := n.args[i].ask.inner; inner != nil {
		if f := d.lookup(inner); f.state == found {
			return f.text
		}
	}
	label := strings.Trim(n.labels[i], ` "`)
	return strings.TrimPrefix(strings.TrimPrefix(label, "the "), "The ")
}

// order compares two findings as dates, or as numbers in one unit.
func (d *desk) order(a, b finding) (int, bool) {
	if a.date.year != 0 && b.date.year != 0 {
		return a.date.before(b.date), true
	}
	x, y := a.term(), b.term()
	if x.state != found || y.state != found {
		return 0, false
	}
	switch {
	case x.unit.name == y.unit.name || x.unit.name == "" || y.unit.name == "":
	case x.unit.metric && y.unit.metric && x.unit.dim == y.unit.dim:
		low := min(x.unit.scale, y.unit.scale)
		x.expr, y.expr = shift(x.expr, x.unit.scale-low), shift(y.expr, y.unit.scale-low)
	default:
		other, ok := b.inUnit(x.unit)
		if !ok {
			if x, ok = a.inUnit(y.unit); !ok {
				return 0, false
			}
			other = y
		}
		y = other
	}
	return compareNumbers(x.expr, y.expr), true
}

// agree says whether two lookups have one answer.
func (d *desk) agree(n *node) verdict {
	a, b := d.lookup(n.args[0].ask), d.lookup(n.args[1].ask)
	switch {
	case a.state == pending || b.state == pending:
		return verdict{state: pending}
	case a.state == absent || b.state == absent:
		return verdict{}
	}
	v := verdict{state: found, answer: "no", proofs: append(append([]proof{}, a.proofs...), b.proofs...)}
	if fold(strings.ToLower(a.text)) == fold(strings.ToLower(b.text)) {
		v.answer = "yes"
	}
	return v
}

// all says yes where every statement holds.
func (d *desk) all(n *node) verdict {
	out := verdict{state: found, answer: "yes"}
	for _, a := range n.args {
		v := d.verify(a.ask)
		out.proofs = append(out.proofs, v.proofs...)
		switch {
		case v.state == pending:
			out.state = pending
		case v.state == absent && out.state == found:
			out.state = absent
		case v.answer == "no":
			out.answer = "no"
		}
	}
	return out
}

// The thresholds of a statement: a passage that holds this much of it confirms it; one
// that holds its subject and this much of its other words, but not its object, denies it.
const (
	confirmCover = 0.75
	denyCover    = 0.4
)

// verify looks for a passage that says what a statement says.
func (d *desk) verify(a *ask) verdict {
	text := a.text
	var before []proof
	if a.inner != nil {
		inner := d.lookup(a.inner)
		switch inner.state {
		case pending:
			return verdict{state: pending}
		case found:
			text, before = strings.ReplaceAll(text, hole, inner.text), inner.proofs
		default:
			text = strings.ReplaceAll(text, hole, strings.ReplaceAll(a.inner.text, hole, ""))
		}
	}
	r := newReading(text, want{})
	answer := ""
	f := d.retrieve(r, func(e *evidence) finding {
		p, said := e.statement(r)
		if p == nil {
			return finding{}
		}
		answer = said
		return finding{state: found, proofs: append(before, proof{p.doc, p.text})}
	})
	return verdict{state: f.state, answer: answer, proofs: f.proofs}
}

// statement finds the passage that comes closest to a statement and what it says to it.
func (e *evidence) statement(r *reading) (*passage, string) {
	if len(r.order) == 0 || len(r.names) > 0 && !e.known(r.names[:1]) {
		return nil, ""
	}
	var best *passage
	top := 0.0
	for _, d := range e.docs {
		if len(r.names) > 0 && d.share(r.names[0]) < minName {
			continue
		}
		for _, p := range d.passages {
			if c := e.cover(p, r); c > top {
				best, top = p, c
			}
		}
	}
	switch {
	case best == nil || top < denyCover:
		return nil, ""
	case top >= confirmCover && e.namesHold(best, r):
		if negated(best.text) != negated(r.text) {
			return best, "no"
		}
		return best, "yes"
	default:
		return best, "no"
	}
}

// namesHold says whether every hard name and number of a statement stands in the passage
// or its title.
func (e *evidence) namesHold(p *passage, r *reading) bool {
	for _, n := range r.names {
		if n.soft {
			continue
		}
		hit := 0
		for _, c := range n.concepts {
			if len(p.concepts[c]) > 0 || p.doc.title[c] {
				hit++
			}
		}
		if float64(hit) < minName*float64(len(n.concepts)) {
			return false
		}
	}
	return true
}

func negated(text string) bool {
	for _, w := range tokens(text) {
		if w.low == "not" || w.low == "never" || w.low == "no" || w.low == "neither" || strings.HasSuffix(w.low, "n't") {
			return true
		}
	}
	return false
}
