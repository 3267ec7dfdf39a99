package trace

import (
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
	Score        float64  `json:"score"`
	BackendScore *float64 `json:"backend_score"` // the backend's own score, in its unit; nil if it has none
	Backend      string   `json:"backend"`       // wiki, serp, baidu or corpus; the beginning of the id
}

// Ledger has the evidence of one trace, which all agents of the trace share. The zero value is empty and
// ready to use.
type Ledger struct {
	mu   sync.Mutex
	ids  map[string]string // id by backend and ref
	next map[string]int    // last used number of each backend
	docs map[string]Document

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

// Enter stores documents and gives them ids. A document that is already known keeps its id.
func (l *Ledger) Enter(docs []Document) []Document {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ids == nil {
		l.ids, l.next, l.docs = map[string]string{}, map[string]int{}, map[string]Document{}
	}
	out := make([]Document, len(docs))
	for i, d := range docs {
		key := d.Backend + "\x00" + d.Ref
		if id, seen := l.ids[key]; seen {
			d.ID = id
		} else {
			l.next[d.Backend]++
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
