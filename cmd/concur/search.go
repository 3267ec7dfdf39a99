package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/tool/search"
	"github.com/seed-5817661a/concur/runner/tool/search/baidu"
	"github.com/seed-5817661a/concur/runner/tool/search/serper"
	"github.com/seed-5817661a/concur/runner/tool/search/wikipedia"
)

// The tools that ask one backend each, and never another.
const (
	wikiTool   = "wiki_search"
	serperTool = "serper_search"
	baiduTool  = "baidu_search"
)

// searchTools lists all of them with the cascade.
func searchTools() []string { return []string{search.Name, wikiTool, serperTool, baiduTool} }

// contact is whom the operators of a searched site can write to.
const contact = "https://github.com/seed-5817661a/concur"

// backendOf is the backend of a tool that asks only one.
func backendOf(name string) string {
	return map[string]string{wikiTool: config.BackendWikipedia, serperTool: config.BackendSerper, baiduTool: config.BackendBaidu}[name]
}

// searcher opens search backends, each once however many tools ask it.
type searcher struct {
	config.Search
	client  *fetch.Client
	corpora *corpora
	hash    string // of the corpus, once a tool searches it
	// documents are the digest, id and title of each of its documents; nil where they are many.
	documents []string
	// recorded answers instead of the backends; nil where they are asked.
	recorded *replaying
	reach    []string     // what becomes of each backend of the cascade
	note     func(string) // what a backend tells of itself; may be nil
}

func newSearcher(s config.Search, c *corpora) *searcher {
	return &searcher{Search: s, corpora: c, client: fetch.New(fetch.Options{
		UserAgent: userAgent(), AllowPrivate: s.AllowPrivate,
	})}
}

func userAgent() string { return fmt.Sprintf("concur/%s (%s) net/http", version, contact) }

func (s *searcher) close() { s.client.Close() }

// tool makes the search tool of a name.
func (s *searcher) tool(ctx context.Context, name string) (tool.Tool, error) {
	if name == search.Name {
		return s.cascade(ctx)
	}
	about := ""
	switch name {
	case wikiTool:
		about = "Search Wikipedia's articles."
	case serperTool:
		about = "Search the web with Google."
	case baiduTool:
		about = "Search the web with Baidu; best for Chinese."
	}
	b, missing, err := s.backend(ctx, backendOf(name))
	if err != nil {
		return nil, err
	}
	if missing != "" {
		return nil, fmt.Errorf("the tool %s cannot be used: %s; or leave it out with --without %s", name, missing, name)
	}
	return search.Tool{ToolName: name, Description: about, Backend: b}, nil
}

// cascade leaves out backends without a key, and says so in what it returns.
func (s *searcher) cascade(ctx context.Context) (tool.Tool, error) {
	var c search.Cascade
	for _, name := range s.Cascade {
		b, missing, err := s.backend(ctx, name)
		switch {
		case err != nil:
			return nil, err
		case missing != "":
			c.Skipped = append(c.Skipped, search.Skipped{Backend: name, Reason: missing})
			s.reach = append(s.reach, name+": skipped")
		default:
			c.Backends = append(c.Backends, b)
			s.reach = append(s.reach, name)
		}
	}
	if len(c.Backends) == 0 {
		reasons := make([]string, len(c.Skipped))
		for i, skipped := range c.Skipped {
			reasons[i] = skipped.Backend + ": " + skipped.Reason
		}
		return nil, fmt.Errorf("web_search has no backend that can be asked (%s): set a key, name another in search.cascade, or search the built-in corpus with --corpus offline", strings.Join(reasons, "; "))
	}
	return c, nil
}

// backend opens one backend; missing says what it lacks to be asked.
func (s *searcher) backend(ctx context.Context, name string) (b search.Backend, missing string, err error) {
	if s.recorded != nil && !s.recorded.missing {
		return s.recorded.backend(name), "", nil
	}
	switch name {
	case config.BackendCorpus:
		b, err = s.openCorpus(ctx)
	case config.BackendWikipedia:
		b, err = wikipedia.New(wikipedia.Options{BaseURL: s.URLs.Wikipedia, Language: s.Language, UserAgent: userAgent(), Client: s.client, Note: s.note})
	case config.BackendBaidu:
		b, err = baidu.New(baidu.Options{BaseURL: s.URLs.Baidu, JSON: s.BaiduForm == "json", Client: s.client})
	case config.BackendSerper:
		vendor, variable := serper.SerperDev, "SERPER_API_KEY"
		if s.Vendor == config.VendorSerpAPI {
			vendor, variable = serper.SerpAPI, "SERPAPI_API_KEY"
		}
		key := os.Getenv(variable)
		if key == "" {
			return nil, variable + " is not set", nil
		}
		b, err = serper.New(serper.Options{Vendor: vendor, APIKey: key, BaseURL: s.URLs.Serper, Language: s.Language, Country: s.Country, Client: s.client})
	default:
		err = fmt.Errorf("there is no search backend %q; known: %s", name, strings.Join(config.Backends(), ", "))
	}
	return b, "", err
}

func (s *searcher) openCorpus(ctx context.Context) (search.Backend, error) {
	c, err := s.corpora.open(ctx, s.Corpus)
	if err != nil {
		return nil, err
	}
	s.hash, s.documents = c.hash, c.documents
	return c.corpus, nil
}

// corpora opens each corpus once, however many configurations search it.
type corpora struct {
	opened map[string]openedCorpus // by name
}

type openedCorpus struct {
	corpus    *search.Corpus
	hash      string
	documents []string // see corpus.Corpus.Digests
}

func (c *corpora) open(ctx context.Context, name string) (openedCorpus, error) {
	if opened, ok := c.opened[name]; ok {
		return opened, nil
	}
	data, err := datasets.OpenCorpus(name)
	if err != nil {
		return openedCorpus{}, err
	}
	entries := make([]search.Entry, len(data.Documents))
	for i, d := range data.Documents {
		entries[i] = search.Entry{ID: d.ID, Title: d.Title, Text: d.Text, Source: d.Source}
	}
	opened := openedCorpus{hash: data.Hash, documents: data.Digests()}
	if opened.corpus, err = search.NewCorpus(ctx, entries); err != nil {
		return openedCorpus{}, err
	}
	if c.opened == nil {
		c.opened = map[string]openedCorpus{}
	}
	c.opened[name] = opened
	return opened, nil
}

func (c *corpora) close() error {
	var wrong []error
	for _, opened := range c.opened {
		wrong = append(wrong, opened.corpus.Close())
	}
	return errors.Join(wrong...)
}
