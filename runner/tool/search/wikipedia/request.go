package wikipedia

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/runner/tool/search"
)

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
	if failed && e.Kind == fetch.RateLimited && e.Status == http.StatusOK && e.RetryAfter > 0 && l.options.Client.Pause(ctx, e.RetryAfter) {
		r, err = l.send(ctx, params)
	}
	if r.noExtracts && l.wiki.plain.CompareAndSwap(false, true) && l.options.Note != nil {
		l.options.Note("the wiki at " + search.HostOf(l.options.endpoint(l.language)) + " has no TextExtracts: its pages are read from their HTML")
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
