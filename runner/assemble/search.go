package assemble

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/api/ask"
	"github.com/seed-5817661a/concur/tool/api/backend"
	"github.com/seed-5817661a/concur/tool/api/catalog"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/tool/search/wikipedia"
)

// contact is the address where operators of a searched site can find the authors.
const contact = "https://github.com/seed-5817661a/concur"

// searcher opens the search backends of one configuration.
type searcher struct {
	config.Search
	conf   config.Configuration
	box    *toolbox
	client *fetch.Client
	parts  map[string]string // of the agent hash: the tools that the cascade asks
	corpus indexedCorpus     // set when a tool searches the corpus
	reach  []string          // the state of each backend of the cascade
}

func (b *toolbox) newSearcher(conf config.Configuration) *searcher {
	s := &searcher{Search: conf.Search, conf: conf, box: b, parts: map[string]string{}}
	s.client = fetch.New(fetch.Options{UserAgent: s.userAgent(), AllowPrivate: conf.Search.AllowPrivate})
	return s
}

func (s *searcher) userAgent() string { return s.box.a.userAgent() }

// userAgent identifies concur to the sites that it searches.
func (a *Assembler) userAgent() string {
	return fmt.Sprintf("concur/%s (%s) net/http", a.build.Version, contact)
}

func (s *searcher) close() { s.client.Close() }

// backendKind opens a search backend.
type backendKind func(context.Context, *searcher) (search.Backend, error)

// noKey is the error for a search backend that has no key. Its text is the name of the variable that is not
// set.
type noKey string

func (e noKey) Error() string { return string(e) + " is not set" }

// backend opens one search backend. If its key is missing, the error is a noKey.
func (s *searcher) backend(ctx context.Context, name string) (search.Backend, error) {
	if r := s.box.replay; r != nil && !r.Missing {
		return unaskedBackend(name), nil
	}
	if open, known := s.box.a.backends[name]; known {
		return open(ctx, s)
	}
	if _, _, declared := s.box.a.declaration(s.conf.Tools, name); !declared {
		return nil, fmt.Errorf("there is no search backend %q; known: %s, tools of the catalog, and those of tools", name,
			strings.Join(config.Backends(), ", "))
	}
	return s.fromTool(ctx, name)
}

func openWikipedia(_ context.Context, s *searcher) (search.Backend, error) {
	return wikipedia.New(wikipedia.Options{BaseURL: s.URLs.Wikipedia, Language: s.Language, UserAgent: s.userAgent(),
		Client: s.client, Note: s.box.note})
}

// Versions of the backends serper and baidu. They change when the same replies of a server could give other documents;
// the files of the catalog that they use are not part of the agent hash, so that old hashes stay valid.
const (
	serperVersion = "serper/v2"
	baiduVersion  = "baidu/v1"
)

func openBaidu(ctx context.Context, s *searcher) (search.Backend, error) {
	return s.fromCatalog(ctx, "baidu_search", config.BackendBaidu, s.URLs.Baidu, map[string]any{"form": s.BaiduForm},
		backend.Options{Site: "www.baidu.com", Undated: true})
}

// serperVendors lists the vendors of the backend serper: its name, the file of the catalog, the vendor's site and the
// variable of the key.
var serperVendors = []struct{ name, file, site, key string }{
	{config.VendorSerper, "google_search", "serper.dev", "SERPER_API_KEY"},
	{config.VendorSerpAPI, "google_serpapi", "serpapi.com", "SERPAPI_API_KEY"},
}

