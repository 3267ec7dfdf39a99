package wikipedia

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// maxRounds bounds how often the rest of an answer is asked for.
const maxRounds = 4

// page is one page that was found.
type page struct {
	id       int64
	index    int // place in the ranking, from 1; 0 if the wiki does not tell
	title    string
	extract  string
	url      string // canonical; "" if the wiki does not tell
	complete bool   // its extract has come, be it empty
}

// pages searches and collects the extracts, which may come in several rounds. What is
// still without one after the last round, or when a later round fails, keeps its title.
func (b *Backend) pages(ctx context.Context, language, query string, limit int) ([]page, error) {
	params := b.params(query, limit)
	byID := map[int64]*page{}
	for round := range maxRounds {
		r, err := b.ask(ctx, language, params)
		if err != nil {
			if round > 0 && ctx.Err() == nil {
				break
			}
			return nil, err
		}
		merge(byID, r.pages)
		if r.batchComplete || len(r.next) == 0 || !anyIncomplete(byID) {
			break
		}
		params = b.params(query, limit)
		for k, v := range r.next {
			params.Set(k, v)
		}
	}
	return ranked(byID), nil
}

func (b *Backend) params(query string, limit int) url.Values {
	n := strconv.Itoa(limit)
	return url.Values{
		"action": {"query"}, "format": {"json"}, "utf8": {"1"},
		"generator": {"search"}, "gsrsearch": {query}, "gsrlimit": {n},
		"prop": {"extracts|info"}, "exintro": {"1"}, "explaintext": {"1"}, "exlimit": {"max"}, "inprop": {"url"},
		"redirects": {"1"},
		"maxlag":    {"5"}, // a wiki that lags refuses instead of working for us
	}
}

// ask sends one request, and once more where the API asks to wait with status 200, which
// the client takes for success.
func (b *Backend) ask(ctx context.Context, language string, params url.Values) (reply, error) {
	r, err := b.send(ctx, language, params)
	e, failed := errors.AsType[*fetch.Error](err)
	if failed && e.Kind == fetch.RateLimited && e.Status == http.StatusOK && e.RetryAfter > 0 && b.options.Client.Pause(ctx, e.RetryAfter) {
		return b.send(ctx, language, params)
	}
	return r, err
}

func (b *Backend) send(ctx context.Context, language string, params url.Values) (reply, error) {
	resp, err := b.options.Client.Do(ctx, fetch.Request{
		Method: http.MethodGet,
		URL:    b.options.endpoint(language) + "?" + params.Encode(),
		Header: http.Header{
			"User-Agent":      {b.options.UserAgent},
			"Accept":          {"application/json"},
			"Accept-Language": {language},
		},
	})
	if err != nil {
		return reply{}, err
	}
	return read(resp)
}

// merge adds what a round brought to what earlier ones did.
func merge(byID map[int64]*page, pages []page) {
	for _, p := range pages {
		known := byID[p.id]
		if known == nil {
			byID[p.id] = &p
			continue
		}
		if p.complete && !known.complete {
			known.extract, known.complete = p.extract, true
		}
		if known.index == 0 {
			known.index = p.index
		}
		if known.url == "" {
			known.url = p.url
		}
	}
}

func anyIncomplete(byID map[int64]*page) bool {
	for _, p := range byID {
		if !p.complete {
			return true
		}
	}
	return false
}

// ranked sorts by index, pages without one last.
func ranked(byID map[int64]*page) []page {
	out := make([]page, 0, len(byID))
	for _, p := range byID {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b page) int {
		if (a.index == 0) != (b.index == 0) {
			return cmp.Compare(b.index, a.index)
		}
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.id, b.id))
	})
	return out
}
