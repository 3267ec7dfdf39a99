package baidu

import (
	"github.com/seed-5817661a/concur/runner/tool/search"
	"github.com/seed-5817661a/concur/runner/trace"
)

// documents turns hits into documents, at most limit; a page that is listed twice is one.
func documents(hits []hit, query string, limit int) []trace.Document {
	out := make([]trace.Document, 0, min(limit, len(hits)))
	seen := map[string]bool{}
	for _, h := range hits {
		if len(out) == limit {
			break
		}
		if seen[h.link] {
			continue
		}
		seen[h.link] = true
		out = append(out, trace.Document{
			Backend: "baidu", Ref: h.link, Title: h.title, Source: search.HostOf(h.link), Snippet: h.snippet,
			Score: search.Score(query, h.title, h.snippet),
		})
	}
	return out
}
