package wikipedia_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool/search/wikipedia"
)

// apiError returns the API's report of a failure.
func apiError(code, info string) string {
	return `{"error":{"code":"` + code + `","info":"` + info + `","*":"See https://en.wikipedia.org/w/api.php for API usage."},"servedby":"mw1"}`
}

const html = "<!DOCTYPE html>\n<html><head><title>Wikimedia Error</title></head><body>Our servers are currently under maintenance</body></html>"

func TestFailures(t *testing.T) {
	date := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		kind   fetch.Kind
		text   string
	}{
		{"missingparam", says(200, apiError("missingparam", `The \"gsrsearch\" parameter must be set.`)), fetch.BadRequest, `missingparam: The "gsrsearch" parameter must be set.`},
		{"badvalue", says(200, apiError("badvalue", "Unrecognized value")), fetch.BadRequest, "badvalue"},
		{"unknown_action", says(200, apiError("unknown_action", "Unrecognized value for parameter action")), fetch.BadRequest, "unknown_action"},
		{"ratelimited", says(200, apiError("ratelimited", "You've exceeded your rate limit.")), fetch.RateLimited, "exceeded"},
		{"maxlag", says(200, apiError("maxlag", "Waiting for db: 6 seconds lagged"), "Retry-After", "7", "X-Database-Lag", "6"), fetch.RateLimited, "wait 7s"},
		{"maxlag without a word when", says(200, apiError("maxlag", "lagged")), fetch.RateLimited, "wait 5s"},
		{"readonly", says(200, apiError("readonly", "The wiki is in read-only mode")), fetch.Upstream, "readonly"},
		{"internal", says(200, apiError("internal_api_error_DBQueryError", "[abc] Caught exception")), fetch.Upstream, "internal_api_error"},
		{"readapidenied", says(200, apiError("readapidenied", "You need read permission")), fetch.Auth, "permission"},
		{"unknown code", says(200, apiError("novel", "something")), fetch.Upstream, "novel: something"},
		{"unknown code with a status", says(400, apiError("novel", "something")), fetch.BadRequest, "novel: something"},
		{"errorformat", says(200, `{"errors":[{"code":"ratelimited","text":"Too fast","module":"main"}]}`), fetch.RateLimited, "Too fast"},
		{"error with results", says(200, `{"error":{"code":"readonly","info":"x"},"query":{"pages":{"1":{"pageid":1,"title":"A"}}}}`), fetch.Upstream, "readonly"},
		{"error of no form", says(200, `{"error":{}}`), fetch.Upstream, "unknown"},

		{"User-Agent policy", says(403, "Please set a user-agent and respect our robot policy https://w.wiki/4wJS."), fetch.Auth, "User-Agent"},
		{"429", says(429, "You've exceeded your rate limit", "Retry-After", "60"), fetch.RateLimited, "wait 1m0s"},
		{"429 with a date", says(429, "", "Retry-After", date), fetch.RateLimited, "it asks to wait"},
		{"429 without", says(429, html), fetch.RateLimited, "429"},
		{"500", says(500, html), fetch.Upstream, "500"},
		{"503", says(503, html), fetch.Upstream, "503"},
		{"404", says(404, html), fetch.Upstream, "base URL"},
		{"redirect to nowhere", says(302, ""), fetch.Malformed, "302"},

		{"HTML", says(200, html), fetch.Malformed, "not JSON"},
		{"truncated", says(200, `{"batchcomplete":"","query":{"pages":{"1":{"pageid":1,"title":"A`), fetch.Malformed, "incomplete"},
		{"nothing", says(200, ""), fetch.Malformed, "not JSON"},
		{"null", says(200, "null"), fetch.Malformed, "neither"},
		{"empty object", says(200, "{}"), fetch.Malformed, "neither"},
		{"list", says(200, "[]"), fetch.Malformed, "documented JSON object"},
		{"pages of another type", says(200, `{"query":{"pages":"none"}}`), fetch.Malformed, "documented"},
		{"title of another type", says(200, `{"query":{"pages":{"1":{"pageid":1,"title":["secret"]}}}}`), fetch.Malformed, "title is not"},
		{"huge", says(200, `{"batchcomplete":"","x":"`+strings.Repeat("x", 10<<20)+`"}`), fetch.Malformed, "over 2 MB"},
	} {
		docs, err := search(serve(t, c.answer), "nile")
		e := wantKind(t, c.name, err, c.kind)
		if !strings.Contains(e.Error(), c.text) || len(docs) != 0 || strings.Contains(e.Error(), "secret") {
			t.Errorf("%s: %v, %v; want %q", c.name, docs, e, c.text)
		}
		if c.kind == fetch.RateLimited && strings.Contains(c.text, "wait") && e.RetryAfter <= 0 {
			t.Errorf("%s: no RetryAfter", c.name)
		}
	}
}

func TestThrottleThatPasses(t *testing.T) {
	first := true
	b := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if first {
			first = false
			says(429, "", "Retry-After", "1")(w, r)
			return
		}
		io.WriteString(w, `{"batchcomplete":""}`)
	})
	if _, err := search(b, "nile"); err != nil {
		t.Error(err)
	}
}

