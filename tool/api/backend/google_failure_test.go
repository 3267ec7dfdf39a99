package backend_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/tool/api/backend"
)

func TestGoogleFailures(t *testing.T) {
	for _, c := range []struct {
		vendor string
		status int
		body   string
		want   fetch.Kind
	}{
		{serper, 403, `{"message":"Unauthorized.","statusCode":403}`, fetch.Auth},
		{serper, 401, `{"message":"Unauthorized."}`, fetch.Auth},
		{serper, 400, `{"message":"Not enough credits","statusCode":400}`, fetch.Quota},
		{serper, 400, `{"message":"Missing query","statusCode":400}`, fetch.BadRequest},
		{serper, 400, `not JSON`, fetch.BadRequest},
		{serper, 429, `{"message":"Too many requests"}`, fetch.RateLimited},
		{serper, 429, ``, fetch.RateLimited},
		{serper, 500, `<html>oops</html>`, fetch.Upstream},
		{serper, 503, ``, fetch.Upstream},
		{serper, 404, `{}`, fetch.NotFound},
		{serper, 200, `{"message":"Unauthorized.","statusCode":403}`, fetch.Auth},
		{serper, 200, `{"message":"Not enough credits","statusCode":"400"}`, fetch.Quota},
		{serper, 200, `{"message":"Slow down","statusCode":429}`, fetch.RateLimited},
		{serper, 200, `{"message":"Internal","statusCode":500,"organic":[]}`, fetch.Upstream},
		{serper, 502, `{"message":"Unauthorized.","statusCode":403}`, fetch.Auth},
		{serper, 200, `{"message":"Unauthorized."}`, fetch.Auth},
		{serper, 200, `{"message":"Not enough credits"}`, fetch.Quota},
		{serper, 200, `{"message":"something new"}`, fetch.Malformed},
		{serper, 200, `{}`, fetch.Malformed},
		{serper, 200, `{"organic":null}`, fetch.Malformed},
		{serper, 200, `{"organic":{}}`, fetch.Malformed},
		{serper, 200, `{"organic":["x"]}`, fetch.Malformed},
		{serper, 200, `{"searchParameters":{},"news":[]}`, fetch.Malformed},
		{serper, 200, `[{"organic":[]}]`, fetch.Malformed},
		{serper, 200, `null`, fetch.Malformed},
		{serper, 200, ``, fetch.Malformed},
		{serper, 200, `{"organic":[{"title":"cut of`, fetch.Malformed},
		{serper, 200, `<html><title>Sign in to the network</title></html>`, fetch.Malformed},
		{serper, 204, ``, fetch.Malformed},

		{serpapi, 401, `{"error":"Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"}`, fetch.Auth},
		{serpapi, 400, "{\"error\":\"Missing parameter `q` for the search.\"}", fetch.BadRequest},
		{serpapi, 429, `{"error":"You are exceeding 200 searches per hour. Throughput limit."}`, fetch.RateLimited},
		{serpapi, 429, `{"error":"Your searches for the month have run out. You can upgrade plans on serpapi.com website."}`, fetch.Quota},
		{serpapi, 429, `{"error":"Your account has run out of searches."}`, fetch.Quota},
		{serpapi, 429, ``, fetch.RateLimited},
		{serpapi, 410, `{"error":"The search expired and has been deleted from the archive."}`, fetch.Upstream},
		{serpapi, 503, `{"error":"Service unavailable"}`, fetch.Upstream},
		{serpapi, 503, `<html>`, fetch.Upstream},
		{serpapi, 200, `{"search_metadata":{"status":"Processing"}}`, fetch.Upstream},
		{serpapi, 200, `{"search_metadata":{"status":"Queued"},"organic_results":[]}`, fetch.Upstream},
		{serpapi, 200, `{"search_metadata":{"status":"Error"},"error":"We couldn't get valid results for this search."}`, fetch.Upstream},
		{serpapi, 200, `{"search_metadata":{"status":"Error"}}`, fetch.Upstream},
		{serpapi, 200, `{"error":"Invalid API key."}`, fetch.Auth},
		{serpapi, 200, `{"error":"Your searches for the month have run out."}`, fetch.Quota},
		{serpapi, 200, `{"error":"something new"}`, fetch.Upstream},
		{serpapi, 200, `{"search_metadata":{"status":"Success"}}`, fetch.Malformed},
		{serpapi, 200, `{"search_metadata":"Success","organic_results":[]}`, fetch.Malformed},
		{serpapi, 200, `{"organic_results":"none"}`, fetch.Malformed},
		{serpapi, 200, `[]`, fetch.Malformed},
		{serpapi, 200, `<html>`, fetch.Malformed},
		{serpapi, 200, `{"organic_results":[{"title":"cut of`, fetch.Malformed},
	} {
		e := googleFailure(t, answering(t, c.vendor, c.status, c.body))
		if e.Kind != c.want {
			t.Errorf("%s %d %s: %s: %v; want %s", c.vendor, c.status, c.body, e.Kind, e, c.want)
		}
		if e.Host == "" {
			t.Errorf("%s %d %s: no host named", c.vendor, c.status, c.body)
		}
		if c.want == fetch.Auth && !strings.Contains(e.Error(), "_API_KEY") {
			t.Errorf("%s %d %s: %v; the variable of the key is not named", c.vendor, c.status, c.body, e)
		}
	}
}

