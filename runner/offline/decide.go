package offline

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// decide answers the question. It tries, in this order: a calculation in the question, a conversion of a
// number in the question, the steps of a plan, and a look-up of the whole question.
func (d *lookupState) decide() finding {
	if d.q.calculation != "" {
		return d.compute(d.q.calculation, nil)
	}
	steps := d.conv.plan()
	if len(steps) < 2 && !slices.ContainsFunc(steps, func(s step) bool { return s.Tool == calcTool }) {
		return d.answer(d.q)
	}
	d.inPlan = true
	f := d.follow(steps)
	computed := slices.ContainsFunc(steps, func(s step) bool { return s.Tool != searchTool })
	if computed && (f.state != absent || len(d.q.names) != 1) {
		return f
	}
	d.inPlan = false
	g := d.answer(d.q) // a passage that answers the whole question is better
	if f.state == pending || g.state == absent || g.state == found && f.state == found && f.score >= g.score {
		return f
	}
	return g
}

// answer answers a question by a look-up. For a yes-or-no question, it checks the statement.
func (d *lookupState) answer(q question) finding {
	if q.want.kind == truth {
		return d.check(&q)
	}
	return d.finish(d.lookup(&q))
}

// finish converts and rounds the result of a look-up as the question asks.
func (d *lookupState) finish(f finding) finding {
	v := f.value
	if f.state != found || v.Kind != value.Quantity || d.q.unit == nil || v.Low.Dim() != d.q.unit.Dim {
		return f
	}
	if expr := inUnit(v.Low, d.q.unit); d.q.digits != nil || expr != literal(v.Low.Rat) {
		f = d.compute(expr, f.leads)
	} else {
		f.text = expr
	}
	f.text += " " + d.q.unit.Name
	return f
}

// saidForYes is the share of a question's concepts that a lead must have, so that the answer is yes.
const saidForYes = 0.85

// denies reports whether a word of the question is within three words after a negation in the passage.
func (p *passage) denies(a *question) bool {
	for i, w := range p.words {
		for _, near := range p.words[i:min(i+4, len(p.words))] {
			if strings.Contains(" no not without never neither nor nowhere ", " "+w.low+" ") &&
				slices.Contains(a.cues, near.concept) {
				return true
			}
		}
	}
	return false
}

// check answers a yes-or-no question: yes if a lead contains nearly all of the question.
func (d *lookupState) check(a *question) finding {
	e, s := d.gather(a)
	if s != found {
		return finding{state: s}
	}
	f := finding{state: found, text: "no", leads: e.leads(a)}
	if len(f.leads) == 0 || f.leads[0].cover < minScore {
		return finding{}
	}
	if f.leads = f.leads[:1]; f.leads[0].cover >= saidForYes && !f.leads[0].last.denies(a) {
		f.text = "yes"
	}
	return f
}
