package wikipedia

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool/search"
)

const (
	// rarest is how many of a query's words are asked for where all together find too little.
	rarest = 3
	// maxReads is how many pages of one search are read as a whole.
	maxReads = 2
)

// page is one page that was found.
type page struct {
	id      int64
	title   string
	names   string // the title and those of redirects that led to it
	intro   string // its introduction
	snippet string // what the wiki's search shows of it
	text    string // all of it, "" if it was not read
	url     string // canonical; "" if the wiki does not tell
	rank    float64
}

// passage is the text that a document's snippet is taken from.
func (p *page) passage() string {
	if p.text != "" {
		return p.text
	}
	return strings.TrimSpace(p.intro + "\n" + p.snippet)
}

// lookup is one search in one wiki.
type lookup struct {
	*Backend
	wiki     *traits
	language string
	query    string
	keywords string // the telling words of the query, rarest first
	limit    int
	pages    []*page
}

// run finds pages and puts first those that are named in the query, then the best. Of those
// whose introduction lacks a telling word it reads the first, unless they match less than half
// as well as the best. It sends at most 2 + rarest + maxReads requests, and 2 + maxReads to a
// wiki that searches titles and texts at once, after the one that shows this.
func (l *lookup) run(ctx context.Context) error {
	if err := l.find(ctx); err != nil {
		return err
	}
	best, reads := 0.0, 0
	for _, p := range l.pages {
		p.rank = search.Score(l.keywords, p.names, p.passage())
		best = max(best, p.rank)
		if search.Score(strings.Join(search.Keywords(p.title), " "), l.query, "") == 1 {
			p.rank++
		}
	}
	if !l.wiki.ranks.Load() {
		slices.SortStableFunc(l.pages, func(a, b *page) int { return cmp.Compare(b.rank, a.rank) })
	}
	l.pages = l.pages[:min(len(l.pages), l.limit)]
	for _, p := range l.pages {
		if reads == maxReads {
			break
		}
		if p.rank < best/2 || p.intro != "" && search.Score(l.keywords, p.names, p.intro) == 1 {
			continue
		}
		var err error
		if p.text, err = l.read(ctx, p.id); err != nil {
			break // what was found is worth having
		}
		reads++
	}
	return nil
}

// find asks for the pages with all words of the query and, where these are too few, for those
// with its rarest words. MediaWiki's own search looks at either titles or texts, knows no
// OR and has no ranking. CirrusSearch looks at both at once, and says so when asked for titles.
func (l *lookup) find(ctx context.Context) error {
	words := strings.Fields(l.keywords)
	if !l.wiki.ranks.Load() && len(words) > 0 {
		_, err := l.ask(ctx, "title", words[0])
		if failed, ok := errors.AsType[apiError](err); ok && strings.HasSuffix(failed.Code, "search-title-disabled") {
			l.wiki.ranks.Store(true)
		} else if err != nil {
			return err
		}
	}
	all := l.query
	if !l.wiki.ranks.Load() {
		all = cmp.Or(l.keywords, l.query) // a hyphen in the query would exclude the word behind it
	}
	found, err := l.ask(ctx, "text", all)
	if err != nil || found >= l.limit || len(words) < 2 {
		return err
	}
	words = words[:min(len(words), rarest)]
	if l.wiki.ranks.Load() {
		words = []string{strings.Join(words, " OR ")}
	}
	for _, word := range words {
		if _, err = l.ask(ctx, "text", word); err != nil {
			break
		}
	}
	if len(l.pages) > 0 {
		return nil
	}
	return err
}

// ask searches once, adds what is found to the pages, and says how much that was.
func (l *lookup) ask(ctx context.Context, what, words string) (int, error) {
	n := maxLimit // of which run takes the best
	if l.wiki.ranks.Load() {
		n = l.limit
	}
	params := map[string]string{
		"generator": "search", "gsrsearch": words, "gsrwhat": what, "gsrlimit": strconv.Itoa(n),
		"gsrprop": "snippet|redirecttitle", "redirects": "1",
	}
	r, err := l.request(ctx, l.about(params, map[string]string{"exintro": "1", "exlimit": "max"}))
	if err != nil {
		return 0, err
	}
	for _, p := range r.pages {
		if known := slices.IndexFunc(l.pages, func(k *page) bool { return k.id == p.id }); known >= 0 {
			l.pages[known].merge(p)
		} else {
			l.pages = append(l.pages, &p)
		}
	}
	return len(r.pages), nil
}

func (p *page) merge(other page) {
	if !strings.Contains(p.snippet, other.snippet) {
		p.snippet += "\n" + other.snippet
	}
	p.names += " " + other.names
	p.intro, p.url = cmp.Or(p.intro, other.intro), cmp.Or(p.url, other.url)
}

// about completes a query for pages by what is to be told of them: their address and, where
// the wiki can tell it, as much of their text as extent says.
func (l *lookup) about(params, extent map[string]string) map[string]string {
	params["action"], params["prop"], params["inprop"] = "query", "info", "url"
	if !l.wiki.plain.Load() {
		params["prop"], params["explaintext"], params["exsectionformat"] = "extracts|info", "1", "plain"
		maps.Copy(params, extent)
	}
	return params
}

// read gives the text of a whole page: by TextExtracts, or from its HTML.
func (l *lookup) read(ctx context.Context, id int64) (string, error) {
	pageID := strconv.FormatInt(id, 10)
	if l.wiki.plain.Load() {
		r, err := l.request(ctx, map[string]string{
			"action": "parse", "pageid": pageID, "prop": "text", "disablelimitreport": "1", "disableeditsection": "1",
			"disabletoc": "1",
		})
		return r.text, err
	}
	r, err := l.request(ctx, l.about(map[string]string{"pageids": pageID}, map[string]string{"exlimit": "1"}))
	for _, p := range r.pages {
		if p.id == id {
			return p.intro, nil
		}
	}
	return "", err
}

// traits are what the replies of a wiki have shown of it.
type traits struct {
	ranks atomic.Bool // searches titles and texts at once and ranks what it finds: CirrusSearch
	plain atomic.Bool // has no TextExtracts
}

// request sends one request, and once more where the API asks to wait with status 200, which
// the client takes for success.
func (l *lookup) request(ctx context.Context, params map[string]string) (reply, error) {
	r, err := l.send(ctx, params)
	e, failed := errors.AsType[*fetch.Error](err)
	if failed && e.Kind == fetch.RateLimited && e.Status == http.StatusOK && e.RetryAfter > 0 &&
		l.options.Client.Pause(ctx, e.RetryAfter) {
		r, err = l.send(ctx, params)
	}
	if r.noExtracts && l.wiki.plain.CompareAndSwap(false, true) && l.options.Note != nil {
		l.options.Note("the wiki at " + search.HostOf(l.options.endpoint(l.language)) +
			" has no TextExtracts: its pages are read from their HTML")
	}
	return r, err
}

func (l *lookup) send(ctx context.Context, params map[string]string) (reply, error) {
	values := url.Values{
		"format": {"json"}, "utf8": {"1"},
		"maxlag": {"5"}, // a wiki that lags refuses instead of working for us
	}
	for name, value := range params {
		values.Set(name, value)
	}
	resp, err := l.options.Client.Do(ctx, fetch.Request{
		URL: l.options.endpoint(l.language) + "?" + values.Encode(),
		Header: http.Header{
			"User-Agent":      {l.options.UserAgent},
			"Accept":          {"application/json"},
			"Accept-Language": {l.language},
		},
	})
	if err != nil {
		return reply{}, err
	}
	return read(resp)
}
