package serper_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/tool/search/serper"
)

const key = "k3y/with+odd=signs&more"

var _ search.Backend = (*serper.Backend)(nil)

var vendors = []serper.Vendor{serper.SerperDev, serper.SerpAPI}

func client(o fetch.Options) *fetch.Client {
	o.AllowPrivate = true
	o.Retries = -1
	return fetch.New(o)
}

// backend returns a backend that uses a loopback server, whose requests go to handle.
func backend(t testing.TB, o serper.Options, handle http.HandlerFunc) *serper.Backend {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	o.BaseURL = server.URL
	o.APIKey = key
	if o.Client == nil {
		o.Client = client(fetch.Options{UserAgent: "concur/test"})
	}
	b, err := serper.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func answering(t testing.TB, vendor serper.Vendor, status int, body string) *serper.Backend {
	t.Helper()
	return backend(t, serper.Options{Vendor: vendor}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
}

func recording(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func ExampleBackend_Search() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"answerBox":{"title":"Nile","answer":"6,650 km","link":"https://nile.example/"},"organic":[]}`)
	}))
	defer server.Close()
	b, err := serper.New(serper.Options{
		APIKey: "from-your-environment", BaseURL: server.URL,
		Client: fetch.New(fetch.Options{AllowPrivate: true}), // needed only for a server on this machine
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	docs, err := b.Search(context.Background(), "length of the Nile", 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(docs[0].Title, docs[0].Snippet, docs[0].Ref)
	// Output: Nile 6,650 km https://nile.example/
}

func TestOptions(t *testing.T) {
	c := client(fetch.Options{})
	for name, o := range map[string]serper.Options{
		"vendor":      {Vendor: "bing", APIKey: key, Client: c},
		"no key":      {Client: c},
		"line break":  {APIKey: "s3cret\n", Client: c},
		"base":        {APIKey: key, Client: c, BaseURL: "google.serper.dev"},
		"base query":  {APIKey: key, Client: c, BaseURL: "https://h.example/?a=b"},
		"language":    {APIKey: key, Client: c, Language: "English&x=y"},
		"country":     {APIKey: key, Client: c, Country: "USA"},
		"no client":   {APIKey: key},
		"other, none": {Vendor: serper.SerpAPI, Client: c},
	} {
		b, err := serper.New(o)
		if err == nil || b != nil {
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), key) {
			t.Errorf("%s: the key stands in %q", name, err)
		}
	}
}

func TestMissingKeyIsTold(t *testing.T) {
	for v, variable := range map[serper.Vendor]string{serper.SerperDev: "SERPER_API_KEY", serper.SerpAPI: "SERPAPI_API_KEY"} {
		_, err := serper.New(serper.Options{Vendor: v, Client: client(fetch.Options{})})
		if !errors.Is(err, serper.ErrNoKey) || !strings.Contains(err.Error(), variable) {
			t.Errorf("%s: %v", v, err)
		}
	}
}

// failure runs a search that must fail.
func failure(t *testing.T, b *serper.Backend) *fetch.Error {
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

func TestThrottleSaysWhenToComeBack(t *testing.T) {
	for _, v := range vendors {
		b := backend(t, serper.Options{Vendor: v}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "300")
			w.WriteHeader(429)
			io.WriteString(w, `{"error":"You are exceeding your hourly throughput limit.","message":"Too many requests","statusCode":429}`)
		})
		if e := failure(t, b); e.Kind != fetch.RateLimited || e.RetryAfter != 300*time.Second {
			t.Errorf("%s: %v after %v", v, e.Kind, e.RetryAfter)
		}
	}
}

func TestSlowDripEnds(t *testing.T) {
	for _, v := range vendors {
		b := backend(t, serper.Options{Vendor: v, Client: client(fetch.Options{Timeout: 100 * time.Millisecond})}, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // the server notices that a client has left only after it has read the request
			io.WriteString(w, `{"organic":[`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		if e := failure(t, b); e.Kind != fetch.Timeout {
			t.Errorf("%s: %v", v, e)
		}
	}
}

func TestHugeReplyIsRefused(t *testing.T) {
	for _, v := range vendors {
		b := backend(t, serper.Options{Vendor: v}, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"organic":[],"organic_results":[],"x":"`+strings.Repeat("x", 10<<20)+`"}`)
		})
		if e := failure(t, b); e.Kind != fetch.Malformed {
			t.Errorf("%s: %v", v, e)
		}
	}
}