var (
	languageCode = lazy.Compile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,4})?$`)
	countryCode  = lazy.Compile(`^[a-z]{2}$`)
)

func openSerper(ctx context.Context, s *searcher) (search.Backend, error) {
	v := serperVendors[0]
	if s.Vendor == config.VendorSerpAPI {
		v = serperVendors[1]
	}
	if s.Language != "" && !languageCode.MatchString(s.Language) {
		return nil, fmt.Errorf("search.language %q is not a code such as en or zh-cn: write one", s.Language)
	}
	if s.Country != "" && !countryCode.MatchString(s.Country) {
		return nil, fmt.Errorf("search.country %q is not a two-letter code such as us: write one", s.Country)
	}
	return s.fromCatalog(ctx, v.file, v.name, s.URLs.Serper, map[string]any{"language": s.Language, "country": s.Country},
		backend.Options{Site: v.site})
}

// fromCatalog opens a backend that has settings of its own, from a file of the catalog. address replaces the service's;
// "" keeps it.
func (s *searcher) fromCatalog(ctx context.Context, file, name, address string, settings map[string]any,
	o backend.Options) (search.Backend, error) {
	if address != "" {
		settings["host"] = strings.TrimRight(address, "/")
	}
	conf := s.conf
	conf.Tools = map[string]config.DeclaredTool{file: {Settings: map[string]any{api.Key: string(catalog.Text(file)),
		"settings": settings}}}
	t, _, err := declaredTools{s.box, conf}.openOne(ctx, file)
	if err != nil {
		return nil, keyless(err)
	}
	return asBackend(name, t, o)
}

// asBackend makes a backend of a tool of an HTTP API.
func asBackend(name string, t tool.Tool, o backend.Options) (search.Backend, error) {
	source, is := t.(backend.Tool)
	if !is {
		return nil, fmt.Errorf("search.cascade: %s is no tool of an HTTP API: name one that is", name)
	}
	b, err := backend.New(name, source, o)
	if err != nil {
		return nil, fmt.Errorf("search.cascade: %w", err)
	}
	return b, nil
}

// keyless returns an error about a missing key as a noKey.
func keyless(err error) error {
	if e, is := errors.AsType[ask.NoKeyError](err); is {
		return noKey(strings.Join(e.Variables, " or "))
	}
	return err
}

// fromTool makes a backend of a tool that the configuration declares, or of the catalog.
func (s *searcher) fromTool(ctx context.Context, name string) (search.Backend, error) {
	t, part, err := declaredTools{s.box, s.conf}.openOne(ctx, name)
	if err != nil {
		return nil, keyless(err)
	}
	b, err := asBackend(name, t, backend.Options{})
	if err == nil {
		s.parts["tool "+name] = part
	}
	return b, err
}

func openCorpus(_ context.Context, s *searcher) (search.Backend, error) {
	c, err := s.box.corpus(s.Corpus)
	if err != nil {
		return nil, err
	}
	s.corpus = c
	return c.corpus, nil
}

// openCascade opens web_search. It leaves out backends without a key, and records this in s.reach.
func openCascade(ctx context.Context, s *searcher) (tool.Tool, error) {
	var c search.Cascade
	var reasons []string
	for _, name := range s.Cascade {
		b, err := s.backend(ctx, name)
		if lacks, ok := errors.AsType[noKey](err); ok {
			c.Skipped = append(c.Skipped, search.Skipped{Backend: name, Reason: lacks.Error()})
			s.reach = append(s.reach, name+": skipped")
			reasons = append(reasons, name+": "+lacks.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		c.Backends = append(c.Backends, b)
		s.reach = append(s.reach, name)
	}
	if len(c.Backends) == 0 {
		return nil, fmt.Errorf("web_search has no usable backend (%s): set a key, name another in "+
			"search.cascade, or search the built-in corpus with --corpus offline", strings.Join(reasons, "; "))
	}
	return c, nil
}

// If the configuration has the default corpus or memory, WithCorpus sets it to that of the dataset. If the
// dataset has a corpus, web_search searches only this corpus, unless the configuration names a cascade.
// WithCorpus makes the paths of other corpora and of declared tools absolute, so that the run can be resumed
// from any folder. source is the source of the dataset; "" if there is no dataset.
func WithCorpus(c config.Configuration, source string) (config.Configuration, error) {
	if c.Search.Corpus == datasets.OfflineCorpus && datasets.IsBuiltinCorpus(source) {
		c.Search.Corpus = source
		if len(c.Search.Cascade) == 0 {
			c.Search.Cascade = []string{config.BackendCorpus}
		}
	}
	c, err := withMemory(c, source)
	if err == nil {
		c, err = kinds.Absolute(c)
	}
	if err != nil || datasets.IsBuiltinCorpus(c.Search.Corpus) {
		return c, err
	}
	path, err := filepath.Abs(c.Search.Corpus)
	c.Search.Corpus = path
	return c, err
}

type indexedCorpus struct {
	corpus    *search.Corpus
	hash      string
	documents []string // see corpus.Corpus.Digests
}

// corpus opens a corpus once, even if several configurations search it.
func (b *toolbox) corpus(name string) (indexedCorpus, error) {
	return openOnce(b.corpora, name, func() (indexedCorpus, error) {
		data, err := datasets.OpenCorpus(name)
		if err != nil {
			return indexedCorpus{}, err
		}
		opened, err := search.OfCorpus(data, b.a.indexes())
		return indexedCorpus{opened, data.Hash, data.Digests()}, err
	})
}
