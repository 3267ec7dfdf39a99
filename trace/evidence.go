package trace

import (
	"maps"
	"slices"
	"strconv"
	"sync"
)

// Document is a piece of evidence that a tool returned.
type Document struct {
	// ID is unique in the trace; the agent cites it. The Ledger makes it from the backend's name and a number,
	// such as corpus_1.
	ID      string `json:"id"`
	Ref     string `json:"ref"` // the permanent name at the backend, such as an entry's id or a URL
	Title   string `json:"title"`
	Source  string `json:"source"`
	Snippet string `json:"snippet"` // the text shown to the agent
	// Score is the relevance to the query, 0 to 1: the share of the query's terms in title and snippet, weighted
	// by idf.
	Score float64 `json:"score"`
	// Unscored reports that the tool gives no relevance; Score is then 1 and means nothing.
	Unscored     bool     `json:"unscored,omitempty"`
	BackendScore *float64 `json:"backend_score"` // the backend's own score, in its unit; nil if it has none
	// BackendScoreShown reports that the agent sees BackendScore.
	BackendScoreShown bool   `json:"backend_score_shown,omitempty"`
	Backend           string `json:"backend"` // wiki, serp, corpus, arxiv and others; the beginning of the id
	// Time is when the fact was observed or published, as the backend writes it; "" if it does not say.
	Time string `json:"time,omitempty"`
}

// Ledger has the evidence of one trace, which all agents of the trace share. Agents that work at the same time
// have forks of it. The zero value is empty and ready to use.
type Ledger struct {
	mu   sync.Mutex
	ids  map[string]string // id by backend and ref
	next map[string]int    // last used number of each backend
	docs map[string]Document
	// stride is the distance between the numbers of new documents; 0 means 1. start is the last number of a
	// backend that is not in next.
	stride, start int

	calculations []Calculation
}

// Calculation is a calculation of a tool. It is evidence for numbers that no document has.
type Calculation struct{ Expression, Result string }

// Calculated records a calculation.
func (l *Ledger) Calculated(c Calculation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calculations = append(l.calculations, c)
}

// Calculations returns the calculations so far, in order.
func (l *Ledger) Calculations() []Calculation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.calculations)
}

// Enter stores documents and gives them ids. If a document is already known, it keeps its id. If two agents
// that worked at the same time found the same document, it has two ids; a copy of it then keeps the id with
// which it comes.
func (l *Ledger) Enter(docs []Document) []Document {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ids == nil {
		l.ids, l.next, l.docs = map[string]string{}, map[string]int{}, map[string]Document{}
	}
	out := make([]Document, len(docs))
	for i, d := range docs {
		key := d.Backend + "\x00" + d.Ref
		id, seen := l.ids[key]
		known, named := l.docs[d.ID]
		switch {
		case named && known.Backend == d.Backend && known.Ref == d.Ref: // d has its id already
		case seen:
			d.ID = id
		default:
			l.next[d.Backend] = l.last(d.Backend) + max(1, l.stride)
			d.ID = d.Backend + "_" + strconv.Itoa(l.next[d.Backend])
			l.ids[key], l.docs[d.ID] = d.ID, d
		}
		out[i] = d
	}
	return out
}

// Lookup finds a document by the id shown to the agent.
func (l *Ledger) Lookup(id string) (Document, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d, ok := l.docs[id]
	return d, ok
}

// last returns the last used number of a backend.
func (l *Ledger) last(backend string) int {
	if n, used := l.next[backend]; used {
		return n
	}
	return l.start
}

// Fork returns n ledgers for n agents that work at the same time. Each begins with the evidence of l. The ids
// of new documents do not depend on which agent is faster, and no id has two documents: of the next numbers,
// the first ledger uses the first, the second the second, and so on in turns. Nothing may be entered in l
// until Join is called.
func (l *Ledger) Fork(n int) []*Ledger {
	l.mu.Lock()
	defer l.mu.Unlock()
	stride := max(1, l.stride)
	out := make([]*Ledger, n)
	for i := range out {
		shift := stride * (i + 1 - n)
		f := &Ledger{ids: map[string]string{}, next: map[string]int{}, docs: map[string]Document{},
			stride: stride * n, start: l.start + shift, calculations: slices.Clone(l.calculations)}
		maps.Copy(f.ids, l.ids)
		maps.Copy(f.docs, l.docs)
		for backend, last := range l.next {
			f.next[backend] = last + shift
		}
		out[i] = f
	}
	return out
}

// Join adds the evidence of forks to l, in their order. It must get all ledgers of one Fork.
func (l *Ledger) Join(forks []*Ledger) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ids == nil {
		l.ids, l.next, l.docs = map[string]string{}, map[string]int{}, map[string]Document{}
	}
	before := len(l.calculations)
	for _, f := range forks {
		f.mu.Lock()
		for key, id := range f.ids {
			if l.ids[key] == "" {
				l.ids[key] = id
			}
		}
		maps.Copy(l.docs, f.docs)
		for backend, last := range f.next {
			if last > l.last(backend) {
				l.next[backend] = last
			}
		}
		l.calculations = append(l.calculations, f.calculations[before:]...)
		f.mu.Unlock()
	}
}
