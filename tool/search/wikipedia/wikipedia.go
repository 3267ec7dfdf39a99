package wikipedia

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

// Version changes when the same replies of the server could give different documents.
const Version = "wikipedia/v2"

// Options configure a Backend. UserAgent and Client are required.
type Options struct {
	// BaseURL is the address of api.php, in which {lang} is replaced by the language;
	// https://{lang}.wikipedia.org/w/api.php if empty. Without {lang}, the wiki has only one language.
	BaseURL  string
	Language string // language of a search that names none; en if empty
	// UserAgent names the program and an address of its operator, as Wikimedia's policy requires: concur/1.0
	// (https://example.org/contact) net/http. New refuses the user agents of browsers.
	UserAgent string
	Client    *fetch.Client
	// Note, if not nil, is called with the missing features of a wiki, once for each language. It may be called
	// at any time.
	Note func(text string)
}

const (
	defaultBase     = "https://{lang}.wikipedia.org/w/api.php"
	defaultLanguage = "en"
	placeholder     = "{lang}"
	maxLanguage     = 24
)

var languageForm = lazy.Compile(`^[a-z]{2,12}(-[a-z]+)?$`)

func isLanguage(code string) bool { return len(code) <= maxLanguage && languageForm.MatchString(code) }

// endpoint puts a language into the base URL.
func (o Options) endpoint(language string) string {
	return strings.ReplaceAll(o.BaseURL, placeholder, language)
}

// Backend searches one or more wikis. It is safe for concurrent use.
type Backend struct {
	options Options
	wikis   sync.Map // maps a language to its *traits
}

var _ search.Multilingual = (*Backend)(nil)

// New returns a backend. The error names the wrong option.
func New(o Options) (*Backend, error) {
	o.BaseURL, o.Language = cmp.Or(o.BaseURL, defaultBase), cmp.Or(o.Language, defaultLanguage)
	wrong := ""
	switch {
	case !search.IsBase(o.endpoint(defaultLanguage)):
		wrong = "the base URL is not of the form https://{lang}.wikipedia.org/w/api.php"
	case !isLanguage(o.Language):
		wrong = fmt.Sprintf("language %q is not a code such as en or zh", o.Language)
	case strings.TrimSpace(o.UserAgent) == "" || strings.ContainsAny(o.UserAgent, "\r\n\x00"):
		wrong = "no User-Agent: Wikimedia wants one of the form concur/1.0 (contact) net/http"
	case strings.HasPrefix(o.UserAgent, "Mozilla/"):
		wrong = "the User-Agent is that of a browser, which Wikimedia forbids to programs"
	case o.Client == nil:
		wrong = "no HTTP client"
	default:
		return &Backend{options: o}, nil
	}
	return nil, errors.New("set up Wikipedia search: " + wrong)
}

// Name returns the backend's name, as in results.
func (*Backend) Name() string { return "wikipedia" }

// prefix is the beginning of the ids of documents.
const prefix = "wiki"

// Search searches in the language of the options; see SearchLanguage.
func (b *Backend) Search(ctx context.Context, query string, limit int) ([]trace.Document, error) {
	return b.SearchLanguage(ctx, b.options.Language, query, limit)
}

// maxLimit is the maximum number of pages for which one reply has extracts.
const maxLimit = 20

// SearchLanguage returns the pages that the wiki of a language finds, at most limit (and at most 20). If the
// wiki searches titles and texts at once (CirrusSearch), they have the wiki's order. Otherwise pages named in
// the query come first, and then the most relevant ones. A document's snippet is the most relevant part of
// the page's introduction and of the wiki's own snippet, or of the whole page. If there are no results,
// SearchLanguage returns no documents and no error. Every error is a *fetch.Error; its Kind is BadRequest if
// there is no wiki in the language.
func (b *Backend) SearchLanguage(ctx context.Context, language, query string, limit int) ([]trace.Document, error) {
	limit, query = min(limit, maxLimit), search.OneLine(query)
	switch {
	case limit <= 0:
		return nil, nil
	case !isLanguage(language):
		return nil, badRequest("%q is not the code of a language, such as en or zh", language)
	case language != b.options.Language && !strings.Contains(b.options.BaseURL, placeholder):
		return nil, badRequest("this wiki is in %q alone", b.options.Language)
	case query == "":
		return nil, nil // the wiki would report a missing parameter
	}
	wiki, _ := b.wikis.LoadOrStore(language, &traits{})
	l := &lookup{
		Backend: b, wiki: wiki.(*traits), language: language, limit: limit,
		query: query, keywords: strings.Join(search.Keywords(query), " "),
	}
	if err := l.run(ctx); err != nil {
		return nil, b.explain(err, language)
	}
	return l.documents(), nil
}

func badRequest(format string, args ...any) error {
	return &fetch.Error{Kind: fetch.BadRequest, Err: fmt.Errorf(format, args...)}
}

// explain returns the error for a missing wiki: either the caller named a wrong language, or the base URL is
// wrong.
func (b *Backend) explain(err error, language string) error {
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok || e.Kind != fetch.NotFound {
		return err
	}
	if language != b.options.Language {
		e.Kind, e.Err = fetch.BadRequest, fmt.Errorf("there is no wiki in the language %q", language)
	} else {
		e.Kind, e.Err = fetch.Upstream, errors.New("there is no api.php: check the base URL")
	}
	return e
}

func (l *lookup) documents() []trace.Document {
	out := make([]trace.Document, 0, len(l.pages))
	for _, p := range l.pages {
		ref := p.ref(l.options.endpoint(l.language))
		if slices.ContainsFunc(out, func(d trace.Document) bool { return d.Ref == ref }) {
			continue
		}
		snippet := search.Snippet(search.WebWeights(), p.passage(), rank.Terms(l.query))
		out = append(out, trace.Document{
			Backend: prefix, Ref: ref, Title: p.title, Source: search.HostOf(ref),
			Snippet: snippet, Score: search.Score(l.query, p.names, snippet),
		})
	}
	return out
}