// TestAPIsWaitIsKept has an API that demands a wait with status 200.
func TestAPIsWaitIsKept(t *testing.T) {
	found := `{"batchcomplete":"","query":{"pages":{"1":{"pageid":1,"title":"Nile","extract":"A river."}}}}`
	for _, c := range []struct {
		name    string
		answers []http.HandlerFunc
		calls   int
		kind    fetch.Kind // "" if the search succeeds
	}{
		{"maxlag", []http.HandlerFunc{says(200, apiError("maxlag", "lagged"), "Retry-After", "1"), says(200, found)}, 2, ""},
		{"maxlag without a word when", []http.HandlerFunc{says(200, apiError("maxlag", "lagged")), says(200, found)}, 2, ""},
		{"ratelimited", []http.HandlerFunc{says(200, apiError("ratelimited", "slow"), "Retry-After", "20"), says(200, found)}, 2, ""},
		{"once only", []http.HandlerFunc{says(200, apiError("maxlag", "lagged")), says(200, apiError("maxlag", "lagged")), says(200, found)}, 2, fetch.RateLimited},
		{"beyond patience", []http.HandlerFunc{says(200, apiError("ratelimited", "slow"), "Retry-After", "60"), says(200, found)}, 1, fetch.RateLimited},
		{"ratelimited without a word when", []http.HandlerFunc{says(200, apiError("ratelimited", "slow")), says(200, found)}, 1, fetch.RateLimited},
		{"another failure", []http.HandlerFunc{says(200, apiError("readonly", "x"), "Retry-After", "1"), says(200, found)}, 1, fetch.Upstream},
	} {
		calls := 0 // requests come one after another
		docs, err := search(serve(t, cirrus(func(w http.ResponseWriter, r *http.Request) {
			calls++
			c.answers[min(calls, len(c.answers))-1](w, r)
		})), "nile")
		if calls != c.calls {
			t.Errorf("%s: %d requests, want %d", c.name, calls, c.calls)
		}
		switch {
		case c.kind != "":
			wantKind(t, c.name, err, c.kind)
		case err != nil || len(docs) != 1:
			t.Errorf("%s: %v, %v", c.name, docs, err)
		}
	}
}

func TestSlowDrip(t *testing.T) {
	b := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "{")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	_, err := b.Search(ctx, "nile", 3)
	wantKind(t, "slow drip", err, fetch.Timeout)
}

func TestLanguages(t *testing.T) {
	b := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/xx/") {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, `{"batchcomplete":"","query":{"pages":{"1":{"pageid":1,"title":"`+r.URL.Path+`"}}}}`)
	})
	docs, err := b.SearchLanguage(context.Background(), "be-tarask", "x", 3)
	if err != nil || len(docs) != 1 || docs[0].Title != "/be-tarask/w/api.php" {
		t.Errorf("%v, %v", docs, err)
	}
	for _, language := range []string{"xx", "", "EN", "e", "en.evil.example", "../", "en/x", "a-b", strings.Repeat("a", 12) + "-" + strings.Repeat("b", 12)} {
		_, err := b.SearchLanguage(context.Background(), language, "x", 3)
		wantKind(t, language, err, fetch.BadRequest)
	}
	one := backend(t, "http://127.0.0.1:1/w/api.php", fetch.Options{Retries: -1})
	_, err = one.SearchLanguage(context.Background(), "de", "x", 3)
	wantKind(t, "a wiki of one language", err, fetch.BadRequest)
	_, err = one.SearchLanguage(context.Background(), "en", "x", 3)
	wantKind(t, "nobody listens", err, fetch.Upstream)
}

func TestOptions(t *testing.T) {
	c := fetch.New(fetch.Options{})
	good := wikipedia.Options{UserAgent: agent, Client: c}
	if _, err := wikipedia.New(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*wikipedia.Options){
		"no client":   func(o *wikipedia.Options) { o.Client = nil },
		"no agent":    func(o *wikipedia.Options) { o.UserAgent = " " },
		"browser":     func(o *wikipedia.Options) { o.UserAgent = "Mozilla/5.0 (X11)" },
		"line break":  func(o *wikipedia.Options) { o.UserAgent = "a\r\nX: y" },
		"language":    func(o *wikipedia.Options) { o.Language = "English" },
		"no scheme":   func(o *wikipedia.Options) { o.BaseURL = "en.wikipedia.org" },
		"file":        func(o *wikipedia.Options) { o.BaseURL = "file:///{lang}" },
		"query":       func(o *wikipedia.Options) { o.BaseURL = "https://{lang}.example/?a=b" },
		"credentials": func(o *wikipedia.Options) { o.BaseURL = "https://u:p@{lang}.example/" },
	} {
		o := good
		change(&o)
		if _, err := wikipedia.New(o); err == nil || !strings.HasPrefix(err.Error(), "set up Wikipedia search: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
