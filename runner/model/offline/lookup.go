package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

// maxSearches bounds the searches of one conversation.
const maxSearches = 7

// searchLimit is how many results a search asks for, where the tool takes a limit.
const searchLimit = 8

// state says how far a value is.
type state int

const (
	absent  state = iota // nothing fits, and nothing is left to try
	pending              // a tool has been called for it
	found
)

// proof is a passage that a value rests on.
type proof struct {
	doc  *source
	text string
}

// finding is the value of a node.
type finding struct {
	state  state
	text   string // as the answer writes it
	number string // plain decimal, "" where it is no number
	unit   unit
	date   date
	proofs []proof
	at     int // messages that it rests on
	rivals []span
}

// desk works one request: it reads findings off the conversation and collects the calls
// that are still needed.
type desk struct {
	conv     *conversation
	choose   chooser
	question question
	calls    []model.ToolCall
	queries  map[string]bool // searches sent so far, this turn's included
	asked    map[string]bool // concepts of the question
	tries    int             // wordings that one lookup may use
}

func newDesk(conv *conversation, choose chooser, q question) *desk {
	d := &desk{conv: conv, choose: choose, question: q, queries: map[string]bool{}, asked: set(content(q.text)), tries: 2}
	for _, o := range conv.seen {
		if o.tool == searchTool {
			if query, ok := o.args["query"].(string); ok {
				d.queries[query] = true
			}
		}
	}
	return d
}

// call adds a tool call to this turn.
func (d *desk) call(tool string, args map[string]any) {
	text, err := json.Marshal(args)
	if err != nil { // only strings and small integers ever go in
		return
	}
	d.calls = append(d.calls, model.ToolCall{ID: d.conv.newID(), Name: tool, Arguments: string(text)})
}

// maxRivals bounds the answers to an inner ask that the outer one is tried with.
const maxRivals = 3

// lookup answers one ask, its inner ask first. Where the outer ask finds nothing about the
// inner answer, it is tried with the next best; without any, the inner description itself
// goes into the outer ask, which may still find a passage that says both.
func (d *desk) lookup(a *ask) finding {
	if a.inner == nil {
		return d.settle(a.text, a.want)
	}
	inner := d.lookup(a.inner)
	if inner.state == pending {
		return inner
	}
	for i, rival := range inner.answers() {
		if i >= maxRivals {
			break
		}
		f := d.settle(strings.ReplaceAll(a.text, hole, rival.text), a.want)
		if f.state == found {
			f.proofs = append(append(slices.Clone(inner.proofs[:len(inner.proofs)-1]), rival.proofs...), f.proofs...)
		}
		if f.state != absent {
			return f
		}
	}
	return d.settle(strings.ReplaceAll(a.text, hole, strings.ReplaceAll(a.inner.text, hole, "")), a.want)
}

// answers gives a finding and then its rivals.
func (f finding) answers() []finding {
	if f.state != found {
		return nil
	}
	out := []finding{f}
	for _, s := range f.rivals {
		if s.text != f.text {
			out = append(out, s.finding(f.at, nil))
		}
	}
	return out
}

// settle answers one filled ask.
func (d *desk) settle(text string, w want) finding {
	r := newReading(text, w)
	r.asked = d.asked
	return d.retrieve(r, func(e *evidence) finding { return d.best(e, r) })
}

// retrieve runs the searches of a reading, one wording after the other, until settle finds
// something in what they returned. What it decides rests only on its own searches, so a
// longer conversation does not change it.
func (d *desk) retrieve(r *reading, settle func(*evidence) finding) finding {
	var docs []document
	var unused []string
	at, used := 0, 0
	for _, q := range wordings(r) {
		o, ok := d.conv.find(searchTool, "query", q)
		if !ok {
			if d.queries[q] {
				return finding{state: pending}
			}
			unused = append(unused, q)
			continue
		}
		used++
		docs = append(docs, o.documents()...)
		at = max(at, o.at)
	}
	if used > 0 {
		if f := settle(newEvidence(docs, at)); f.state == found {
			return f
		}
	}
	if used >= d.tries || len(unused) == 0 || len(d.queries) >= maxSearches || !d.conv.has(searchTool) || d.conv.exhausted() {
		return finding{}
	}
	scores := make([]float64, len(unused))
	for i := range scores {
		scores[i] = 1 - 0.12*float64(i)
	}
	query := unused[d.choose.pick(d.conv.messages, "wording:"+r.text, scores)]
	d.search(query)
	return finding{state: pending}
}

func (d *desk) search(query string) {
	d.queries[query] = true
	args := map[string]any{"query": query}
	if d.conv.accepts(searchTool, "limit") {
		args["limit"] = searchLimit
	}
	d.call(searchTool, args)
}

// wordings are the queries that a reading may send, the fullest first: its own words, its
// names with the measure or relation, its names alone.
func wordings(r *reading) []string {
	var full, namesOnly, related []string
	for _, w := range tokens(r.text) {
		if (w.alpha() || w.number()) && !functionWords()[w.low] && w.low != "s" {
			full = append(full, w.text)
		}
	}
	for _, n := range r.names {
		namesOnly = append(namesOnly, n.text)
	}
	related = append(related, namesOnly...)
	if r.want.noun != "" {
		related = append(related, r.want.noun)
	}
	for _, c := range r.cues {
		if c != concept(r.want.noun) {
			related = append(related, c)
		}
	}
	var out []string
	for _, words := range [][]string{full, related, namesOnly} {
		q := clip(strings.Join(words, " "))
		if q != "" && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// clip keeps queries short.
func clip(q string) string {
	const longest = 200
	if len(q) <= longest {
		return q
	}
	return strings.ToValidUTF8(q[:longest], "")
}

// best draws one span from the ranked candidates and turns it into a finding.
func (d *desk) best(e *evidence, r *reading) finding {
	all := rank(e, r)
	if len(all) == 0 || all[0].score < minScore {
		return finding{}
	}
	all = all[:min(len(all), 6)]
	scores := make([]float64, len(all))
	for i, s := range all {
		scores[i] = s.score
	}
	return all[d.choose.pick(d.drawAt(e.at), "span:"+r.text, scores)].finding(e.at, all)
}

// drawAt is the message number that a draw is made under. After a refused answer the draws
// are made anew.
func (d *desk) drawAt(at int) int {
	if d.conv.again {
		return d.conv.messages
	}
	return at
}

func (s span) finding(at int, rivals []span) finding {
	f := finding{state: found, text: s.text, date: s.date, at: at, rivals: rivals, proofs: []proof{{s.passage.doc, s.passage.text}}}
	if s.quantity.value != "" {
		f.number, f.unit = s.quantity.value, s.quantity.unit
	} else if s.date.year != 0 {
		f.number = fmt.Sprint(s.date.year)
	}
	return f
}
