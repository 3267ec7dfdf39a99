package serper

import (
	"cmp"
	"html"
	"net/url"
	"strings"

	"github.com/seed-5817661a/concur/runner/tool/search"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Bounds in bytes. A snippet is as long as the corpus would show it.
const (
	maxTitle   = 300
	maxText    = 1200
	maxMessage = 300
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
	d.Ref = b.fit(h.link, search.MaxLink+1)
	if d.Source = search.HostOf(d.Ref); d.Source == "" {
		// The query keeps the answer boxes of two searches apart, which would share an id.
		d.Ref, d.Source = b.fit(b.Name()+":"+h.kind+"?q="+url.QueryEscape(query), search.MaxLink), b.dialect.source
	}
	d.Title = cmp.Or(d.Title, d.Source)
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

// fit makes a vendor's text fit to show, in at most n bytes. The key goes after the cleaning,
// which could have joined it, and before the cut, which could have halved it.
func (b *Backend) fit(s string, n int) string {
	s = b.hider.Hide(search.OneLine(s))
	if len(s) > n {
		return search.Cut(s, n) + "…"
	}
	return s
}
