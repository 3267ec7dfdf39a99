package backend

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/schema"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

// Tool is a tool that gives documents.
type Tool interface {
	Spec() tool.Spec
	// Find returns the documents for arguments that the schema accepts. A failure of the service is a *fetch.Error.
	Find(ctx context.Context, arguments json.RawMessage) ([]trace.Document, error)
}

// Options change the documents of a backend. The zero value leaves them as the tool gives them.
type Options struct {
	// Site makes the source of each document the host of its address, as that of older backends is. A document without
	// an address has Site as its source. "" keeps the sources.
	Site string
	// Undated leaves out when a document was published.
	Undated bool
}

// Backend searches with a tool. It is safe for concurrent use.
type Backend struct {
	name    string
	tool    Tool
	schema  *schema.Schema
	most    int // documents of one search; 0 if the tool has no argument for it
	options Options
}

// New returns a backend that has the given name in outputs. The error says why the tool cannot be a backend.
func New(name string, t Tool, o Options) (*Backend, error) {
	spec := t.Spec()
	if !spec.Evidence {
		return nil, fmt.Errorf("%s gives no documents, so web_search cannot ask it", name)
	}
	var parameters struct {
		Properties map[string]struct {
			Type    string `json:"type"`
			Maximum int    `json:"maximum"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	if err := json.Unmarshal(spec.Parameters, &parameters); err != nil {
		return nil, fmt.Errorf("read the arguments of %s: %w", name, err)
	}
	if parameters.Properties[query].Type != "string" {
		return nil, fmt.Errorf("%s has no argument query, so web_search cannot ask it", name)
	}
	for _, needed := range parameters.Required {
		if needed != query {
			return nil, fmt.Errorf("%s needs the argument %s, which web_search does not have", name, needed)
		}
	}
	decoded, err := schema.Decode(spec.Parameters)
	if err != nil {
		return nil, fmt.Errorf("read the arguments of %s: %w", name, err)
	}
	compiled, err := schema.Compile(decoded)
	if err != nil {
		return nil, fmt.Errorf("read the arguments of %s: %w", name, err)
	}
	b := &Backend{name: name, tool: t, schema: compiled, options: o}
	if l, has := parameters.Properties[limit]; has {
		b.most = cmp.Or(l.Maximum, 50)
	}
	return b, nil
}

// The arguments of a backend.
const (
	query = "query"
	limit = "limit"
)

// Name returns the backend's name.
func (b *Backend) Name() string { return b.name }

// Search asks the tool. It returns at most n documents, in the service's order. Every error is a *fetch.Error.
func (b *Backend) Search(ctx context.Context, text string, n int) ([]trace.Document, error) {
	if n <= 0 {
		return nil, nil
	}
	arguments := map[string]any{query: text}
	if b.most > 0 {
		arguments[limit] = min(n, b.most)
	}
	raw, err := json.Marshal(arguments)
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.BadRequest, Err: err}
	}
	value, err := schema.Decode(raw)
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.BadRequest, Err: err}
	}
	if problems := b.schema.Check(value); len(problems) > 0 {
		return nil, &fetch.Error{Kind: fetch.BadRequest, Err: errors.New(strings.Join(problems, "; "))}
	}
	docs, err := b.tool.Find(ctx, raw)
	if err != nil {
		return nil, asFetch(err)
	}
	docs = docs[:min(n, len(docs))]
	for i := range docs {
		b.change(&docs[i], text)
	}
	return docs, nil
}

// change changes a document as the options say.
func (b *Backend) change(d *trace.Document, text string) {
	d.BackendScoreShown = false // the backends of one tool have different units
	if b.options.Undated {
		d.Time = ""
	}
	if b.options.Site == "" {
		return
	}
	d.Source = cmp.Or(search.HostOf(d.Source), b.options.Site)
	if d.Title == "" {
		d.Title = d.Source
		d.Score = search.Score(text, d.Title, d.Snippet)
	}
}

// asFetch returns an error as a *fetch.Error.
func asFetch(err error) error {
	if _, is := errors.AsType[*fetch.Error](err); is {
		return err
	}
	kind := fetch.Upstream
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		kind = fetch.Timeout
	}
	return &fetch.Error{Kind: kind, Err: err}
}
