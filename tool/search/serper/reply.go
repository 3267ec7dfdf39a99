package serper

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

// hit is one part of a reply before it becomes a document.
type hit struct {
	kind  string // answerBox, knowledgeGraph or organic/n; names a document that has no link
	title string
	link  string
	text  string
}

// reply is the common form of both vendors' replies.
type reply struct {
	hits    []hit
	status  int    // status in the body; 0 without one
	message string // message of a failure
	pending bool   // the search has not been run yet
	known   bool   // the body contains the results, which may be none
}

func (r *reply) add(kind, title, link, text string) {
	if strings.TrimSpace(title+text) != "" {
		r.hits = append(r.hits, hit{kind, title, link, text})
	}
}

// decode reads a reply: first its other parts, then the results.
func (d dialect) decode(body []byte) (out reply, err error) {
	var in object
	if err := search.DecodeJSON(body, &in); err != nil {
		return reply{}, err
	}
	box, _ := in.part(d.answerBox) // ignore a box of another form
	out.add("answerBox", box.text("title"), box.text("link"),
		answerText(box.text(d.answer...), box.text(d.passage...), box.text(d.highlighted)))
	graph, _ := in.part(d.graph)
	link, description := graph.text("website"), graph.text("description")
	source, facts := d.about(graph)
	if description != "" && source != "" {
		link = source // the source of the text is the better link
	}
	out.add("knowledgeGraph", graph.text("title"), link, graphText(graph.text(d.kind...), description, facts))
	var organic *[]object
	if raw := in[d.organic]; raw != nil && json.Unmarshal(raw, &organic) != nil {
		return reply{}, fmt.Errorf("%s is not of the documented type", d.organic)
	}
	if organic != nil {
		for i, r := range *organic {
			out.add("organic/"+strconv.Itoa(i+1), r.text("title"), r.text("link"), r.text("snippet"))
		}
	}
	out.known = organic != nil || len(out.hits) > 0
	return out, d.state(in, &out)
}

// readReply distinguishes results from failures. Status 200 does not mean success, and a status in the body
// takes precedence over the HTTP status, which a gateway may have set.
func (b *Backend) readReply(resp *fetch.Response) ([]hit, error) {
	r, err := b.dialect.decode(resp.Body)
	r.message = b.fit(r.message, maxMessage)
	stated := *resp
	if r.status >= 400 && r.status <= 599 {
		stated.Status = r.status
	}
	switch {
	case stated.Status >= 400:
		return nil, b.failure(&stated, r.message)
	case stated.Status < 200 || stated.Status > 299:
		err = fmt.Errorf("status %d is neither results nor a failure", stated.Status)
	case err != nil:
	case r.message != "" && !r.known:
		return nil, b.failure(&stated, r.message)
	case r.pending:
		return nil, b.failure(&stated, "the search is not finished yet: retry later")
	case !r.known:
		err = errors.New("it holds neither results nor an error")
	default:
		return r.hits, nil
	}
	return nil, resp.Fail(fetch.Malformed, "read %s reply: %w", b.Name(), err)
}

// failure returns the error for a failure. The status decides its kind, except where two failures have the
// same status and only the vendor's text differs.
func (b *Backend) failure(resp *fetch.Response, message string) error {
	e := resp.Failure()
	if e == nil { // a failure with status 200
		e = resp.Fail(fetch.Upstream, "")
	}
	e.Kind = cmp.Or(b.dialect.classify(resp.Status, message), e.Kind)
	message = cmp.Or(message, fmt.Sprintf("status %d", resp.Status))
	switch e.Kind {
	case fetch.Auth:
		message += " (check " + b.dialect.variable + ")"
	case fetch.Quota:
		message += " (the account at " + b.dialect.source + " is used up)"
	}
	e.Err = errors.New(b.Name() + " says: " + message)
	return e
}

// Limits in bytes. A snippet may be as long as in results of the corpus.
const (
	maxTitle   = 300
	maxText    = 1200
	maxMessage = 300
)

// documents converts hits to documents, at most limit. If a reply names a page twice, as answer box and as
// organic result, it becomes one document, because the link determines the id.
func (b *Backend) documents(hits []hit, query string, limit int) []trace.Document {
	out := make([]trace.Document, 0, min(limit, len(hits)))
	at := map[string]int{}
	for _, h := range hits {
		d := b.document(h, query)
		i, seen := at[d.Ref]
		switch {
		case seen:
			out[i].Snippet = joinParts(out[i].Snippet, d.Snippet)
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
	d := trace.Document{Backend: "serp", Title: b.fit(html.UnescapeString(h.title), maxTitle),
		Snippet: b.fit(html.UnescapeString(h.text), maxText)}
	d.Ref = b.fit(h.link, search.MaxLink+1)
	if d.Source = search.HostOf(d.Ref); d.Source == "" {
		// The query distinguishes the answer boxes of two searches, which would have the same id otherwise.
		d.Ref, d.Source = b.fit(b.Name()+":"+h.kind+"?q="+url.QueryEscape(query), search.MaxLink), b.dialect.source
	}
	d.Title = cmp.Or(d.Title, d.Source)
	return d
}

func joinParts(a, b string) string {
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

// fit returns at most n bytes of a vendor's text as one clean line. It removes the key after cleaning, which
// could join parts of the key, and before cutting, which could cut the key.
func (b *Backend) fit(s string, n int) string {
	s = b.hider.Hide(search.OneLine(s))
	if len(s) > n {
		return text.Head(s, n) + "…"
	}
	return s
}
