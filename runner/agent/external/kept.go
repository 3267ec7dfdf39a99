package external

import (
	"encoding/json"
	"fmt"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// keptParts has the tool results that the agent of a trace sends to the model. It limits them in the same way
// as a reply, so that many documents do not fill the memory.
type keptParts struct {
	bounds    bounds
	documents []trace.Document // for the audit
	left      int              // bytes of documents that may still be kept
	had       int              // number of documents
	cut       int              // number of cut results and texts of documents
}

func newKeptParts(b bounds) *keptParts { return &keptParts{bounds: b, left: b.total} }

// take adds a result and its documents. It returns the parts of both that are kept in the trace.
func (k *keptParts) take(output json.RawMessage) (json.RawMessage, []trace.Document) {
	found := documentsOf(output)
	k.had += len(found)
	found = found[:min(len(found), k.bounds.documents-len(k.documents))]
	texts := &boundedReply{bounds: k.bounds, left: k.left}
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
	whole := &boundedReply{bounds: k.bounds, left: k.bounds.text}
	output = whole.json(output)
	k.cut += texts.texts + whole.texts
	return output, found
}

// notes describes the cuts.
func (k *keptParts) notes() []string {
	c := &boundedReply{bounds: k.bounds}
	c.list("document", len(k.documents), k.had, k.bounds.documents, "documents")
	if k.cut > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s of tool results cut to %d KiB (agent.reply.text_kb)",
			text.Counted(k.cut, "text"), k.bounds.text>>10))
	}
	return c.notes
}
