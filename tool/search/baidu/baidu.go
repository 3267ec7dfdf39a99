package baidu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

// Options configure a Backend. Client is required.
type Options struct {
	BaseURL string // without the path /s; https://www.baidu.com if empty
	JSON    bool   // request the JSON form (tn=json), which has no advertisements
	Client  *fetch.Client
}

// Version changes when the same replies of the server could give different documents.
const Version = "baidu/v1"

const (
	defaultBase = "https://www.baidu.com"
	// userAgent is the user agent of a desktop browser, because Baidu sends other pages to other clients.
	userAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 " +
		"Safari/537.36"
)

// Backend searches Baidu. It keeps Baidu's cookies in memory, for itself only. It is safe for concurrent use.
type Backend struct {
	options Options
	page    *url.URL // address of the results page, to which the cookies belong
	cookies http.CookieJar
}

// New returns a backend. The error names the wrong option.
func New(o Options) (*Backend, error) {
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, defaultBase), "/")
	switch {
	case !search.IsBase(o.BaseURL):
		return nil, errors.New("set up Baidu search: the base URL is not of the form https://host/path")
	case o.Client == nil:
		return nil, errors.New("set up Baidu search: no HTTP client")
	}
	page, err := url.Parse(o.BaseURL + "/s")
	if err != nil {
		return nil, fmt.Errorf("set up Baidu search: %w", err)
	}
	jar, err := cookiejar.New(nil)
	return &Backend{options: o, page: page, cookies: jar}, err
}

// Name returns the backend's name, which is also the beginning of its documents' ids.
func (*Backend) Name() string { return "baidu" }

// maxLimit is the maximum number of results on one page of Baidu.
const maxLimit = 50

// Search requests one page of results, and returns its documents in Baidu's order, at most limit (and at most
// 50). If there are no results, it returns an empty slice and no error. Every error is a *fetch.Error. If
// Baidu has blocked this address (captcha_blocked), it stays blocked for a while, so retrying does not help.
func (b *Backend) Search(ctx context.Context, query string, limit int) ([]trace.Document, error) {
	limit = min(limit, maxLimit)
	if limit <= 0 {
		return nil, nil
	}
	resp, err := b.options.Client.Do(ctx, b.request(query, limit))
	if err != nil {
		return nil, err
	}
	// Requests do not follow redirects, so every response comes from the host to which the cookies belong.
	b.cookies.SetCookies(b.page, (&http.Response{Header: resp.Header}).Cookies())
	hits, err := readReply(resp, query)
	if err != nil {
		return nil, err
	}
	return documents(hits, query, limit), nil
}

func (b *Backend) request(query string, limit int) fetch.Request {
	q := url.Values{"wd": {query}, "ie": {"utf-8"}, "rn": {strconv.Itoa(limit)}, "pn": {"0"}}
	if b.options.JSON {
		q.Set("tn", "json")
	}
	header := http.Header{
		"User-Agent":      {userAgent},
		"Accept-Language": {"zh-CN,zh;q=0.9,en;q=0.8"},
		"Accept":          {"text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8"},
		"Referer":         {b.options.BaseURL + "/"},
	}
	for _, c := range b.cookies.Cookies(b.page) { // Baidu blocks visitors with cookies less often
		(&http.Request{Header: header}).AddCookie(c)
	}
	return fetch.Request{
		URL:    b.options.BaseURL + "/s?" + q.Encode(),
		Header: header,
		// A block is a redirect to another host. Its Location is enough. Following it would only show this address
		// to the captcha page once more.
		NoRedirect: true,
	}
}

// documents converts hits to documents, at most limit. A page that is listed twice becomes one document.
func documents(hits []hit, query string, limit int) []trace.Document {
	out := make([]trace.Document, 0, min(limit, len(hits)))
	seen := map[string]bool{}
	for _, h := range hits {
		if len(out) == limit {
			break
		}
		if seen[h.link] {
			continue
		}
		seen[h.link] = true
		out = append(out, trace.Document{
			Backend: "baidu", Ref: h.link, Title: h.title, Source: search.HostOf(h.link), Snippet: h.snippet,
			Score: search.Score(query, h.title, h.snippet),
		})
	}
	return out
}
