package offline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/model"
)

// Limits on searches: results per search, bytes of a query, searches per conversation.
const (
	searchLimit = 8
	maxQuery    = 200
	maxSearches = 7
)

// baseCover is the share of a question's words, weighted by their rarity, that passages of a knowledge base must
// contain to answer it. A knowledge base has few texts about a thing, so a passage that lacks more says
// something else. The value was tuned on the half of kb60 with the tag tuned.
const baseCover = 0.6

// state is the progress of a look-up or a calculation.
type state uint8

const (
	absent  state = iota // no value fits, and no search is left
	pending              // a tool call for it is in progress
	found
)

// finding is the result of a look-up or a calculation.
type finding struct {
	state state
	text  string // as written in the answer
	value value.Value
	leads []lead    // the passages that support it
	work  string    // the calculation that the calculator evaluated
	score float64   // score of a look-up
	other []finding // the next best findings
}

// lookupState works on one request. It reads findings from the conversation, and collects the calls that are
// still needed.
type lookupState struct {
	conv    *conversation
	choose  chooser
	q       question
	calls   []model.ToolCall
	sent    map[string]bool // queries that were sent, including those of this turn
	library *library
	inPlan  bool // the plan contains the second searches
}

func newDesk(conv *conversation, documents *library, choose chooser) *lookupState {
	d := &lookupState{conv: conv, library: documents, choose: choose, sent: map[string]bool{}}
	d.q = documents.questions.Get(conv.question, func() question {
		q := readQuestion(conv.question)
		q.readCalculation()
		return q
	})
	search, key := conv.searcher()
	for _, o := range conv.seen {
		if query, ok := o.args[key].(string); ok && o.tool == search {
			d.sent[query] = true
		}
	}
	return d
}

// call adds a tool call to this turn.
func (d *lookupState) call(tool string, args map[string]any) {
	d.calls = append(d.calls, callOf(tool, args))
}

// search returns the result of a query. If the conversation does not have the result yet, search adds the call.
// If the tool is an agent, it reads the documents that the agent's answer cites.
func (d *lookupState) search(query string) ([]*article, state) {
	query = strings.ToValidUTF8(query[:min(len(query), maxQuery)], "")
	tool, key := d.conv.searcher()
	if o, ok := d.conv.find(tool, key, query); ok {
		var out []*article
		for _, doc := range o.documents() {
			out = append(out, d.library.article(doc))
		}
		return out, found
	}
	switch {
	case d.sent[query]:
		return nil, pending
	case query == "" || len(d.sent) >= maxSearches || !d.conv.can(tool):
		return nil, absent
	}
	d.sent[query] = true
	args := map[string]any{key: query}
	if _, ok := d.conv.offered[tool].Properties["limit"]; ok {
		args["limit"] = searchLimit
	}
	if tool == d.conv.agent {
		args["context"], args["reason"] = "", "It can search, and I cannot."
	}
	d.call(tool, args)
	return nil, pending
}

// gather searches for a question in its own words. If this returns no documents, it searches with the words of
// the whole question. If the results do not contain all of the question, and no plan divides it, gather also
// searches for names in the best passages. It returns absent if the articles do not contain a name of the
// question.
func (d *lookupState) gather(a *question) (*evidence, state) {
	docs, s := d.search(a.query)
	if s == found && len(docs) == 0 {
		docs, s = d.search(d.q.text)
	}
	for _, g := range d.conv.given {
		docs = append(docs, d.library.article(g))
	}
	if s != found && (s == pending || len(docs) == 0) {
		return nil, s
	}
	e := newEvidence(docs)
	further := false
	for _, query := range d.bridges(e, a) {
		more, s := d.search(query)
		further = further || s == pending
		docs = append(docs, more...)
	}
	if further {
		return nil, pending
	}
	e = newEvidence(docs)
	if slices.ContainsFunc(a.called, func(n name) bool { return !e.knows(n) }) {
		return nil, absent
	}
	return e, found
}

// bridges draws two names that have no article yet from the four best leads. Each query is a name and the words
// of the question that its lead does not have. If a lead has all words, there is no query for it.
func (d *lookupState) bridges(e *evidence, a *question) []string {
	leads := e.leads(a)
	if d.inPlan || len(leads) == 0 || len(a.cues) < 2 || a.open(leads[0]) == "" {
		return nil
	}
	var queries []string
	var scores []float64
	for _, l := range leads[:min(len(leads), 4)] {
		for _, n := range e.names[l.last] {
			name := n.of(l.last.text, l.last.words)
			query := name + " " + a.open(l)
			if len(e.titled(name)) > 0 || slices.Contains(queries, query) ||
				a.says(concepts(l.last.words[n.from:n.to])) {
				continue
			}
			queries = append(queries, query)
			scores = append(scores, l.cover+byNearness*e.nearness(span{lead: l, at: n}, a))
		}
	}
	var out []string
	for len(out) < 2 && len(queries) > 0 {
		at := d.choose.pick(d.conv.round, "bridge:"+a.query+strconv.Itoa(len(out)), scores)
		out = append(out, queries[at])
		queries, scores = slices.Delete(queries, at, at+1), slices.Delete(scores, at, at+1)
	}
	return out
}

// lookup answers a question with one span, drawn from the best six spans.
func (d *lookupState) lookup(a *question) finding {
	e, s := d.gather(a)
	if s != found {
		return finding{state: s}
	}
	all := e.rank(a)
	all = all[:min(len(all), 6)]
	scores := make([]float64, len(all))
	for i, s := range all {
		scores[i] = s.score
	}
	at := d.choose.pick(d.conv.round, "span:"+a.query, scores)
	if at < 0 || all[0].score < minScore || d.conv.searchesBase() && all[at].cover < baseCover {
		return finding{}
	}
	out := make([]finding, len(all))
	for i, s := range all {
		out[i] = finding{state: found, text: s.text, value: s.value, leads: []lead{s.lead}, score: s.score}
	}
	f := out[at]
	f.other = slices.Delete(out, at, at+1)
	return f
}
