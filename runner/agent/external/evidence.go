package external

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/runner/guard/cite"
	"github.com/seed-5817661a/concur/runner/trace"
)

// ReplyDocument is a document that the agent used: in the evidence of its reply, or in the result of a tool that is a
// list of them, or an object with such a list as results or documents. ID is the one that the message cites.
type ReplyDocument struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	URL     string  `json:"url"`
	Source  string  `json:"source"` // in place of URL
	Text    string  `json:"text"`
	Snippet string  `json:"snippet"` // in place of Text
	Score   float64 `json:"score"`   // relevance, 0 to 1
}

func (d ReplyDocument) document() trace.Document {
	backend, _, _ := strings.Cut(d.ID, "_")
	return trace.Document{
		ID: d.ID, Ref: cmp.Or(d.URL, d.Title, d.ID), Title: d.Title, Source: cmp.Or(d.Source, d.URL),
		Snippet: cmp.Or(d.Text, d.Snippet), Score: min(1, max(0, d.Score)), Backend: backend,
	}
}

// documentsOf finds the documents in the result of a tool; nil if it has none.
func documentsOf(output json.RawMessage) []trace.Document {
	var list []ReplyDocument
	var object struct{ Results, Documents []ReplyDocument }
	switch {
	case json.Unmarshal(output, &list) == nil:
	case json.Unmarshal(output, &object) == nil:
		list = append(object.Results, object.Documents...)
	}
	var out []trace.Document
	for _, d := range list {
		if d.ID != "" && cmp.Or(d.Text, d.Snippet) != "" {
			out = append(out, d.document())
		}
	}
	return out
}

// audit records how far the evidence that the agent used supports its message.
func (t *run) audit(r Reply) {
	documents := t.conversation.documents
	if len(r.Evidence) > 0 {
		given := make([]trace.Document, len(r.Evidence))
		for i, d := range r.Evidence {
			given[i] = d.document()
		}
		t.emit(trace.Observation{CallID: "evidence", Output: json.RawMessage("null"), Documents: given})
		documents = append(documents, given...)
	}
	if len(documents) == 0 || r.Message == "" {
		return
	}
	known := map[string]trace.Document{}
	for _, d := range documents {
		known[d.ID] = d
	}
	for _, id := range cite.Cited(r.Message) {
		if d, ok := known[id]; ok {
			t.result.Supporting = append(t.result.Supporting, d.Backend+":"+d.Ref)
		}
	}
	if t.result.Outcome != trace.Answered {
		return
	}
	report := cite.Audit(cite.Input{Message: r.Message, Answer: t.result.Answer, Documents: documents, Query: t.task.Query.Text})
	t.emit(report.Audit)
	t.result.Grounded, t.result.Grounding = &report.Grounded, report.Grounding()
}
