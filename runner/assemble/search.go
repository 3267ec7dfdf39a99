package assemble

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/tool/search/baidu"
	"github.com/seed-5817661a/concur/tool/search/serper"
	"github.com/seed-5817661a/concur/tool/search/wikipedia"
)

// contact is the address where operators of a searched site can find the authors.
const contact = "https://github.com/seed-5817661a/concur"

// searcher opens the search backends of one configuration.
type searcher struct {
	config.Search
	box    *toolbox
	client *fetch.Client
	corpus indexedCorpus // set when a tool searches the corpus
	reach  []string      // the state of each backend of the cascade
}

func (b *toolbox) newSearcher(conf config.Search) *searcher {
	s := &searcher{Search: conf, box: b}
	s.client = fetch.New(fetch.Options{UserAgent: s.userAgent(), AllowPrivate: conf.AllowPrivate})
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
	open, known := s.box.a.backends[name]
	if !known {
		return nil, fmt.Errorf("there is no search backend %q; known: %s", name, strings.Join(config.Backends(), ", "))
	}
	return open(ctx, s)
}

func openWikipedia(_ context.Context, s *searcher) (search.Backend, error) {
	return wikipedia.New(wikipedia.Options{BaseURL: s.URLs.Wikipedia, Language: s.Language, UserAgent: s.userAgent(),
		Client: s.client, Note: s.box.note})
}

func openBaidu(_ context.Context, s *searcher) (search.Backend, error) {
	return baidu.New(baidu.Options{BaseURL: s.URLs.Baidu, JSON: s.BaiduForm == "json", Client: s.client})
}

// serperVendors lists the vendors with serper's API and the variables of their keys.
var serperVendors = []struct {
	name   string
	vendor serper.Vendor
	key    string
}{
	{config.VendorSerper, serper.SerperDev, "SERPER_API_KEY"},
	{config.VendorSerpAPI, serper.SerpAPI, "SERPAPI_API_KEY"},
}

func openSerper(_ context.Context, s *searcher) (search.Backend, error) {
	v := serperVendors[0]
	if s.Vendor == config.VendorSerpAPI {
		v = serperVendors[1]
	}
	key := s.box.a.environ(v.key)
	if key == "" {
		return nil, noKey(v.key)
	}
	return serper.New(serper.Options{Vendor: v.vendor, APIKey: key, BaseURL: s.URLs.Serper, Language: s.Language,
		Country: s.Country, Client: s.client})
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

// folderTool is the tool that searches the folder of a built-in dataset.
const folderTool = "kb_search"

// DefaultsFor returns the default configuration for a dataset. For a built-in dataset with a folder, a tool that
// searches the folder replaces web_search.
func DefaultsFor(source string) config.Configuration {
	c := config.New()
	folder := datasets.FolderOf(source)
	if folder == "" {
		return c
	}
	c.Tools = map[string]config.DeclaredTool{folderTool: {Settings: map[string]any{"folder": folder,
		"about": "Search the documents that the questions are about."}}}
	c.Agent.Tools = slices.Clone(c.Agent.Tools)
	c.Agent.Tools[slices.Index(c.Agent.Tools, search.Name)] = folderTool
	return c
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
		c, err = withPaths(c)
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
