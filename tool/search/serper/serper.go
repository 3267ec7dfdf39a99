package serper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

// Version changes when the same replies of the server could give different documents.
const Version = "serper/v2"

// Options configure a Backend. APIKey and Client are required.
type Options struct {
	Vendor   Vendor // SerperDev if empty
	APIKey   string // removed from errors and documents
	BaseURL  string // without the path of the endpoint; the vendor's default if empty
	Language string // language of the interface (hl), such as "en" or "zh-cn"; the vendor's default if empty
	Country  string // country in which to search (gl), such as "us"; the vendor's default if empty
	Client   *fetch.Client
}

// ErrNoKey is the cause of New's error if Options has no key. A cascade then omits the backend and reports
// this.
var ErrNoKey = errors.New("no API key")

var (
	languageCode = lazy.Compile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,4})?$`)
	countryCode  = lazy.Compile(`^[a-z]{2}$`)
)

// Backend searches with one vendor. It is safe for concurrent use.
type Backend struct {
	options Options
	dialect dialect
	hider   *secret.Hider
}

// New returns a backend. The error names the wrong option, and never contains the key.
func New(o Options) (*Backend, error) {
	o.Vendor = cmp.Or(o.Vendor, SerperDev)
	d, known := dialects[o.Vendor]
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, d.base), "/")
	var err error
	switch {
	case !known:
		err = fmt.Errorf("vendor %q is not known: use %s or %s", o.Vendor, SerperDev, SerpAPI)
	case o.APIKey == "":
		err = fmt.Errorf("%w: set %s", ErrNoKey, d.variable)
	case strings.ContainsFunc(o.APIKey, func(r rune) bool { return r <= ' ' || r > '~' }):
		err = fmt.Errorf("the API key has white space or characters beyond ASCII: check %s for a line break at its "+
			"end", d.variable)
	case !search.IsBase(o.BaseURL):
		err = errors.New("the base URL is not of the form https://host/path")
	case o.Language != "" && !languageCode.MatchString(o.Language):
		err = fmt.Errorf("language %q is not a code such as en or zh-cn", o.Language)
	case o.Country != "" && !countryCode.MatchString(o.Country):
		err = fmt.Errorf("country %q is not a two-letter code such as us", o.Country)
	case o.Client == nil:
		err = errors.New("no HTTP client")
	default:
		return &Backend{options: o, dialect: d, hider: secret.New(o.APIKey)}, nil
	}
	return nil, fmt.Errorf("set up web search: %w", err)
}

// Name returns the vendor's name.
func (b *Backend) Name() string { return string(b.options.Vendor) }

// maxLimit is the maximum number of results on one page of the vendors.
const maxLimit = 100

// Search returns the vendor's results as documents, in the vendor's order, at most limit (and at most 100).
// If there are no results, it returns an empty slice and no error. Every error is a *fetch.Error.
func (b *Backend) Search(ctx context.Context, query string, limit int) ([]trace.Document, error) {
	limit = min(limit, maxLimit)
	if limit <= 0 {
		return nil, nil
	}
	req, err := b.dialect.request(b.options, query, limit)
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.BadRequest, Err: err}
	}
	req.Secrets = []string{b.options.APIKey}
	resp, err := b.options.Client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	hits, err := b.readReply(resp)
	if err != nil {
		return nil, err
	}
	return b.documents(hits, query, limit), nil
}
