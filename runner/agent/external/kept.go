package external

import (
	"encoding/json"
	"fmt"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// kept is what a trace keeps of the results of tools that its agent sends to the model, within the bounds of a reply:
// an agent that sends ever more documents must not fill the memory.
type kept struct {
	bounds    bounds
	documents []trace.Document // for the audit
	left      int              // bytes of documents that may still be kept
	had       int              // documents
	cut       int              // results and texts of documents
}

func keep(b bounds) *kept { return &kept{bounds: b, left: b.total} }

// take gives a result and its documents as the trace records them.
func (k *kept) take(output json.RawMessage) (json.RawMessage, []trace.Document) {
	found := documentsOf(output)
	k.had += len(found)
	found = found[:min(len(found), k.bounds.documents-len(k.documents))]
	texts := &cut{bounds: k.bounds, left: k.left}
	for i := range found {
		if texts.left <= 0 {
			found = found[:i]
			break
		}
		d := &found[i]
		for _, t := range []*string{&d.ID, &d.Ref, &d.Title, &d.Source, &d.Backend, &d.Snippet} {
			*t = texts.one(*t)
		}
	}
	k.left = texts.left
	k.documents = append(k.documents, found...)
	whole := &cut{bounds: k.bounds, left: k.bounds.text}
	output = whole.json(output)
	k.cut += texts.texts + whole.texts
	return output, found
}

// notes says what was cut.
func (k *kept) notes() []string {
	c := &cut{bounds: k.bounds}
	c.list("document", len(k.documents), k.had, k.bounds.documents, "documents")
	if k.cut > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s of tool results cut to %d KiB (agent.reply.text_kb)",
			text.Counted(k.cut, "text"), k.bounds.text>>10))
	}
	return c.notes
}
