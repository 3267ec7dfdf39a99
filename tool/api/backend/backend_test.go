package backend_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/api/backend"
	"github.com/seed-5817661a/concur/tool/api/catalog"
	"github.com/seed-5817661a/concur/tool/api/spec"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

var _ search.Backend = (*backend.Backend)(nil)

const key = "k3y/with+odd=signs&more"

// The backends that were Go before, with the settings of runner/assemble: the file and the site of each name.
const (
	serper  = "serper"
	serpapi = "serpapi"
	baidu   = "baidu"
)

var (
	vendors = []string{serper, serpapi}
	files   = map[string]string{serper: "google_search", serpapi: "google_serpapi", baidu: "baidu_search"}
	sites   = map[string]string{serper: "serper.dev", serpapi: "serpapi.com", baidu: "www.baidu.com"}
)

// options change how a backend is opened.
type options struct {
	settings map[string]any
	timeout  time.Duration
}

// open returns a backend over a loopback server, whose requests go to handle. It does not try again.
func open(t testing.TB, name string, o options, handle http.HandlerFunc) *backend.Backend {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	settings := map[string]any{"host": server.URL}
	for setting, value := range o.settings {
		settings[setting] = value
	}
	f, err := spec.Read(files[name], catalog.Text(files[name]))
	if err != nil {
		t.Fatal(err)
	}
	opened, err := api.New(files[name], f, settings, api.NewRun(api.Options{AllowPrivate: true, UserAgent: "concur/test",
		Environ: func(string) string { return key }, Timeout: o.timeout,
		Pause: func(context.Context, time.Duration) error { return errors.New("no further try") }}))
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.New(name, opened, backend.Options{Site: sites[name], Undated: name == baidu})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func answering(t testing.TB, name string, status int, body string) *backend.Backend {
	t.Helper()
	return open(t, name, options{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", map[bool]string{true: "text/html; charset=utf-8", false: "application/json"}[name == baidu])
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

// fake is a tool with fixed documents.
type fake struct {
	parameters string
	evidence   bool
	docs       []trace.Document
	err        error
	sent       *string
}

func (f fake) Spec() tool.Spec {
	return tool.Spec{ToolSpec: model.ToolSpec{Name: "fake", Parameters: json.RawMessage(f.parameters)}, Evidence: f.evidence}
}

func (f fake) Find(_ context.Context, arguments json.RawMessage) ([]trace.Document, error) {
	if f.sent != nil {
		*f.sent = string(arguments)
	}
	return f.docs, f.err
}

const queryAndLimit = `{"type":"object","properties":{"query":{"type":"string","maxLength":20,"pattern":"[a-z]"},"limit":{"type":"integer","maximum":3}},"required":["query"],"additionalProperties":false}`

func ExampleNew() {
	river := fake{parameters: queryAndLimit, evidence: true, docs: []trace.Document{{Ref: "https://nile.example/", Title: "Nile", Source: "https://nile.example/", Snippet: "6,650 km"}}}
	b, err := backend.New("rivers", river, backend.Options{Site: "rivers.example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	docs, err := b.Search(context.Background(), "length of the nile", 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(b.Name(), docs[0].Title, docs[0].Snippet, docs[0].Source)
	// Output: rivers Nile 6,650 km nile.example
}

func TestNew(t *testing.T) {
	for want, f := range map[string]fake{
		"gives no documents":     {parameters: queryAndLimit},
		"no argument query":      {parameters: `{"type":"object","properties":{"place":{"type":"string"}}}`, evidence: true},
		"needs the argument day": {parameters: `{"type":"object","properties":{"query":{"type":"string"},"day":{"type":"string"}},"required":["query","day"]}`, evidence: true},
		"read the arguments":     {parameters: `[`, evidence: true},
	} {
		if b, err := backend.New("x", f, backend.Options{}); b != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestSearch(t *testing.T) {
	sent := ""
	docs := []trace.Document{{Ref: "a", Time: "2026", BackendScoreShown: true}, {Ref: "b"}, {Ref: "c"}, {Ref: "d"}}
	b, err := backend.New("x", fake{parameters: queryAndLimit, evidence: true, docs: docs, sent: &sent}, backend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := b.Search(t.Context(), "nile", 9); err != nil || len(got) != 4 || got[0].Time != "2026" || got[0].BackendScoreShown || sent != `{"limit":3,"query":"nile"}` {
		t.Errorf("%v, %v, sent %s", got, err, sent)
	}
	if got, err := b.Search(t.Context(), "nile", 2); err != nil || len(got) != 2 || sent != `{"limit":2,"query":"nile"}` {
		t.Errorf("%v, %v, sent %s", got, err, sent)
	}
	sent = ""
	for _, query := range []string{"!!!", strings.Repeat("nile ", 9)} {
		if _, err := b.Search(t.Context(), query, 2); kindOf(err) != fetch.BadRequest || sent != "" {
			t.Errorf("%q: %v, sent %s", query, err, sent)
		}
	}
	for want, cause := range map[fetch.Kind]error{fetch.Quota: &fetch.Error{Kind: fetch.Quota}, fetch.Timeout: context.DeadlineExceeded,
		fetch.Upstream: errors.New("odd")} {
		b, err := backend.New("x", fake{parameters: queryAndLimit, evidence: true, err: cause}, backend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Search(t.Context(), "nile", 2); kindOf(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func kindOf(err error) fetch.Kind {
	e, _ := errors.AsType[*fetch.Error](err)
	if e == nil {
		return ""
	}
	return e.Kind
}
