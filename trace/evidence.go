package trace

import (
	"slices"
	"strconv"
	"sync"
)

// Document is a piece of evidence that a tool returned.
type Document struct {
	// ID is unique in the trace; the agent cites it. It is the backend's name and a number,
	// such as corpus_1, assigned by the Ledger.
	ID      string `json:"id"`
	Ref     string `json:"ref"` // the permanent name at the backend: an entry's id, a URL
	Title   string `json:"title"`
	Source  string `json:"source"`
	Snippet string `json:"snippet"` // the text shown to the agent
	// Score is the relevance to the query, 0..1: the idf-weighted share of the query's terms in title and snippet.
	Score        float64  `json:"score"`
	BackendScore *float64 `json:"backend_score"` // the backend's own score, in its unit; nil if it gives none
	Backend      string   `json:"backend"`       // wiki, serp, baidu, corpus: the prefix of the id
}

// Ledger holds the evidence of one trace, which all its agents share. The zero value is empty and ready.
type Ledger struct {
	mu   sync.Mutex
	ids  map[string]string // backend and ref → id
	next map[string]int    // backend → last number used
	docs map[string]Document

	calculations []Calculation
}

// Calculation is a calculation that a tool did. It proves numbers that are in no document.
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

// Enter assigns ids to documents and keeps them. A known document keeps its id.
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
