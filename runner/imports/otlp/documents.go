package otlp

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/seed-5817661a/concur/trace"
)

// documents returns the documents of a retrieval. first is the number of those before.
func (p *part) documents(first int) (out []trace.Document) {
	if p.kind != retrievalKind {
		return nil
	}
	value := p.value("documents")
	if text, is := value.(string); is {
		value = parsedJSON(text)
	}
	list, _ := value.([]any)
	backend := cmp.Or(p.text("source"), "retrieval")
	for _, item := range list {
		v, is := item.(map[string]any)
		if !is {
			continue
		}
		if inner, is := v["document"].(map[string]any); is { // OpenInference
			v = inner
		}
		name := fmt.Sprintf("%s_%d", backend, first+len(out)+1)
		doc := trace.Document{ID: name, Ref: cmp.Or(firstText(v, "id"), name), Title: firstText(v, "title"),
			Snippet: firstText(v, "content", "text"), Backend: backend, Score: 1, Unscored: true}
		if n, is := v["score"].(json.Number); is {
			if score, err := n.Float64(); err == nil {
				doc.BackendScore = &score
			}
		}
		out = append(out, doc)
	}
	return out
}