// If a server repeats its request, the key must not get into an error or a document, not even in parts that
// cleaning would join or cutting would separate.
func TestGoogleEchoedKey(t *testing.T) {
	var echo string
	for _, padding := range []int{0, 280, 290, 299} {
		fill := strings.Repeat("x", padding)
		for _, k := range []string{key, url.QueryEscape(key), "k3y/with\x01+odd=signs&more"} {
			k = strings.ReplaceAll(k, "\x01", `\u0000`)
			for _, v := range vendors {
				echo = `"` + fill + k + `"`
				e := googleFailure(t, answering(t, v, 403, `{"message":`+echo+`,"error":`+echo+`}`))
				if strings.Contains(e.Error(), "k3y/with") {
					t.Errorf("%s: half a key in %q", v, e)
				}
				organic := `[{"title":` + echo + `,"snippet":` + echo + `,"link":"https://h.example/?` + url.QueryEscape(key) + `"}]`
				docs, err := answering(t, v, 200, `{"organic":`+organic+`,"organic_results":`+organic+`}`).Search(context.Background(), "q", 5)
				if err != nil || len(docs) != 1 {
					t.Fatal(docs, err)
				}
				if all := docs[0].Title + docs[0].Snippet + docs[0].Ref; strings.Contains(all, "k3y") {
					t.Errorf("%s: the key stands in %q", v, all)
				}
			}
		}
	}
}

// If a vendor's host redirects to another one, the key must not be sent there.
func TestRedirectDoesNotCarryTheKey(t *testing.T) {
	for _, v := range vendors {
		elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			if all := r.URL.String() + fmt.Sprint(r.Header) + string(raw); secret.New(key).Hide(all) != all {
				t.Errorf("%s: the key went elsewhere: %s", v, all)
			}
			io.WriteString(w, `{"organic":"none","organic_results":"none"}`)
		}))
		for _, status := range []int{302, 307} {
			googleFailure(t, open(t, v, options{}, func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, elsewhere.URL+"/?"+r.URL.RawQuery, status)
			}))
		}
		elsewhere.Close()
	}
}

func TestGoogleUnreachable(t *testing.T) {
	for _, v := range vendors {
		b := open(t, v, options{}, func(w http.ResponseWriter, r *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
			conn.Close()
		})
		if e := googleFailure(t, b); e.Kind != fetch.Upstream && e.Kind != fetch.Malformed {
			t.Errorf("%s: %v", v, e)
		}
	}
}

func TestGoogleCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, v := range vendors {
		if docs, err := answering(t, v, 200, `{}`).Search(ctx, "q", 5); err == nil || strings.Contains(err.Error(), "k3y") {
			t.Errorf("%s: %v, %v", v, docs, err)
		}
	}
}

// googleFailure runs a search that must fail.
func googleFailure(t *testing.T, b *backend.Backend) *fetch.Error {
	t.Helper()
	docs, err := b.Search(context.Background(), "q", 5)
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok || docs != nil {
		t.Fatalf("%v, %v; want a *fetch.Error", docs, err)
	}
	for _, leak := range []string{key, url.QueryEscape(key), url.PathEscape(key)} {
		if strings.Contains(err.Error(), leak) {
			t.Errorf("the key stands in %q", err)
		}
	}
	if !utf8.ValidString(err.Error()) || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
		t.Errorf("unfit to show: %q", err)
	}
	return e
}

func TestGoogleThrottleSaysWhenToComeBack(t *testing.T) {
	for _, v := range vendors {
		b := open(t, v, options{}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "300")
			w.WriteHeader(429)
			io.WriteString(w, `{"error":"You are exceeding your hourly throughput limit.","message":"Too many requests","statusCode":429}`)
		})
		if e := googleFailure(t, b); e.Kind != fetch.RateLimited || e.RetryAfter != 300*time.Second {
			t.Errorf("%s: %v after %v", v, e.Kind, e.RetryAfter)
		}
	}
}

func TestGoogleSlowDripEnds(t *testing.T) {
	for _, v := range vendors {
		b := open(t, v, options{timeout: 100 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // the server notices that a client has left only after it has read the request
			io.WriteString(w, `{"organic":[`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		if e := googleFailure(t, b); e.Kind != fetch.Timeout {
			t.Errorf("%s: %v", v, e)
		}
	}
}

func TestGoogleHugeReplyIsRefused(t *testing.T) {
	for _, v := range vendors {
		b := open(t, v, options{}, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"organic":[],"organic_results":[],"x":"`+strings.Repeat("x", 10<<20)+`"}`)
		})
		if e := googleFailure(t, b); e.Kind != fetch.Malformed {
			t.Errorf("%s: %v", v, e)
		}
	}
}
