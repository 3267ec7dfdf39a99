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
	// rarest is the number of the query's rarest words that are searched if all words together find too little.
	rarest = 3
	// maxReads is the maximum number of pages that one search reads in full.
	maxReads = 2
)

// page is a page that a search found.
type page struct {
	id      int64
	title   string
	names   string // title, and titles of redirects to the page
	intro   string // introduction of the page
	snippet string // from the wiki's search
	text    string // full text; "" if it was not read
	url     string // canonical address; "" if unknown
	rank    float64
}

// passage returns the text from which a document's snippet is taken.
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
	keywords string // keywords of the query, rarest first
	limit    int
	pages    []*page
}

// run finds pages and orders them: pages named in the query first, then by score. It reads the first pages
// whose introduction lacks a keyword, unless they match less than half as well as the best page. It sends at
// most 2 + rarest + maxReads requests. After a reply has shown that the wiki searches titles and texts at
// once, it sends at most 2 + maxReads.
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
		if p.text, err = l.readPage(ctx, p.id); err != nil {
			break // keep the pages that were found so far
		}
		reads++
	}
	return nil
}

// find searches for pages with all words of the query and, if it finds too few, for pages with the query's
// rarest words. MediaWiki's own search searches either titles or texts, and has no OR and no ranking.
// CirrusSearch searches both at once; its reply to a search of titles shows this.
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
		all = cmp.Or(l.keywords, l.query) // a hyphen in the query would exclude the word after it
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

// ask searches once, adds the results to the pages, and returns their number.
func (l *lookup) ask(ctx context.Context, what, words string) (int, error) {
	n := maxLimit // run takes only the best of these
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

// about extends a query for pages with the properties that the wiki should return: the address and, if the
// wiki supports it, as much of the text as extent selects.
func (l *lookup) about(params, extent map[string]string) map[string]string {
	params["action"], params["prop"], params["inprop"] = "query", "info", "url"
	if !l.wiki.plain.Load() {
		params["prop"], params["explaintext"], params["exsectionformat"] = "extracts|info", "1", "plain"
		maps.Copy(params, extent)
	}
	return params
}

// readPage returns the text of a whole page: by TextExtracts, or from its HTML.
func (l *lookup) readPage(ctx context.Context, id int64) (string, error) {
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

// traits are properties of a wiki that are learned from its replies.
type traits struct {
	ranks atomic.Bool // searches titles and texts at once and ranks the results, like CirrusSearch
	plain atomic.Bool // has no TextExtracts
}

// request sends one request. If the API replies with status 200 and a demand to wait, the HTTP client treats
// this as success, so request waits and sends the request once more.
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
		"maxlag": {"5"}, // a lagging wiki then refuses the request, which saves its resources
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
	return readReply(resp)
}
