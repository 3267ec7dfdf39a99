package serper

import (
	"html"
	"net/url"
	"strings"

	"github.com/seed-5817661a/concur/runner/tool/search"
	"github.com/seed-5817661a/concur/runner/trace"
)

// documents turns hits into documents, at most limit. Pages that a reply names twice,
// as answer box and as organic result, are one document: its id is given by its link.
func (b *Backend) documents(hits []hit, query string, limit int) []trace.Document {
	out := make([]trace.Document, 0, min(limit, len(hits)))
	at := map[string]int{}
	for _, h := range hits {
		d := b.document(h, query)
		i, seen := at[d.Ref]
		switch {
		case seen:
			out[i].Snippet = join(out[i].Snippet, d.Snippet)
		case len(out) < limit:
			at[d.Ref] = len(out)
			out = append(out, d)
		}
	}
	for i := range out {
		out[i].Score = search.Score(query, out[i].Title, out[i].Snippet)
	}
	return out
}

func (b *Backend) document(h hit, query string) trace.Document {
	d := trace.Document{Backend: "serp", Title: b.fit(html.UnescapeString(h.title), maxTitle), Snippet: b.fit(html.UnescapeString(h.text), maxText)}
	link := b.fit(h.link, maxLink+1)
	if u, err := url.Parse(link); err == nil && len(link) <= maxLink && u.Host != "" && u.User == nil && (u.Scheme == "https" || u.Scheme == "http") {
		d.Ref, d.Source = link, u.Host
	} else {
		// The query keeps the answer boxes of two searches apart, which would share an id.
		d.Ref, d.Source = b.fit(b.Name()+":"+h.kind+"?q="+url.QueryEscape(query), maxLink), b.dialect.source
	}
	if d.Title == "" {
		d.Title = d.Source
	}
	return d
}

func join(a, b string) string {
	switch {
	case strings.Contains(a, b):
		return a
	case strings.Contains(b, a):
		return b
	case len(a)+len(b) > maxText:
		return a
	}
	return a + " … " + b
}
